// Marks: the text with what is marked in it, and the copy with what was drawn in its place,
// each in the colour of its type and with the name of the type.

import type { Mark, Reading } from './api';
import { clearDetail } from './detail';
import { count, find, make, number, plural, tell } from './dom';

const text = find<HTMLTextAreaElement>('text');
const type = find<HTMLSelectElement>('mark-type');
const shapes = find<HTMLInputElement>('mark-shapes');
const own = find('mark-own');
const said = find('mark-said');

// Of what is shown for words, whole texts and accounts.
const others = ['detail', 'risk', 'options'];
const hidden = ['originals-label', 'words', 'stand-in', 'words-hint', 'frontier'];

export const markSample = 'Dr. Mary Furth saw Anna Kowalczyk on 2024-03-17 at 14:05 in Boston. Call 617-555-0143 or write to anna@kowalczyk.example about the bill of $240.';
const names: [string, string][] = [['Mary Furth', 'PERSON'], ['Anna Kowalczyk', 'PERSON'], ['Boston', 'LOCATION']];

export class Marks {
  private given: Mark[] = []; // by the reader
  private before = ''; // the text that they are places of

  constructor(private readonly changed: () => void) {
    find('mark-add').addEventListener('click', () => this.add());
    shapes.addEventListener('change', () => changed());
    text.addEventListener('input', () => this.follow());
  }

  // offer lists the types, whose order decides their colours.
  offer(types: string[]): void {
    type.replaceChildren(...types.map((t) => new Option(t, t)));
    type.value = types.includes('PERSON') ? 'PERSON' : types[0] ?? '';
  }

  // arrange shows what belongs to marks, or hides it.
  arrange(on: boolean): void {
    for (const id of ['mark-tools', 'marked']) find(id).hidden = !on;
    for (const id of others) find(id).hidden = on;
    if (!on) return;
    for (const id of hidden) find(id).hidden = true;
    clearDetail();
    find('lead').textContent = 'One draw per mark, within its type: a name by a name, a date by a date. What is not marked stays in clear.';
  }

  // sample marks the names of the sample, which have no shape to be found by.
  sample(): void {
    this.given = names.map(([name, t]) => ({ start: markSample.indexOf(name), end: markSample.indexOf(name) + name.length, entity_type: t }));
    this.before = markSample;
    this.list();
  }

  // asked returns the marks of the reader, and whether others are to be found by their shape.
  asked(): { spans: [Mark[]]; mark_patterns: boolean } {
    return { spans: [this.given], mark_patterns: shapes.checked };
  }

  private add(): void {
    const chosen = text.value.slice(text.selectionStart, text.selectionEnd);
    if (chosen.trim() === '') {
      tell(said, 'Select a part of your text first.');
      return;
    }
    const from = text.selectionStart + chosen.length - chosen.trimStart().length;
    const start = [...text.value.slice(0, from)].length; // places are in characters
    const end = start + [...chosen.trim()].length;
    this.given = [...this.given.filter((m) => m.end <= start || m.start >= end), { start, end, entity_type: type.value }].sort((a, b) => a.start - b.start);
    this.before = text.value;
    tell(said, `Marked as ${type.value}.`);
    this.list();
    this.changed();
  }

  // follow moves marks with an edit of the text. One that was edited itself is dropped.
  private follow(): void {
    const [a, b] = [[...this.before], [...text.value]];
    const shorter = Math.min(a.length, b.length);
    let head = 0, tail = 0;
    while (head < shorter && a[head] === b[head]) head++;
    while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
    const moved = b.length - a.length;
    this.given = this.given.flatMap((m) => (m.end <= head ? [m] : m.start >= a.length - tail ? [{ ...m, start: m.start + moved, end: m.end + moved }] : []));
    this.before = text.value;
    tell(said, '');
    this.list();
  }

  private list(): void {
    const letters = [...text.value];
    own.replaceChildren(...this.given.map((m) => {
      const item = make('li');
      const b = make('button', '', `Unmark ${letters.slice(m.start, m.end).join('')}, ${m.entity_type}`);
      b.type = 'button';
      b.addEventListener('click', () => {
        this.given = this.given.filter((other) => other !== m);
        tell(said, 'The mark was removed.');
        this.list();
        type.focus();
        this.changed();
      });
      item.append(b);
      return item;
    }));
  }

  // show puts up a reading beside the pieces of its copy: copied and drawn parts in turn.
  show(of: string, read: Reading, pieces: string[]): void {
    const marks = read.results[0]?.marks ?? [];
    const types = read.statement.types ?? {};
    const letters = [...of];
    const before: Node[] = [], after: Node[] = [];
    let at = 0;
    for (const [i, m] of marks.entries()) {
      const epsilon = types[m.entity_type]?.epsilon ?? 0;
      before.push(document.createTextNode(letters.slice(at, m.start).join('')), this.mark(letters.slice(m.start, m.end).join(''), m.entity_type, epsilon));
      after.push(document.createTextNode(pieces[2 * i] ?? ''), this.mark(pieces[2 * i + 1] ?? '', m.entity_type, epsilon));
      at = m.end;
    }
    before.push(document.createTextNode(letters.slice(at).join('')));
    after.push(document.createTextNode(pieces[2 * marks.length] ?? ''));
    find('marked-text').replaceChildren(...before);
    find('marked-copy').replaceChildren(...after);
    find('mark-legend').replaceChildren(...Object.entries(types).map(([name, t]) => {
      const row = make('li');
      const n = marks.filter((m) => m.entity_type === name).length;
      row.append(this.coloured(make('mark', 'kind', name), name),
        make('span', 'hint', `${plural(n, 'mark')}, epsilon ${number(t.epsilon)} each: ${t.epsilon === 0 ? `any of ${count(t.values)} values, and nothing of what it was remains` : `one of ${count(t.values)} values, a near one more often`}.`));
      return row;
    }));
    find('private-title').textContent = marks.length === 0 ? 'Your own text' : 'The copy, with its marks replaced';
    find('count').textContent = plural(marks.length, 'mark');
    find('status').textContent = marks.length === 0 ? 'Nothing is marked, so nothing is replaced. Whoever reads this copy reads your text.' : '';
  }

  // clear is for a text that was not read.
  clear(): void {
    for (const id of ['marked-text', 'marked-copy', 'mark-legend']) find(id).replaceChildren();
    find('count').textContent = '';
  }

  private mark(value: string, name: string, epsilon: number): HTMLElement {
    const e = this.coloured(make('mark', 'kind'), name);
    e.append(make('span', '', value), make('span', 'tag', ` ${name} ε ${number(epsilon)}`));
    return e;
  }

  // coloured gives types that follow each other distant hues, and types of near hues another
  // shade and line.
  private coloured(e: HTMLElement, name: string): HTMLElement {
    const i = Array.from(type.options, (o) => o.value).indexOf(name);
    e.style.setProperty('--hue', String(Math.round(i * 137.508) % 360));
    e.classList.toggle('deep', i % 2 === 1);
    return e;
  }
}
