// The frontier: rows that the service computed, and where the page stands.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Figures, Row } from './api';
import { find, make, named, number, percent } from './dom';

const box = find('plot');
const legend = find('legend');
const table = find('figures');

let plot: uPlot | null = null;

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

interface Line {
  name: string;
  ink: string;
  points: [number, number][];
  dash?: number[];
  fill?: string;
  width?: number;
  dots?: boolean;
}

interface Picture {
  x: string;
  y: string;
  log: boolean;
  share: boolean; // both axes, or the second one, are probabilities
  shareX: boolean;
  lines: Line[];
  here: [number, number][];
}

const guess = (r: Row): number => r.attack_success ?? r.attack_success_low;

// byEpsilon shows one member at all its stops.
export function byEpsilon(f: Figures, unit: string): void {
  const rows = [...f.curve.filter((r) => r.epsilon !== f.row.epsilon), f.row].sort((a, b) => a.epsilon - b.epsilon);
  const log = (rows.at(-1)?.epsilon ?? 1) / (rows[0]?.epsilon ?? 1) > 50;
  const lines: Line[] = [];
  if (f.limits.length > 0) {
    lines.push({ name: 'limit of any mechanism', ink: colour('--limit'), points: f.limits.map((l) => [l.epsilon, l.unchanged]), width: 1.5 });
  }
  lines.push(
    { name: named('unchanged words'), ink: colour('--accent'), points: rows.map((r) => [r.epsilon, r.unchanged]), width: 4 },
    { name: f.row.sampled === null ? 'best guess without a model' : 'best guess without a model, at least', ink: colour('--risk'), points: rows.map((r) => [r.epsilon, guess(r)]), dash: [6, 4], width: 2 },
  );
  draw({ x: unit, y: named('share of words'), log, share: true, shareX: false, lines, here: [[f.row.epsilon, f.row.unchanged], [f.row.epsilon, guess(f.row)]] });
  describe(named(`At epsilon ${number(f.row.epsilon)}, ${percent(f.row.unchanged)} of words stay unchanged and the best guess without a model recovers ${percent(guess(f.row))}.`));
  fill(rows, f.row);
}

// byRisk compares members at what an attacker guesses: lower is better.
export function byRisk(f: Figures, all: Row[][]): void {
  const inks = ['--accent', '--risk', '--third', '--fourth', '--fifth'].map(colour);
  const lines = all.map((rows, i): Line => {
    const sorted = [...rows].sort((a, b) => guess(a) - guess(b));
    return { name: rows[0]?.mechanism ?? '', ink: inks[i % inks.length]!, points: sorted.map((r) => [guess(r), r.expected_distance]), width: 2, dots: true, ...(i % 2 === 1 ? { dash: [6, 4] } : {}) };
  });
  draw({ x: named('best guess without a model (share of words)'), y: 'mean distance', log: false, share: false, shareX: true, lines, here: [[guess(f.row), f.row.expected_distance]] });
  describe(named(`At the risk of ${percent(guess(f.row))}, ${f.row.mechanism} moves words by ${number(f.row.expected_distance)} on average; a smaller distance keeps more meaning.`));
  fill(all.flat(), f.row);
}

function describe(text: string): void {
  box.setAttribute('aria-label', text);
}

// wait empties the plot while its figures are computed.
export function noPlot(why: string): void {
  plot?.destroy();
  plot = null;
  box.replaceChildren(make('p', 'hint', why));
  legend.replaceChildren();
  table.replaceChildren();
  describe(why);
}

function draw(p: Picture): void {
  const ink = colour('--muted');
  const grid = { stroke: colour('--line'), width: 1 };
  const font = '12px system-ui, sans-serif';
  const tables = p.lines.map((l): uPlot.AlignedData => [l.points.map((q) => q[0]), l.points.map((q) => q[1])]);
  const data = uPlot.join(tables, tables.map(() => [2])); // gaps of one line at another's points are spanned
  const axis = { stroke: ink, font, labelFont: font, grid, ticks: grid, labelSize: 22, labelGap: 2 };
  const shares = (_: uPlot, v: number[]): string[] => v.map((s) => `${Math.round(s * 100)}%`);
  const options: uPlot.Options = {
    width: box.clientWidth,
    height: 260,
    padding: [10, 14, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: { x: p.log ? { time: false, distr: 3 } : { time: false }, y: p.share ? { range: [0, 1] } : { range: (_u, _low, high) => [0, high * 1.05] } },
    axes: [
      { ...axis, label: p.x, size: 34, ...(p.shareX ? { values: shares } : p.log ? { values: (_: uPlot, v: (number | null)[]): string[] => v.map((s) => (s !== null && Number.isInteger(Math.log10(s)) ? String(s) : '')) } : {}) },
      { ...axis, label: p.y, size: 44, ...(p.share ? { values: shares } : {}) },
    ],
    series: [{}, ...p.lines.map((l): uPlot.Series => ({
      label: l.name,
      stroke: l.ink,
      width: l.width ?? 2,
      spanGaps: true,
      points: { show: l.dots ?? false, size: 4, fill: l.ink },
      ...(l.dash === undefined ? {} : { dash: l.dash }),
    }))],
    hooks: { draw: [(u) => mark(u, p.here)] },
  };
  plot?.destroy();
  box.replaceChildren();
  plot = new uPlot(options, data, box);
  const you = make('li', 'you', 'you are here');
  legend.replaceChildren(...p.lines.map((l) => {
    const item = make('li', l.dash === undefined ? '' : 'dashed', l.name);
    item.style.setProperty('--ink-of', l.ink);
    return item;
  }), you);
}

// mark draws where the page stands, over the lines.
function mark(u: uPlot, here: [number, number][]): void {
  const c = u.ctx;
  const scale = devicePixelRatio;
  c.save();
  c.setLineDash([]);
  c.strokeStyle = colour('--ink');
  c.fillStyle = colour('--surface');
  const first = here[0];
  if (first !== undefined) {
    const x = u.valToPos(first[0], 'x', true);
    c.globalAlpha = 0.35;
    c.lineWidth = scale;
    c.beginPath();
    c.moveTo(x, u.bbox.top);
    c.lineTo(x, u.bbox.top + u.bbox.height);
    c.stroke();
    c.globalAlpha = 1;
  }
  c.lineWidth = 2.5 * scale;
  for (const [vx, vy] of here) {
    c.beginPath();
    c.arc(u.valToPos(vx, 'x', true), u.valToPos(vy, 'y', true), 5.5 * scale, 0, 2 * Math.PI);
    c.fill();
    c.stroke();
  }
  c.restore();
}

function fill(rows: Row[], here: Row): void {
  const head = make('thead');
  const names = make('tr');
  for (const name of ['mechanism', 'epsilon', 'unchanged', 'best guess', 'distance']) {
    const th = make('th', '', name);
    th.scope = 'col';
    names.append(th);
  }
  head.append(names);
  const body = make('tbody');
  for (const r of rows) {
    const row = make('tr', r.mechanism === here.mechanism && r.epsilon === here.epsilon ? 'here' : '');
    const low = r.attack_success === null ? '≥ ' : '';
    for (const cell of [r.mechanism, number(r.epsilon), percent(r.unchanged), low + percent(guess(r)), number(r.expected_distance)]) row.append(make('td', '', cell));
    body.append(row);
  }
  table.replaceChildren(head, body);
}

new ResizeObserver(() => {
  if (plot !== null && box.clientWidth > 0 && plot.width !== box.clientWidth) plot.setSize({ width: box.clientWidth, height: 260 });
}).observe(box);
