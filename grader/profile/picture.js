// picture.js: the page around the recording: controls, keys, the source beside it, what is wrong.
'use strict';
const page = document.getElementById('page');
page.innerHTML = `
<header><h1></h1><p id=what></p></header>
<div id=reports></div><p id=verdict></p>
<div class=bar role=toolbar aria-label="play">
  <select id=launch aria-label="kernel"></select>
  <button id=first title="to the start (Home)">|&lt;</button>
  <button id=back title="last barrier (Shift + left)">&lt;&lt; barrier</button>
  <button id=left title="one step back (left)">&lt;</button>
  <button id=play title="play or pause (space)">play</button>
  <button id=right title="one step (right)">&gt;</button>
  <button id=on title="next barrier (b, or Shift + right)">barrier &gt;&gt;</button>
  <button id=fault title="next report (r)">next report</button>
  <label>speed <input id=speed type=range min=1 max=120 value=24></label>
  <label>warp <select id=warp></select></label>
  <output id=where></output>
</div>
<div class=time><canvas id=time></canvas>
  <input id=scrub type=range min=0 value=0 aria-label="step"></div>
<div class=main>
  <section class=stage><canvas id=stage></canvas><div id=tip role=status></div></section>
  <aside><h2>Now</h2><ol id=now></ol><h2 id=file></h2><div id=source tabindex=0></div></aside>
</div>
<p class=legend></p>
<details><summary>Keys, and what this is</summary><p id=keys></p></details>`;

const $ = (id) => document.getElementById(id);
const state = {show: null, step: 0, warp: 0, timer: 0};

document.querySelector('h1').textContent = `${data.task}, ${data.point}: one block as it runs`;
document.querySelector('.legend').innerHTML = [
  ['hatch', 'not written yet'], ['input', 'input'], ['seen', 'input that was read'],
  ['old', 'written before the last barrier'],
  ['new', 'written since'], ['read', 'is read now'], ['write', 'is written now'],
  ['slow', 'takes more turns than it must'],
  ['bad', 'reported: a race, a read of nothing'],
].map(([c, t]) => `<span><i class=${c}></i>${t}</span>`).join('') + '<span>colour: the warp, 32 threads</span>';
$('keys').textContent = 'Space: play. Left, right: one step. b or Shift and arrows: to a barrier. ' +
  'r: to the next report. ' +
  'Home, End. + and -: speed. 0 to 9: the warp whose lanes are drawn. Point at a cell to see what it holds. ' +
  'simt ran your kernel on the CPU and recorded every load and store of one block. Between two barriers all warps go ' +
  'side by side here, one request a step; on a GPU their order is open. ' +
  'Registers are not seen: m and l are derived from ' +
  'what your kernel put in place of the scores, where it keeps those in shared memory (red: not what Q and K give).';

$('file').textContent = data.file;
data.source.forEach((line, i) => {
  const row = document.createElement('div');
  row.id = `l${i + 1}`;
  row.textContent = `${String(i + 1).padStart(4)}  ${line}`;
  $('source').append(row);
});

const showReports = () => {
  for (const r of data.reports) {
    const box = document.createElement('p');
    box.className = r.severity;
    const where = r.accesses.map((a) => `${a.what} at line ${a.line}${a.thread ? ` by thread (${a.thread})` : ''}`);
    box.textContent = `${r.kind.replaceAll('_', ' ')}: ${r.place}: ${where.join('; ')}. ${r.message} ${r.advice}`;
    $('reports').append(box);
  }
};
// What m, l and the output say.
const showVerdict = (rows) => {
  $('verdict').textContent = rows.verdict;
  $('verdict').className = / wrong/.test(rows.verdict) ? 'error' : '';
};

const choose = (k) => {
  const launch = data.launches[k], [x, y, z] = launch.threads, threads = x * y * z;
  state.show = open(launch), state.step = 0;
  $('launch').value = k;
  $('what').textContent = `${launch.kernel}: block (${launch.block}) of a grid of (${launch.grid}); ` +
    `${threads} threads, ` +
    `${Math.ceil(threads / 32)} warps; ${launch.barriers.length} barrier${launch.barriers.length === 1 ? '' : 's'}.` +
    (launch.truncated ? ' The recording is full before the block ends.' : '');
  showVerdict(launch.rows);
  $('warp').innerHTML = '';
  for (let w = 0; w * 32 < threads; w++) $('warp').append(new Option(w, w));
  state.warp = 0;
  $('scrub').max = state.show.steps.length - 1;
};

const update = () => {
  const {show, step, warp} = state, now = show.steps[step] || {phase: 0, requests: []};
  goTo(show, step + 1);
  draw($('stage'), show, step, warp), drawTime($('time'), show, step);
  $('scrub').value = step, $('warp').value = warp;
  $('where').textContent = `step ${step + 1} of ${show.steps.length}, ` +
    `after barrier ${now.phase} of ${show.launch.barriers.length}`;
  $('now').innerHTML = '';
  const list = [...now.requests].sort((a, b) => (b.warp === warp) - (a.warp === warp) || a.warp - b.warp);
  for (const r of list.slice(0, 8)) {
    const item = document.createElement('li');
    item.innerHTML = `<b style="color:${colour(r.warp)}">warp ${r.warp}</b> <span></span>`;
    item.querySelector('span').textContent = `line ${r.line}: ${tell(show, r)}`;
    if (r.reported) item.className = 'error';
    $('now').append(item);
  }
  if (now.barrier) $('now').innerHTML = `<li><b>barrier ${now.barrier}</b>, line ${now.line}</li>`;
  if (list.length > 8) $('now').insertAdjacentHTML('beforeend', `<li>and ${list.length - 8} more warps</li>`);
  showLine(now.barrier ? [{line: now.line, warp: -1}] : list);
  history.replaceState(null, '', `#k=${$('launch').value}&step=${step}&warp=${warp}`);
};

const showLine = (list) => {
  for (const old of document.querySelectorAll('#source .at')) old.className = '', old.style.borderColor = '';
  for (const r of [...list].reverse()) {
    const row = $(`l${r.line}`);
    if (row) row.className = r.reported ? 'at wrong' : 'at', row.style.borderColor = r.warp < 0 ? INK : colour(r.warp);
  }
  const row = list.length && $(`l${list[0].line}`);
  if (row) $('source').scrollTop = row.offsetTop - $('source').clientHeight / 2;
};

const go = (step) => {
  state.step = Math.max(0, Math.min(state.show.steps.length - 1, step));
  update();
};
const pause = () => { clearTimeout(state.timer), state.timer = 0, $('play').textContent = 'play'; };
const tick = () => {
  if (state.step + 1 >= state.show.steps.length) return pause();
  go(state.step + 1);
  state.timer = setTimeout(tick, 1000 / $('speed').value * (state.show.steps[state.step].barrier ? 6 : 1));
};
const play = () => {
  if (state.timer) return pause();
  if (state.step + 1 >= state.show.steps.length) go(0);
  $('play').textContent = 'pause', state.timer = setTimeout(tick, 0);
};
const find = (from, way, is) => {
  let i = from + way;
  while (state.show.steps[i] && !is(state.show.steps[i])) i += way;
  return state.show.steps[i] ? i : way > 0 ? state.show.steps.length - 1 : 0;
};
const barrier = (way) => { pause(), go(find(state.step, way, (s) => s.barrier)); };
const isBad = (s) => s.requests.some((r) => r.reported);
const report = () => {
  pause();
  const next = find(state.step, 1, isBad), to = isBad(state.show.steps[next]) ? next : find(-1, 1, isBad);
  const bad = state.show.steps[to].requests.find((r) => r.reported);
  if (bad) state.warp = bad.warp, go(to);
};

const point = (event) => {
  const box = $('stage').getBoundingClientRect(), {show} = state;
  const x = event.clientX - box.left, y = event.clientY - box.top;
  const a = show.arrays.find((b) => x >= b.x && y >= b.y && x < b.x + b.columns * b.cell && y < b.y + b.rows * b.cell);
  const i = a ? Math.floor((y - a.y) / a.cell) * a.pitch + Math.floor((x - a.x) / a.cell) : -1;
  if (!a || i >= a.words) { $('tip').textContent = ''; return; }
  const w = a.first + i, m = show.memory[a.region];
  const by = m.warp[w] < 0 ? '' : `, written by thread ${m.thread[w]} (warp ${m.warp[w]}) at line ${m.line[w]}`;
  const from = m.source[w] < 0 ? '' : `, a copy of ${nameOf(show, m.source[w], m.from[w])}`;
  const holds = m.value[w] === null ? 'nothing yet' : m.value[w];
  $('tip').textContent = `${nameOf(show, a.region, w)} = ${holds}${by}${from}`;
};

const keys = {' ': play, ArrowRight: (e) => e.shiftKey ? barrier(1) : (pause(), go(state.step + 1)),
              ArrowLeft: (e) => e.shiftKey ? barrier(-1) : (pause(), go(state.step - 1)),
              b: () => barrier(1), r: report,
              Home: () => go(0), End: () => go(Infinity), '+': () => $('speed').value++, '-': () => $('speed').value--};
addEventListener('keydown', (e) => {
  if (e.ctrlKey || e.altKey || e.metaKey || e.target.tagName === 'SELECT') return;
  if (/^[0-9]$/.test(e.key) && Number(e.key) < $('warp').length) state.warp = Number(e.key), update();
  else if (keys[e.key]) keys[e.key](e);
  else return;
  e.preventDefault();
});
for (const [id, act] of [['first', () => go(0)], ['back', () => barrier(-1)],
                         ['left', () => go(state.step - 1)], ['play', play],
                         ['right', () => go(state.step + 1)], ['on', () => barrier(1)], ['fault', report]])
  $(id).addEventListener('click', act);
$('scrub').addEventListener('input', () => { pause(), go(Number($('scrub').value)); });
$('time').addEventListener('click', (e) => go(Math.floor(e.offsetX / $('time').clientWidth * state.show.steps.length)));
$('launch').addEventListener('change', () => { pause(), choose(Number($('launch').value)), update(); });
$('warp').addEventListener('change', () => { state.warp = Number($('warp').value), update(); });
$('stage').addEventListener('mousemove', point);
addEventListener('resize', () => update());

data.launches.forEach((l, k) => $('launch').append(new Option(l.kernel, k)));
$('launch').hidden = data.launches.length < 2;
showReports();
const wanted = new URLSearchParams(location.hash.slice(1));
const worst = data.launches.findIndex((l) => l.faults.length);
choose(Math.min(data.launches.length - 1, Number(wanted.get('k') ?? Math.max(0, worst))));
$('fault').hidden = !data.launches.some((l) => l.faults.length);
state.warp = Number(wanted.get('warp') ?? 0);
wanted.has('step') || worst < 0 ? go(Number(wanted.get('step') ?? 0)) : report();
