// Whole texts: the public text that stands for the private one, and those that could
// have come out.

import type { ExplainedText, Reading } from './api';
import { clearDetail } from './detail';
import { count, find, make, named, percent, percentAtMost, tell } from './dom';

const standIn = find('stand-in');
const set = find<HTMLOListElement>('set');

export const recoveredLabel = (): string => named('of the words are recovered by a reader with a language model');

// arrange shows what belongs to whole texts, or to words.
export function arrange(whole: boolean): void {
  for (const id of ['mechanism-field', 'originals-label', 'words', 'words-hint', 'frontier']) find(id).hidden = whole;
  for (const id of ['corpus-field', 'objective-field', 'stand-in']) find(id).hidden = !whole;
  if (whole) find('exposed').hidden = true;
  set.hidden = true;
  set.replaceChildren();
  standIn.textContent = '';
  clearDetail();
  find('lead').textContent = whole
    ? 'One draw per text. A public text comes out, often a similar one: words, length and language are protected together.'
    : named('One draw per word. Which word was at each place stays uncertain; losses add up over a text, and its length shows.');
  find('unchanged-label').textContent = whole ? 'Texts in the set' : named('Unchanged words');
  find('attack-label').textContent = whole ? '' : recoveredLabel();
  for (const id of ['unchanged', 'attack', 'total', 'facts-note', 'count', 'kept', 'price']) find(id).textContent = '';
  tell(find('unknown'), '');
}

// showWhole puts up a reading, the likeliest outputs and what was drawn, if anything.
export function showWhole(read: Reading, e: ExplainedText, drawn: string | null): void {
  const s = read.statement;
  const texts = s.corpus?.texts ?? 0;
  standIn.textContent = drawn ?? '·····';
  find('unchanged').textContent = `${count(e.neighbours)} of ${count(texts)}`;
  const l = read.linkage;
  find('attack').textContent = l === undefined ? '–' : percentAtMost(l.limit);
  find('attack-label').textContent = l === undefined ? '' : `at most: how often an attacker tells which of ${count(l.among)} texts it came from. Without the copy: ${percent(l.blind)}.`;
  find('facts-note').textContent = `This holds for any texts, whatever the attacker knows. The set has the public texts most similar to yours; the copy comes from it with probability ${percent(e.inside)}. Its size and its probability are the same for every text.`;
  find('detail').classList.remove('stale');
  find('detail-title').textContent = 'It could have become';
  tell(find('detail-hint'), `${count(e.neighbours)} nearest public texts: ${percent(e.inside)} together, ${percent(e.outputs[0]?.probability ?? 0)} each. Any other of ${count(texts)}: ${percent(1 - e.inside)} together. Those most like yours first:`);
  set.replaceChildren(...e.outputs.map((o) => {
    const row = make('li', o.text === drawn ? 'drawn' : '');
    row.dataset['probability'] = String(o.probability);
    row.append(make('span', 'name', o.text), make('span', 'share', percent(o.probability)));
    return row;
  }));
  set.hidden = false;
  tell(find('detail-note'), drawn === null ? '' : e.outputs.some((o) => o.text === drawn) ? 'This time it became one of these.' : 'This time it became a text that is not listed here. It may or may not be in the set: the copy does not show that.');
}

// clearWhole is for a text that was not read.
export function clearWhole(): void {
  standIn.textContent = '';
  set.hidden = true;
  clearDetail();
}
