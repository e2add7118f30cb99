// What a copy is called: one that keeps nearly all words is not called private.

import { count, find, named, percent } from './dom';

const title = find('private-title');
const said = find('kept');

// nearly is the share of words from which a copy is nearly the text.
const nearly = 0.9;

// showKept says how many words of a drawn copy stayed.
export function showKept(stayed: number, words: number): void {
  const all = words > 0 && stayed / words >= nearly;
  title.textContent = all ? 'Nearly your own text' : 'Private copy';
  said.textContent = words === 0 || stayed / words < 0.5 ? ''
    : all ? named(`${count(stayed)} of ${count(words)} words are unchanged. Whoever reads this copy reads your text.`)
      : named(`${count(stayed)} of ${count(words)} words are unchanged: more than half of your text can be read.`);
}

// showKeeping says what a copy that is not drawn would be: unchanged is the share of the
// words of the table that stay.
export function showKeeping(unchanged: number | null): void {
  const all = unchanged !== null && unchanged >= nearly;
  title.textContent = all ? 'Nearly your own text' : 'Private copy';
  said.textContent = all ? named(`At this epsilon ${percent(unchanged)} of words stay unchanged. Whoever reads such a copy reads your text.`) : '';
}
