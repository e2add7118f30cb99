// The risk: what a reader recovers, and which words of the table are most exposed.

import type { Figures } from './api';
import { count, find, make, named, percent, unbroken } from './dom';
import { recoveredLabel } from './whole';

const headline = find('attack');
const label = find('attack-label');
const note = find('facts-note');
const exposed = find('exposed');

// showRisk puts up the figures of a setting.
export function showRisk(f: Figures, words: number, language: string): void {
  const r = f.row;
  const guess = `${r.attack_success === null ? '≥\u00a0' : ''}${percent(r.attack_success ?? r.attack_success_low)}`;
  const m = f.reader.measured;
  headline.textContent = m === null ? guess : between(m.below.recovered_in_context.share, m.above.recovered_in_context.share);
  label.textContent = m === null ? named('of the words are recovered by the best guess without a model; a reader with a model recovers more') : recoveredLabel();
  note.textContent = unbroken(`${f.reader.sentence} ${named(r.sampled === null
    ? `Unchanged words: exact, for words of the table with equal probability. From one replacement, no guess without a model is right more than ${guess} of the time on average over these words. Single words may be guessed more often.`
    : `Unchanged words: of ${count(r.sampled.draws)} draws, ${percent(r.sampled.unchanged[0])} to ${percent(r.sampled.unchanged[1])} with confidence ${percent(r.sampled.confidence)}; for the best guess without a model only a lower bound is known, ${guess}.`)}`);
  showExposed(f.most_exposed, words, language);
}

function showExposed(e: Figures['most_exposed'], words: number, language: string): void {
  exposed.hidden = e === null;
  if (e === null) return;
  const same = e.alike === words;
  find('exposed-words').replaceChildren(...(same ? [] : e.words).map((w) => {
    const row = make('li');
    const name = make('span', 'name', w.word);
    name.lang = language;
    row.append(name, make('span', 'share', `recovered ${percent(w.recovered)}, stays ${percent(w.unchanged)}`));
    return row;
  }));
  find('exposed-note').textContent = named(same
    ? `No word is more exposed than another: the best guess from one output recovers each with probability ${percent(e.mean)}.`
    : `By the best guess from one output, for equally likely words; ${percent(e.mean)} on average.${e.alike > e.words.length ? ` ${count(e.alike)} words are as exposed as the first.` : ''}`);
}

// clearRisk is for a setting without figures.
export function clearRisk(): void {
  headline.textContent = '–';
  label.textContent = recoveredLabel();
  note.textContent = '';
  exposed.hidden = true;
}

// between shows a measured share, or those at the two measured epsilons beside one.
function between(below: number, above: number): string {
  return below === above ? percent(below) : `${percent(below).replace('\u00a0%', '')}–${percent(above)}`;
}
