// One word: everything it could have become, as bars.

import type { Explained } from './api';
import { Problem } from './api';
import { count, find, make, named, number, percent, tell } from './dom';

const card = find('detail');
const title = find('detail-title');
const hint = find('detail-hint');
const bars = find<HTMLOListElement>('bars');
const note = find('detail-note');
const set = find('detail-set');
const invitation = hint.textContent ?? '';

export function clearDetail(): void {
  card.classList.remove('stale');
  title.textContent = named('One word');
  tell(hint, named(invitation));
  tell(set, '');
  bars.hidden = true;
  tell(note, '');
}

export function failDetail(word: string, e: unknown): void {
  card.classList.remove('stale');
  title.textContent = `“${word}”`;
  tell(set, '');
  bars.hidden = true;
  tell(note, '');
  if (e instanceof Problem && e.type === 'no-distribution') {
    tell(hint, named('This mechanism adds noise to the word’s vector and takes a word near the result: its output distribution is not known exactly, so there are no bars. The guarantee does not depend on it.'));
  } else {
    tell(hint, e instanceof Error ? e.message : 'The service sent no distribution.');
  }
}

// showDetail draws the distribution; drawn is what the word became, if it did. The language
// is that of the words.
export function showDetail(e: Explained, drawn: string | null, language: string): void {
  card.classList.remove('stale');
  title.textContent = e.known ? `“${e.word}” could have become` : named('A word that the table lacks could have become');
  tell(hint, e.known
    ? `It stays unchanged with probability ${percent(e.unchanged)}. The mean distance to its replacement is ${number(e.expected_distance)}, in the table’s unit.`
    : `${named('All such words are treated as one entry')}, ${e.word}: the copy does not show which of them it was.`);
  const most = Math.max(e.rest, ...e.outputs.map((o) => o.probability));
  let listed = false;
  tell(set, e.neighbours === undefined || e.inside === undefined || e.neighbours < 2 ? ''
    : `${count(e.neighbours)} nearest: ${percent(e.inside)} together, ${percent(e.outputs[0]?.probability ?? 0)} each. Any other: ${percent(1 - e.inside)} together.`);
  const rows = e.outputs.map((o) => {
    const here = drawn !== null && same(o.word, drawn);
    listed ||= here;
    return bar(o.word, o.probability, most, [o.word === e.word ? 'itself' : '', here ? 'drawn' : ''].join(' ').trim(), language);
  });
  const unlisted = (e.neighbours ?? 0) - e.outputs.length; // of the set
  if (unlisted > 0 && e.inside !== undefined) {
    const shown = e.outputs.reduce((sum, o) => sum + o.probability, 0);
    rows.push(bar(`${count(unlisted)} more of the nearest`, e.inside - shown, most, 'rest'), bar(`${count(e.others - unlisted)} others together`, 1 - e.inside, most, 'rest'));
  } else if (e.others > 0) rows.push(bar(`${count(e.others)} others together`, e.rest, most, 'rest'));
  bars.replaceChildren(...rows);
  bars.hidden = false;
  tell(note, drawn === null ? '' : e.known && same(e.word, drawn) ? 'This time it stayed unchanged.' : listed ? `This time it became “${drawn}”.` : `This time it became “${drawn}”, one of the others.`);
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function bar(word: string, p: number, most: number, kind: string, language?: string): HTMLLIElement {
  const row = make('li', kind);
  row.dataset['probability'] = String(p);
  const track = make('span', 'track');
  const fill = make('span', 'fill');
  fill.style.width = `${Math.max(0.4, (100 * p) / most)}%`;
  track.append(fill);
  track.setAttribute('aria-hidden', 'true');
  const name = make('span', 'name', word);
  if (language !== undefined) name.lang = language;
  row.append(name, track, make('span', 'share', percent(p)));
  return row;
}
