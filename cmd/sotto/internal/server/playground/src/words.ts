// The private copy: one button for each word, one of which is in the tab order;
// arrow keys move between them.

import type { ReadWord } from './api';
import { count, find, make, named } from './dom';

// mostShown bounds the words that become buttons; the page says how many more.
const mostShown = 2000;

const stays = (word: ReadWord, piece = ''): boolean => piece.trimStart().toLowerCase() === word.word.toLowerCase();

export class Words {
  private readonly box = find('words');
  private buttons: HTMLButtonElement[] = [];
  private read: ReadWord[] = [];
  private at = -1;
  private kept = 0;
  language = ''; // of the words; empty if it is not known

  constructor(private readonly chosen: (word: ReadWord, drawn: string | null) => void, private readonly left: () => void) {
    this.box.addEventListener('keydown', (e) => this.key(e));
    const follow = (e: Event): void => {
      const button = (e.target as Element).closest('button');
      if (button !== null) this.choose(this.buttons.indexOf(button));
    };
    for (const kind of ['pointerover', 'focusin', 'click']) this.box.addEventListener(kind, follow);
  }

  // show puts up words, drawn or not: pieces is null where nothing was drawn.
  show(read: ReadWord[], pieces: string[] | null): void {
    const focused = this.box.contains(document.activeElement);
    const at = this.at;
    this.read = read;
    this.kept = pieces === null ? 0 : read.filter((word, i) => word.known && stays(word, pieces[i])).length;
    this.buttons = read.slice(0, mostShown).map((word, i) => this.button(word, pieces === null ? null : (pieces[i] ?? '')));
    const more = read.length - this.buttons.length;
    find('stayed').hidden = !this.buttons.some((b) => b.classList.contains('stayed'));
    this.box.replaceChildren(...this.buttons, ...(more > 0 ? [make('p', 'hint', named(`and ${count(more)} more words, which are replaced but not shown here`))] : []));
    this.at = -1;
    this.mark(Math.min(at, this.buttons.length - 1));
    const here = this.buttons[Math.max(0, this.at)];
    if (here !== undefined) here.tabIndex = 0;
    if (focused) here?.focus();
    else if (this.at >= 0) this.tellChosen();
  }

  private button(word: ReadWord, piece: string | null): HTMLButtonElement {
    const b = make('button', 'word');
    b.type = 'button';
    b.tabIndex = -1;
    const now = piece === null ? '' : piece.trimStart();
    if (piece !== null && piece === now) b.classList.add('joined');
    if (!word.known) b.classList.add('unknown');
    const stayed = piece !== null && stays(word, piece);
    if (stayed) b.classList.add('stayed');
    if (piece === null) b.classList.add('undrawn');
    b.dataset['drawn'] = now;
    const [shown, was] = [make('span', 'now', piece === null ? '·····' : now), make('span', 'was', word.known ? word.word : 'not in table')];
    shown.lang = this.language;
    if (word.known) was.lang = this.language;
    b.append(shown, was);
    const read = word.known ? word.word : named('a word that the table lacks');
    b.setAttribute('aria-label', piece === null ? `${read}, not drawn` : stayed ? `${now}, stayed` : `${now}, for ${read}`);
    return b;
  }

  // point chooses a word without taking the focus.
  point(i: number): void {
    this.choose(Math.min(i, this.buttons.length - 1));
  }

  private choose(i: number): void {
    if (i < 0) return;
    const before = this.at;
    this.mark(i);
    if (before !== i) this.tellChosen();
  }

  private mark(i: number): void {
    for (const [n, b] of this.buttons.entries()) {
      b.tabIndex = n === i ? 0 : -1;
      b.classList.toggle('chosen', n === i);
      if (n === i) b.setAttribute('aria-current', 'true');
      else b.removeAttribute('aria-current');
    }
    this.at = i;
  }

  private tellChosen(): void {
    const word = this.read[this.at];
    const button = this.buttons[this.at];
    if (word === undefined || button === undefined) return;
    this.chosen(word, button.classList.contains('undrawn') ? null : (button.dataset['drawn'] ?? null));
  }

  // stayed counts the drawn words that stayed as they were. Whoever reads an unknown entry
  // does not read the word.
  stayed(): number {
    return this.kept;
  }

  // undrawn reports whether words are shown that are not drawn.
  undrawn(): boolean {
    return this.buttons.some((b) => b.classList.contains('undrawn'));
  }

  looking(): boolean {
    return this.at >= 0;
  }

  // clear forgets the word that was chosen.
  clear(): void {
    this.mark(-1);
    const first = this.buttons[0];
    if (first !== undefined) first.tabIndex = 0;
  }

  private key(e: KeyboardEvent): void {
    const last = this.buttons.length - 1;
    const here = this.buttons.findIndex((b) => b === document.activeElement);
    if (here < 0) return;
    // The next word of a script that is written from right to left is on the left.
    const onwards = getComputedStyle(this.box).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    let to: number;
    switch (e.key) {
      case 'ArrowRight':
      case 'ArrowLeft': to = e.key === onwards ? Math.min(here + 1, last) : Math.max(here - 1, 0); break;
      case 'ArrowDown': to = this.line(here, 1); break;
      case 'ArrowUp': to = this.line(here, -1); break;
      case 'Home': to = 0; break;
      case 'End': to = last; break;
      case 'Escape':
        this.clear();
        this.left();
        return;
      default: return;
    }
    e.preventDefault();
    this.buttons[to]?.focus();
  }

  // line finds the word nearest below or above.
  private line(here: number, way: 1 | -1): number {
    const from = this.buttons[here]?.getBoundingClientRect();
    if (from === undefined) return here;
    const middle = from.left + from.width / 2;
    let best = here, top = 0, near = Infinity;
    for (let i = here + way; i >= 0 && i < this.buttons.length; i += way) {
      const r = this.buttons[i]!.getBoundingClientRect();
      if ((r.top - from.top) * way < from.height / 2) continue;
      if (best !== here && Math.abs(r.top - top) > r.height / 2) break;
      top = r.top;
      const d = Math.abs(r.left + r.width / 2 - middle);
      if (d < near) [best, near] = [i, d];
    }
    return best;
  }
}
