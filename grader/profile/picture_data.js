// picture_data.js: the recording, unpacked: what each warp did at each step, and what memory held then.
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const OPERATIONS = ['read', 'write', 'add to', 'copy to'];
const LOAD = 0;

// [start, step, count, ...] -> numbers
const unpack = (runs) => {
  const all = [];
  for (let i = 0; i < runs.length; i += 3)
    for (let k = 0; k < runs[i + 2]; k++) all.push(runs[i] + k * runs[i + 1]);
  return all;
};

// A request: one load or store of a warp. words[i] is the first word that lane lanes[i] touches; each touches `width`.
const requestOf = (launch, row) => {
  const [phase, warp, site, region, taken, least, reported, lanes, words, values, source, from] = row;
  const [line, op, bytes] = launch.sites[site];
  const shared = launch.regions[region].shared;
  return {phase, warp, line, op, region, taken, least, values, source, shared, reported: reported >>> 0,
          lanes: unpack(lanes), words: unpack(words), from: unpack(from), width: Math.max(1, bytes >> 2),
          slow: shared ? taken > least : taken > least + least / 4};
};

// All warps go side by side here, one request a step: on a GPU their order between two barriers is open.
const stepsOf = (requests, barriers) => {
  const steps = [], phases = barriers.length + 1;
  for (let phase = 0; phase < phases; phase++) {
    const ofWarp = new Map();
    for (const r of requests)
      if (r.phase === phase) ofWarp.has(r.warp) ? ofWarp.get(r.warp).push(r) : ofWarp.set(r.warp, [r]);
    const most = Math.max(0, ...[...ofWarp.values()].map((list) => list.length));
    for (let t = 0; t < most; t++)
      steps.push({phase, requests: [...ofWarp.values()].filter((list) => t < list.length).map((list) => list[t])});
    if (phase < phases - 1) steps.push({phase, requests: [], barrier: phase + 1, line: barriers[phase]});
  }
  return steps;
};

// What is drawn: each array with the state of its cells.
const open = (launch) => {
  const requests = launch.seen.map((row) => requestOf(launch, row));
  const steps = stepsOf(requests, launch.barriers);
  const arrays = launch.drawn.map((d) => ({...d, rows: Math.ceil(d.words / d.pitch), columns: d.pitch,
                                           shared: launch.regions[d.region].shared}));
  const at = launch.regions.map((r) => new Int16Array(r.words).fill(-1));
  arrays.forEach((a, i) => at[a.region].fill(i, a.first, a.first + a.words));
  return {launch, requests, steps, arrays, at, memory: null, done: 0,
          output: launch.regions.findIndex((r) => r.name === data.output)};
};

// Memory as the block finds it.
const fresh = (show) => show.launch.regions.map((r) => ({
  value: r.before ? r.before.slice() : new Array(r.words).fill(null),
  warp: new Int16Array(r.words).fill(-1), thread: new Int16Array(r.words).fill(-1),
  phase: new Int16Array(r.words).fill(-1), line: new Int32Array(r.words),
  read: new Uint8Array(r.words), bad: new Uint8Array(r.words),
  source: new Int16Array(r.words).fill(-1), from: new Int32Array(r.words)}));

const apply = (show, request) => {
  const m = show.memory[request.region];
  request.words.forEach((word, i) => {
    const lane = request.lanes[i];
    for (let k = 0; k < request.width; k++) {
      const w = word + k;
      if (request.reported >>> lane & 1) m.bad[w] = 1;
      if (request.op === LOAD) { m.read[w] = 1; continue; }
      m.value[w] = request.values[i * request.width + k];
      m.warp[w] = request.warp, m.thread[w] = request.warp * 32 + lane, m.phase[w] = request.phase;
      m.line[w] = request.line;
      m.source[w] = request.source === null ? -1 : request.source;
      if (request.from.length) m.from[w] = request.from[i] + k;
    }
  });
};

// Memory after `step` steps are done.
const goTo = (show, step) => {
  if (!show.memory || step < show.done) show.memory = fresh(show), show.done = 0;
  for (; show.done < step; show.done++) for (const r of show.steps[show.done].requests) apply(show, r);
};

// "K[3][5]" for a word of a region.
const nameOf = (show, region, word) => {
  const a = show.arrays[show.at[region][word]];
  if (!a) return '?';
  const w = word - a.first;
  return `${a.name}[${Math.floor(w / a.pitch)}][${w % a.pitch}]`;
};

// What a request does, in words.
const tell = (show, r) => {
  const a = show.arrays[show.at[r.region][r.words[0]]];
  if (!a) return '';
  const rows = r.words.map((w) => Math.floor((w - a.first) / a.pitch));
  const columns = r.words.map((w) => (w - a.first) % a.pitch);
  const span = (v, more) => {
    const low = Math.min(...v), high = Math.max(...v) + more;
    return low === high ? `${low}` : `${low}..${high}`;
  };
  const different = new Set(r.words).size, n = r.words.length;
  const place = `${a.name}[${span(rows, 0)}][${span(columns, r.width - 1)}]`;
  const sharing = different === 1 && n > 1 ? ', all the same element'
                : different < n ? `, ${different} different elements` : '';
  const unit = r.shared ? 'wavefront' : 'sector';
  const cost = r.slow ? `${r.taken} ${unit}s, ${r.least} would do: ${r.shared ? 'bank conflict' : 'not coalesced'}`
                      : `${r.taken} ${unit}${r.taken === 1 ? '' : 's'}`;
  const from = r.source === null || !r.from.length ? '' : `, copied from ${nameOf(show, r.source, r.from[0])} ...`;
  const first = r.warp * 32 + r.lanes[0], last = r.warp * 32 + r.lanes[n - 1];
  const all = `${last - first === n - 1 ? '' : `${n} of `}threads ${first}..${last}`;
  const who = n === 1 ? `thread ${first}:` : all;
  return `${who} ${OPERATIONS[r.op]} ${place}${from}${sharing} (${cost})`;
};
