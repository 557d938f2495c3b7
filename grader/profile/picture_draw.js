// picture_draw.js: arrays as grids of cells, the lanes of a warp, and the line of time.
'use strict';
// Okabe and Ito's colours, without those that may be taken for the red of a report. A warp also has its number.
const WARPS = ['#0072b2', '#b87700', '#007a5a', '#a8508a', '#3593c4', '#5e3c99', '#6b6100', '#444444'];
const RED = '#c00000', SLOW = '#d94801', INK = '#1c2126', DIM = '#5b6570';
const colour = (warp) => WARPS[warp % WARPS.length];
const LEFT = 34, TOP = 34, GAP = 14, BAR = 36;  // room for indices and titles; a bar of m or l

const LETTER = 7;  // its width in a title, at most on average
const title = (a) => `${a.name}  ${a.rows} x ${a.columns}${a.shared ? '' : '  (global)'}`;

// Where each array stands: global memory above, shared memory below, the lanes between them.
const layOut = (show, width) => {
  const groups = [show.arrays.filter((a) => !a.shared), show.arrays.filter((a) => a.shared)];
  const rows = show.launch.rows.tiles.length ? 2 * BAR + 16 : 0;
  const fits = (group, extra) =>
      (width - group.length * (LEFT + GAP) - extra) / Math.max(1, group.reduce((n, a) => n + a.columns, 0));
  const most = groups.map((group) => Math.max(0, ...group.map((a) => a.rows)));
  const high = (Math.max(window.innerHeight, 860) - 400) / (most[0] + most[1]);
  const cell = Math.max(3, Math.min(12, Math.floor(Math.min(fits(groups[0], 0), fits(groups[1], rows), high))));
  let y = 0;
  groups.forEach((group, i) => {
    let x = 0, high = 0;
    for (const a of group) {
      const w = LEFT + Math.max(a.columns * cell, title(a).length * LETTER - 10) + GAP;
      if (x && x + w > width) x = 0, y += high + 8, high = 0;
      Object.assign(a, {x: x + LEFT, y: y + TOP, cell});
      x += w + (a.name === 'shared: computed' ? rows : 0);
      high = Math.max(high, TOP + a.rows * cell + 18);
    }
    y += high;
    if (i === 0) show.lanesY = y + 8, y += 44;
  });
  show.height = y + 6;
};

const text = (c, s, x, y, fill = INK, font = '12px system-ui, sans-serif', align = 'left') => {
  c.fillStyle = fill, c.font = font, c.textAlign = align;
  c.fillText(s, x, y);
};

const hatch = (c) => {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 5;
  const t = tile.getContext('2d');
  t.fillStyle = '#fff', t.fillRect(0, 0, 5, 5), t.strokeStyle = '#d5d9dd';
  t.beginPath(), t.moveTo(0, 5), t.lineTo(5, 0), t.stroke();
  return c.createPattern(tile, 'repeat');
};

const drawArray = (c, show, a, phase, unwritten) => {
  const m = show.memory[a.region], s = a.cell;
  text(c, title(a), a.x, a.y - 18, INK, '600 12px system-ui, sans-serif');
  const every = s >= 8 ? 4 : 8;
  for (let i = 0; i < a.columns; i += every) text(c, i, a.x + (i + 0.5) * s, a.y - 4, DIM, '10px monospace', 'center');
  for (let i = 0; i < a.rows; i += every) text(c, i, a.x - 4, a.y + (i + 0.8) * s, DIM, '10px monospace', 'right');
  c.fillStyle = unwritten, c.fillRect(a.x, a.y, a.columns * s, a.rows * s);
  for (let i = 0; i < a.words; i++) {
    const w = a.first + i, x = a.x + i % a.pitch * s, y = a.y + Math.floor(i / a.pitch) * s;
    if (m.warp[w] >= 0) {
      c.globalAlpha = 1, c.fillStyle = '#fff', c.fillRect(x, y, s, s);
      c.globalAlpha = m.phase[w] === phase ? 0.5 : 0.25, c.fillStyle = colour(m.warp[w]);
      c.fillRect(x, y, s, s);
    } else if (m.value[w] !== null) {
      c.globalAlpha = 1, c.fillStyle = m.read[w] ? '#cfd6dd' : '#eef0f2', c.fillRect(x, y, s, s);
    }
    c.globalAlpha = 1;
    if (m.bad[w]) cross(c, x, y, s);
  }
  const wrong = a.region === show.output ? show.launch.rows.wrong_output : -1;
  if (wrong >= 0 && m.warp[a.first + wrong * a.pitch] >= 0)
    text(c, `\u25c0 row ${wrong}`, a.x + a.columns * s + 2, a.y + (wrong + 0.9) * s, RED,
         '600 11px system-ui, sans-serif'),
    c.strokeStyle = RED, c.lineWidth = 2, c.strokeRect(a.x, a.y + wrong * s, a.columns * s, s);
  c.strokeStyle = '#8a949e', c.lineWidth = 1, c.strokeRect(a.x - 0.5, a.y - 0.5, a.columns * s + 1, a.rows * s + 1);
};

const cross = (c, x, y, s) => {
  c.strokeStyle = RED, c.lineWidth = 2;
  c.strokeRect(x, y, s, s);
  c.beginPath(), c.moveTo(x, y), c.lineTo(x + s, y + s), c.moveTo(x + s, y), c.lineTo(x, y + s), c.stroke();
};

const cellAt = (show, region, word) => {
  const a = show.arrays[show.at[region][word]];
  if (!a) return null;
  const i = word - a.first;
  return {x: a.x + i % a.pitch * a.cell, y: a.y + Math.floor(i / a.pitch) * a.cell, s: a.cell};
};

// What happens at this step: reads are rings, writes are full. Slow requests have an orange border.
const drawRequest = (c, show, r, chosen) => {
  c.globalAlpha = chosen ? 1 : 0.75;
  for (const word of r.words)
    for (let k = 0; k < r.width; k++) {
      const p = cellAt(show, r.region, word + k);
      if (!p) continue;
      c.fillStyle = colour(r.warp), c.fillRect(p.x, p.y, p.s, p.s);
      if (r.op === LOAD) c.fillStyle = '#fff', c.fillRect(p.x + 2, p.y + 2, Math.max(1, p.s - 4), Math.max(1, p.s - 4));
      if (r.slow) c.strokeStyle = SLOW, c.lineWidth = 1.5, c.strokeRect(p.x - 0.5, p.y - 0.5, p.s + 1, p.s + 1);
    }
  c.globalAlpha = 1;
  r.lanes.forEach((lane, i) => {
    const p = r.reported >>> lane & 1 ? cellAt(show, r.region, r.words[i]) : null;
    if (p) cross(c, p.x - 1, p.y - 1, p.s + 2);
  });
};

// The 32 lanes of the chosen warp, each with a line to the element that it touches.
const drawLanes = (c, show, r, warp, width) => {
  const size = Math.min(22, Math.floor((width - LEFT - 80) / 32)), y = show.lanesY;
  text(c, `warp ${warp}`, 2, y + 13, colour(warp), '600 12px system-ui, sans-serif');
  for (let lane = 0; lane < 32; lane++) {
    const x = LEFT + 30 + lane * size, i = r ? r.lanes.indexOf(lane) : -1;
    c.fillStyle = i >= 0 ? colour(warp) : '#eef0f2', c.fillRect(x, y, size - 2, 18);
    text(c, lane, x + size / 2 - 1, y + 13, i >= 0 ? '#fff' : DIM, '10px monospace', 'center');
    const p = i >= 0 ? cellAt(show, r.region, r.words[i]) : null;
    if (!p) continue;
    const below = p.y > y, wrong = r.reported >>> lane & 1;
    c.strokeStyle = wrong ? RED : colour(warp), c.lineWidth = wrong ? 2 : 0.8, c.globalAlpha = wrong ? 1 : 0.6;
    c.beginPath(), c.moveTo(x + size / 2, below ? y + 18 : y), c.lineTo(p.x + p.s / 2, p.y + p.s / 2), c.stroke();
    c.globalAlpha = 1;
  }
};

// m and l of each row beside the scores, as bars from the smallest to the largest; red where they are wrong.
const drawRows = (c, show, phase, ended) => {
  const a = show.arrays.find((x) => x.name === 'shared: computed'), rows = show.launch.rows;
  const tile = rows.tiles.filter((t) => t.phase < phase || (t.phase === phase && ended)).pop();
  if (!a || !rows.tiles.length) return;
  ['m', 'l'].forEach((name, k) => {
    const x = a.x + a.columns * a.cell + 14 + k * (BAR + 8);
    text(c, name, x, a.y - 4, INK, '600 12px system-ui, sans-serif');
    c.strokeStyle = '#c3c9cf', c.lineWidth = 1, c.strokeRect(x - 0.5, a.y - 0.5, BAR + 1, a.rows * a.cell + 1);
    const known = tile ? tile.row.filter((r) => r && typeof r[k] === 'number').map((r) => r[k]) : [];
    const low = Math.min(0, ...known), high = Math.max(1e-6, ...known);
    if (tile) tile.row.forEach((r, i) => {
      if (!r) return;
      const number = typeof r[k] === 'number', bad = r[5] || !number;
      const share = number ? (r[k] - low) / (high - low) : 1;
      c.fillStyle = bad ? RED : '#55606b';
      c.fillRect(x, a.y + i * a.cell + 0.5, Math.max(1, share * BAR), a.cell - 1);
    });
  });
  text(c, tile ? `after keys 0..${tile.keys - 1}` : '', a.x + a.columns * a.cell + 14,
       a.y + a.rows * a.cell + 12, DIM, '11px system-ui, sans-serif');
};

const draw = (canvas, show, step, warp) => {
  const width = canvas.parentElement.clientWidth, ratio = window.devicePixelRatio || 1;
  layOut(show, width);
  canvas.width = width * ratio, canvas.height = show.height * ratio;
  canvas.style.width = `${width}px`, canvas.style.height = `${show.height}px`;
  const c = canvas.getContext('2d'), now = show.steps[step] || {phase: 0, requests: []}, unwritten = hatch(c);
  c.scale(ratio, ratio);
  for (const a of show.arrays) drawArray(c, show, a, now.phase, unwritten);
  const chosen = now.requests.find((r) => r.warp === warp);
  for (const r of now.requests) if (r !== chosen) drawRequest(c, show, r, false);
  if (chosen) drawRequest(c, show, chosen, true);
  drawLanes(c, show, chosen, warp, width);
  drawRows(c, show, now.phase, now.barrier || step === show.steps.length - 1);
  if (now.barrier) {
    c.fillStyle = 'rgba(28,33,38,.9)', c.fillRect(0, show.lanesY - 4, width, 28);
    text(c, `barrier ${now.barrier}, line ${now.line}: every thread of the block waits here for all others`, LEFT + 8,
         show.lanesY + 14, '#fff', '600 13px system-ui, sans-serif');
  }
};

// The line of time: how many warps are at work, barriers as bars, slow requests orange, reports red.
const drawTime = (canvas, show, step) => {
  const width = canvas.parentElement.clientWidth, height = 54, ratio = window.devicePixelRatio || 1;
  canvas.width = width * ratio, canvas.height = height * ratio;
  canvas.style.width = `${width}px`, canvas.style.height = `${height}px`;
  const c = canvas.getContext('2d'), n = show.steps.length;
  const warps = Math.max(1, ...show.steps.map((s) => s.requests.length));
  c.scale(ratio, ratio);
  c.fillStyle = '#eef0f2', c.fillRect(0, 8, width, 34);
  show.steps.forEach((s, i) => {
    const x = i / n * width, w = Math.max(1, width / n), high = s.requests.length / warps * 30;
    c.fillStyle = '#9fb4c7', c.fillRect(x, 42 - high, w, high);
    if (s.requests.some((r) => r.slow)) c.fillStyle = SLOW, c.fillRect(x, 43, w, 4);
    if (s.requests.some((r) => r.reported)) c.fillStyle = RED, c.fillRect(x - 1, 0, Math.max(3, w), 42);
    if (s.barrier) c.fillStyle = INK, c.fillRect(x, 4, 3, 42);
  });
  const x = (step + 0.5) / n * width;
  c.strokeStyle = INK, c.lineWidth = 2, c.beginPath(), c.moveTo(x, 0), c.lineTo(x, 54), c.stroke();
  c.fillStyle = INK, c.beginPath(), c.moveTo(x - 6, 54), c.lineTo(x + 6, 54), c.lineTo(x, 46), c.fill();
};
