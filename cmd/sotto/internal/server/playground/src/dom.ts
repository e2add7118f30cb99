// Small pieces of the page. Text goes in as text: no markup is ever parsed.

export function find<T extends HTMLElement>(id: string): T {
  const e = document.getElementById(id);
  if (e === null) throw new Error(`the page has no ${id}`);
  return e as T;
}

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, className = '', text = ''): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  if (className !== '') e.className = className;
  if (text !== '') e.textContent = text;
  return e;
}

// tell shows a message in an element that is hidden while it has none.
export function tell(e: HTMLElement, message: string): void {
  e.textContent = message;
  e.hidden = message === '';
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const few = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });

// What may be lost is never rounded down, what is left never up.
const rounding = (roundingMode: 'ceil' | 'floor'): Intl.NumberFormat => new Intl.NumberFormat('en', { maximumSignificantDigits: 6, roundingMode } as Intl.NumberFormatOptions);
const upwards = rounding('ceil');
const downwards = rounding('floor');
export const atMost = (v: number): string => upwards.format(v);
export const atLeast = (v: number): string => downwards.format(v);

export const count = (n: number): string => whole.format(n);
export const number = (v: number): string => few.format(v);

export function percent(p: number): string {
  const v = p * 100;
  if (v === 0) return '0\u00a0%';
  if (v < 0.001) return '<\u00a00.001\u00a0%';
  if (p < 1 && v > 99.9) return '>\u00a099.9\u00a0%';
  const digits = v < 0.1 ? 3 : v < 10 ? 2 : 1;
  return `${v.toFixed(digits)}\u00a0%`;
}

// percentAtMost rounds up: an upper bound is never shown smaller than it is.
export const percentAtMost = (p: number): string => `${(Math.ceil(p * 1000 - 1e-9) / 10).toFixed(1)}\u00a0%`;

// unbroken keeps numbers and their signs of per cent on one line.
export const unbroken = (s: string): string => s.replaceAll(' %', '\u00a0%');

export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

// The words of some tables are pieces of words, which the page then calls pieces.
let pieces = false;
export function namePieces(are: boolean): void {
  pieces = are;
  for (const e of document.querySelectorAll<HTMLElement>('[data-named]')) e.textContent = named(e.dataset['named'] ?? '');
}

// named puts the name of what the table has in place of "word".
export const named = (s: string): string =>
  pieces ? s.replace(/\b([Ww])ord(s?)\b/g, (_, w: string, many: string) => `${w === 'W' ? 'P' : 'p'}iece${many}`) : s;
