// The page: it asks the service on every change, and shows what it answers. No
// figure is computed here.

import * as api from './api';
import { Problem } from './api';
import { Payer } from './account';
import { Attempt } from './attempt';
import { command, offer, request, withdraw } from './commands';
import { clearDetail, failDetail, showDetail } from './detail';
import { atLeast, atMost, count, find, make, namePieces, named, number, percent, plural, tell, unbroken } from './dom';
import { clearRisk, showRisk } from './exposed';
import { showKeeping, showKept } from './kept';
import { Marks, markSample } from './marks';
import { byEpsilon, byRisk, noPlot } from './plot';
import { arrange, clearWhole, showWhole } from './whole';
import { Records } from './records';
import { Words } from './words';

const ticket = 'My order 12345 has not arrived and nobody answers the phone. I paid on Monday and want my money back.';
const sample = 'My doctor in Boston said the new treatment is working, so please call Anna Kowalczyk on Monday about the hospital bill.';

// field is the corpus that the page begins with, where the service has it.
const field = 'support';

const mechanism = find<HTMLSelectElement>('mechanism');
const tables = find<HTMLSelectElement>('table');
const corpora = find<HTMLSelectElement>('corpus');
const objective = find<HTMLSelectElement>('objective');
const aim = find<HTMLSelectElement>('aim');
const cap = find<HTMLSelectElement>('cap');
const slider = find<HTMLInputElement>('epsilon');
const text = find<HTMLTextAreaElement>('text');
const status = find('status');
const problem = find('problem');
const again = find<HTMLButtonElement>('again');
const pay = find<HTMLButtonElement>('pay');
const note = find('note');
const price = find('price');

let settings: api.Settings;
let catalogue = new Map<string, api.Mechanism>();
let table: api.Table;
let member: api.Member;
type Unit = 'word' | 'text' | 'marks' | 'corpus';
const units: Unit[] = ['text', 'word', 'marks', 'corpus'];
let unit: Unit = 'text'; // what is protected
let whole = false; // the whole text is protected, not each word
let marking = false; // marks are replaced, and nothing else
let standing: api.ExplainedText | null = null; // of the whole text
let flow = new AbortController(); // of all that the present choice asks
let looking = new AbortController(); // of the word looked at
let timer = 0;
let reading: api.Reading | null = null;
let figures: api.Figures | null = null;
let risk = false;
let explained = new Map<string, api.Explained>();
let introduced = false; // one word was shown unasked, so that there is something to see
let releasing = false;
const attempt = new Attempt(); // at a release

const marks = new Marks(() => void refresh());
const payer = new Payer(() => void refresh());
const records = new Records(payer, () => ({ epsilon: epsilon(), corpus: corpora.value }), say);
const words = new Words((word, drawn) => void look(word, drawn), () => {
  looking.abort();
  clearDetail();
});

const corpus = (): api.Corpus => settings.corpora.find((c) => c.name === corpora.value) ?? settings.corpora[0]!;
const scale = (): { stops: number[]; start: number } => (marking ? settings.marks! : unit === 'corpus' ? settings.records : whole ? corpus() : member);
const epsilon = (): number => scale().stops[Number(slider.value)] ?? scale().start;
const closed = (): string | undefined => (whole || marking ? undefined : member.closed);

function opening(of: api.Member = member, e: number = epsilon()): api.Opening {
  if (marking) return { epsilon: e };
  if (whole) return { unit: 'text', corpus: corpus().name, objective: objective.value, epsilon: e };
  return {
    ...(of.notion === undefined ? { mechanism: of.name } : { notion: of.notion }),
    epsilon: e,
    embeddings: table.name,
    ...(of.accept === undefined ? {} : { accept: of.accept }),
    ...(hasSets(of) && aim.value !== '' ? { objective: aim.value } : {}),
    ...(hasSets(of) && cap.value !== '' ? { attack: Number(cap.value) } : {}),
  };
}

// hasSets reports whether a member has an objective and a cap of its own.
const hasSets = (m: api.Member): boolean => m.name === 'neighbours';

const unitOf = (m: api.Mechanism | undefined): string => (m?.notion.startsWith('metric') ? 'epsilon per unit of distance' : named('epsilon per word'));

// sampleOf is a text to begin with, of the field of the public texts.
const sampleOf = (u: Unit): string => (u === 'marks' ? markSample : u === 'text' && corpora.value === field ? ticket : sample);

// protect takes up another unit, which the address of the page names.
function protect(to: Unit): void {
  const before = sampleOf(unit);
  unit = to;
  whole = unit === 'text';
  marking = unit === 'marks';
  for (const one of units) find(`unit-${one}`).setAttribute('aria-pressed', String(one === unit));
  history.replaceState(null, '', `#${unit}`);
  const ofCorpus = unit === 'corpus';
  find('corpus-card').hidden = !ofCorpus;
  find('account-card').hidden = marking || !settings.ledger;
  find('released').hidden ||= ofCorpus;
  arrange(whole);
  for (const id of ['text', 'released-text']) find(id).lang = whole ? '' : table.language;
  find('choices-field').hidden = unit !== 'word' || !hasSets(member);
  find('table-field').hidden = unit !== 'word' || settings.tables.length < 2;
  introduced = false;
  words.show([], null);
  if (text.value === before || text.value === '') {
    text.value = sampleOf(unit);
    if (marking) marks.sample();
  }
  marks.arrange(marking);
  for (const id of ['text-card', 'private', 'open-card', 'as-line']) find(id).hidden = ofCorpus;
  if (unit === 'word') {
    choose(member.name);
    return;
  }
  find('refuted').hidden = true;
  const [label, hint] = {
    text: ['Epsilon of the whole text', 'Certified pure epsilon for the whole text, whatever its words, length or language.'],
    marks: ['Epsilon of a mark in order', 'Certified pure epsilon for each date, time, age, number and sum of money. Marks of other types have epsilon 0, whatever you choose.'],
    corpus: ['Epsilon of a row', 'Certified pure epsilon for each row of the table, added or removed.'],
  }[unit];
  find('epsilon-label').textContent = label!;
  find('unit').textContent = hint!;
  find('more').textContent = ofCorpus ? 'more like your table' : 'more like your text';
  const { stops, start } = scale();
  slider.max = String(stops.length - 1);
  slider.value = String(Math.max(0, stops.indexOf(start)));
  slider.disabled = false;
  slide();
  if (ofCorpus) arrangeCorpus();
  else void refresh();
}

// arrangeCorpus stops what single texts asked for.
function arrangeCorpus(): void {
  find('lead').textContent = 'One release for all rows of a table. Whether a row took part is protected. A new table of public texts comes out.';
  for (const id of ['mechanism-field', 'detail', 'risk', 'frontier']) find(id).hidden = true;
  find('corpus-field').hidden = false;
  clearTimeout(timer);
  flow.abort();
  looking.abort();
  find('main').removeAttribute('aria-busy');
  summarise();
  records.changed();
}

// summarise says beside the folded options what they are now.
function summarise(): void {
  find('options-now').textContent = unit === 'word' ? member.name : `public texts: ${corpora.selectedOptions[0]?.text ?? ''}`;
}

// choose takes up another mechanism or table.
function choose(name: string): void {
  member = table.members.find((m) => m.name === name) ?? table.members[0]!;
  if (unit !== 'word') return;
  const about = catalogue.get(member.name);
  find('choices-field').hidden = !hasSets(member);
  find('summary').textContent = about === undefined ? '' : `${sentence(about.summary)} Standing: ${about.standing}.`;
  slider.max = String(member.stops.length - 1);
  const start = member.stops.indexOf(member.start);
  slider.value = String(Math.max(0, start));
  slider.disabled = member.closed !== undefined;
  const metric = about?.notion.startsWith('metric') === true;
  const kept = about?.standing === 'refuted' ? 'The paper’s own parameter: the guarantee published for it does not hold.' : metric
    ? 'Certified metric epsilon: it counts for each unit of the table’s distance between two words.'
    : about?.notion === 'approximate' ? 'Certified epsilon for each word, up to the delta of the guarantee.' : 'Certified pure epsilon for each word, however far apart two words are.';
  find('unit').textContent = named(kept) + (table.pieces === true ? ' A word of the language that has several pieces loses epsilon for each.' : '');
  find('epsilon-label').textContent = metric ? 'Metric epsilon' : 'Epsilon';
  showRefuted(about);
  find('more').textContent = 'more like your text';
  slide();
  void refresh();
}

function sentence(s: string): string {
  const whole = s.charAt(0).toUpperCase() + s.slice(1);
  return whole.endsWith('.') ? whole : `${whole}.`;
}

function slide(): void {
  const shown = `${number(epsilon())}`;
  find('epsilon-value').textContent = shown;
  slider.setAttribute('aria-valuetext', `${shown}, ${marking ? 'epsilon per mark in order' : unit === 'corpus' ? 'epsilon for a row of the table' : whole ? 'epsilon for the whole text' : unitOf(catalogue.get(member.name))}`);
}

function showRefuted(about: api.Mechanism | undefined): void {
  const card = find('refuted');
  card.hidden = about?.standing !== 'refuted';
  if (card.hidden || about === undefined) return;
  find('refuted-title').textContent = `Refuted: ${about.name} does not keep its published guarantee`;
  const [claim, why, ...more] = (about.finding ?? []).map((p) => make('p', '', p));
  const rest = make('details');
  rest.append(make('summary', '', 'The whole finding'), ...more);
  find('refuted-why').replaceChildren(...[claim, why].filter((p) => p !== undefined), ...(more.length > 0 ? [rest] : []), make('p', 'hint', `Published in: ${about.paper}.`));
}

const closings: Record<string, string> = {
  'vectors-only': 'This mechanism perturbs vectors and replaces no words: there is no private copy to show.',
  'slow-opening': 'With this table this mechanism takes long to open. The service offers it if it is started with --slow-openings.',
  'standing-not-allowed': 'This service does not open mechanisms whose guarantee is not proved, unless it is started with --accept.',
};

// refresh asks everything anew for the present choice, and drops what was asked
// before.
async function refresh(): Promise<void> {
  flow.abort();
  looking.abort();
  flow = new AbortController();
  const { signal } = flow;
  summarise();
  if (unit === 'corpus') {
    records.changed();
    return;
  }
  explained = new Map();
  tell(problem, '');
  withdraw();
  const why = closed();
  again.hidden = why !== undefined || (!marking && (!settings.uncharged || payer.name !== ''));
  pay.hidden = true;
  if (why !== undefined) {
    close(closings[why] ?? 'This service does not open this mechanism.');
    return;
  }
  find('main').setAttribute('aria-busy', 'true');
  find('detail').classList.add('stale');
  const slow = setTimeout(() => (status.textContent = 'The service is computing …'), 400);
  // The status is of the copy: figures that take longer do not change it.
  const copied = (marking ? copyMarks(signal) : whole ? copyWhole(signal) : copy(signal)).finally(() => clearTimeout(slow));
  await Promise.all([copied, whole || marking ? null : frontier(signal)]);
  if (!signal.aborted) find('main').removeAttribute('aria-busy');
  if (!signal.aborted && !whole && !words.looking()) clearDetail();
}

function close(why: string): void {
  reading = null;
  figures = null;
  words.show([], null);
  clearDetail();
  status.textContent = why;
  note.textContent = '';
  tell(find('unknown'), '');
  find('count').textContent = '';
  find('promise').textContent = 'This mechanism is not open here, so there is no guarantee.';
  for (const id of ['unchanged', 'total']) find(id).textContent = '–';
  clearRisk();
  showKeeping(null);
  price.textContent = '';
  find('not-protected').replaceChildren(make('li', '', 'Nothing is drawn here.'));
  noPlot('No figures: the mechanism is not open.');
}

// copy reads the text and, where nothing need be charged, draws it.
async function copy(signal: AbortSignal): Promise<void> {
  const input = text.value;
  const free = settings.uncharged && payer.name === '';
  try {
    const [read, drawing] = await Promise.all([
      api.read(input, opening(), signal),
      free ? api.draw(input, opening(), signal) : Promise.resolve(null),
    ]);
    if (signal.aborted) return;
    reading = read;
    const refused = read.results[0]?.error;
    if (refused !== undefined) throw new Error(`The text ${refused}.`);
    showReading(read, drawing?.results[0]?.pieces ?? (free ? [] : null));
  } catch (e) {
    if (signal.aborted) return;
    reading = null;
    words.show([], null);
    clearDetail();
    status.textContent = '';
    tell(problem, say(e));
  }
}

// copyWhole is copy for a whole text.
async function copyWhole(signal: AbortSignal): Promise<void> {
  const input = text.value;
  const free = settings.uncharged && payer.name === '';
  try {
    const [read, explained, drawing] = await Promise.all([
      api.read(input, opening(), signal),
      api.explainText(input, opening(), signal),
      free ? api.draw(input, opening(), signal) : Promise.resolve(null),
    ]);
    if (signal.aborted) return;
    reading = read;
    standing = explained;
    const drawn = drawing?.results[0]?.text ?? null;
    showKeeping(null);
    showWhole(read, explained, drawn);
    status.textContent = drawn === null ? 'Not drawn yet. Below is what it could become.' : '';
    showPromise(read);
    showPayment(read, drawn !== null);
  } catch (e) {
    if (signal.aborted) return;
    reading = null;
    clearWhole();
    status.textContent = '';
    tell(problem, say(e));
  }
}

// copyMarks is copy for marks. No account pays for what is copied, so it is for trying.
async function copyMarks(signal: AbortSignal): Promise<void> {
  const input = text.value;
  try {
    const read = await api.readMarks(input, opening(), marks.asked(), signal);
    const found = read.results[0];
    if (found?.error !== undefined) throw new Error(`The text: ${found.error}.`);
    const drawing = await api.drawMarks(input, opening(), found?.marks ?? [], signal);
    if (signal.aborted) return;
    reading = read;
    showKeeping(null);
    marks.show(input, read, drawing.results[0]?.pieces ?? []);
    showPromise(read);
    showPayment(read, true);
  } catch (e) {
    if (signal.aborted) return;
    reading = null;
    marks.clear();
    status.textContent = '';
    tell(problem, say(e));
  }
}

function showReading(read: api.Reading, pieces: string[] | null): void {
  const s = read.statement;
  const tokens = s.tokens ?? 0;
  const list = read.results[0]?.words ?? [];
  words.show(list, pieces);
  if (!introduced && list.length > 1) {
    introduced = true;
    words.point(1);
  }
  find('count').textContent = named(plural(tokens, 'word or punctuation mark', 'words and punctuation marks'));
  status.textContent = tokens === 0 ? 'Nothing to draw yet.' : pieces === null ? named('Not drawn yet. Look at any word to see what it could become.') : '';
  const unknown = list.filter((word) => !word.known).length;
  tell(find('unknown'), unknown === 0 ? '' : named(`${plural(unknown, 'word is', 'words are')} not in the table of ${count(s.embeddings.words)} words. All of them are treated as the same unknown word, and replaced at random like any other.`));
  if (pieces === null) showKeeping(figures?.row.unchanged ?? null);
  else showKept(words.stayed(), list.length);
  showPromise(read);
  showPayment(read, pieces !== null);
}

function showPromise(read: api.Reading): void {
  const s = read.statement;
  find('promise').textContent = unbroken(read.promise);
  find('promise').classList.toggle('broken', s.claim.notion === 'none' || s.claim.delta >= 0.5);
  find('total').textContent = s.tokens === 0 ? '–' : s.document_epsilon_max === null ? 'unbounded'
    : `ε ${atMost(s.document_epsilon_max)}${s.document_delta_max > 0 ? `, δ ${atMost(s.document_delta_max)}` : ''}`;
  find('not-protected').replaceChildren(...s.not_protected.map((line) => make('li', '', line)));
}

// showPayment says what the draw was for, or offers one that an account pays for.
function showPayment(read: api.Reading, drawn: boolean): void {
  const empty = read.statement.tokens === 0; // a whole text is paid for, empty or not
  price.textContent = empty || read.cost === null || !settings.ledger ? '' : payer.name === ''
    ? `Price of a copy that may be published: epsilon ${atMost(read.cost.epsilon)}.`
    : `Price of a draw: epsilon ${atMost(read.cost.epsilon)} of ${payer.name}${payer.state === null ? '' : `, which has ${atLeast(payer.state.remaining.epsilon)} left`}.`;
  if (drawn) {
    note.textContent = 'For trying, not for publishing: nothing was charged, and every further draw of the same text reveals more of it.';
  } else if (payer.name === '') {
    note.textContent = 'This service draws nothing without charging an account.';
  } else {
    note.textContent = 'A draw is charged first. The result is a private copy that may be published.';
    pay.hidden = empty || read.cost === null;
    pay.textContent = read.cost === null ? '' : `Draw and charge ${atMost(read.cost.epsilon)}`;
    if (read.cost === null && !empty) tell(problem, 'No account can pay for this mechanism: it has no finite loss.');
  }
}

// frontier asks for the figures, and for those of others where they are compared.
async function frontier(signal: AbortSignal): Promise<void> {
  try {
    const f = await api.figures(opening(), signal);
    if (signal.aborted) return;
    figures = f;
    find('unchanged').textContent = percent(f.row.unchanged);
    showRisk(f, table.words, table.language);
    if (words.undrawn()) showKeeping(f.row.unchanged);
    await picture(signal);
  } catch (e) {
    if (signal.aborted) return;
    figures = null;
    find('unchanged').textContent = '–';
    clearRisk();
    noPlot(say(e));
  }
}

async function picture(signal: AbortSignal): Promise<void> {
  if (figures === null) return;
  if (!risk) {
    byEpsilon(figures, unitOf(catalogue.get(member.name)));
    return;
  }
  // A guess among fewer words is easier: only members over the same words compare.
  const others = table.members.filter((m) => m.closed === undefined && m.name !== member.name && m.notion === member.notion && ['neighbours', 'response', 'tem', 'exponential'].includes(m.name));
  const curves = await Promise.all(others.map((m) => api.figures(opening(m, m.stops[0] ?? m.start), signal).then((f) => f.curve, () => [])));
  if (signal.aborted) return;
  const own = figures.curve.length > 0 ? figures.curve : [figures.row];
  byRisk(figures, [own, ...curves.filter((c) => c.length > 0)]);
}

async function look(word: api.ReadWord, drawn: string | null): Promise<void> {
  looking.abort();
  looking = new AbortController();
  const { signal } = looking;
  try {
    let e = explained.get(word.word);
    if (e === undefined) {
      e = await api.explain(word.word, opening(), signal);
      if (signal.aborted) return;
      explained.set(word.word, e);
    }
    showDetail(e, drawn, table.language);
  } catch (e) {
    if (!signal.aborted) failDetail(word.word, e);
  }
}

// release draws what the account pays for. An answer that was lost is asked for
// again under the same key, and so charged once.
async function release(): Promise<void> {
  if (releasing || reading === null) return;
  releasing = true;
  pay.disabled = true;
  tell(problem, '');
  const [input, o, name, read] = [text.value, opening(), payer.name, reading];
  const before = status.textContent;
  const slow = setTimeout(() => {
    if (reading === read) status.textContent = 'The service is computing …';
  }, 400);
  try {
    const drawing = await api.release(input, o, name, attempt.keyFor(JSON.stringify([input, o, name])));
    attempt.answered();
    clearTimeout(slow);
    const result = drawing.results[0];
    const receipt = drawing.receipt;
    if (result?.text !== undefined && receipt !== null) {
      find('released').hidden = false;
      find('released-text').textContent = result.text;
      find('receipt').textContent = `Charged ${atMost(receipt.cost.epsilon)} to ${receipt.account}, entry ${receipt.charge} of the ledger; ${atLeast(receipt.remaining.epsilon)} left.`;
      if (reading === read) {
        if (!whole) {
          words.show(read.results[0]?.words ?? [], result.pieces ?? null);
          showKept(words.stayed(), read.results[0]?.words?.length ?? 0);
        }
        if (whole && standing !== null) showWhole(read, standing, result.text);
        status.textContent = 'Drawn and charged: the released copy is below.';
        note.textContent = 'Drawing again charges again.';
      }
    }
  } catch (e) {
    attempt.failed(e);
    clearTimeout(slow);
    if (reading === read) status.textContent = before;
    tell(problem, say(e));
  }
  await payer.refresh();
  releasing = false;
  pay.disabled = false;
}

function say(e: unknown): string {
  if (!(e instanceof Problem)) return e instanceof TypeError ? 'The service does not answer.' : e instanceof Error ? e.message : 'Something went wrong.';
  switch (e.type) {
    case 'budget-exhausted': {
      const ends = e.periodEnds === null ? '' : ` Its period ends ${new Date(e.periodEnds).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}.`;
      return `Budget exhausted: this draw costs ${atMost(e.cost?.epsilon ?? 0)}, and the account has ${atLeast(e.remaining?.epsilon ?? 0)} left. Nothing was drawn or charged.${ends}`;
    }
    case 'unauthorized':
      askForKey('This key is not accepted.');
      return 'The service asks for an API key.';
  }
  return sentence(e.message);
}

function later(wait: number): void {
  clearTimeout(timer);
  flow.abort(); // what was asked is of no use any more
  timer = setTimeout(() => void refresh(), wait);
}

function askForKey(why: string): void {
  find('key-card').hidden = false;
  tell(find('key-problem'), why);
  find('main').hidden = true;
  find<HTMLInputElement>('key').focus();
}

async function begin(): Promise<void> {
  try {
    const [s, m] = await Promise.all([api.settings(), api.mechanisms()]);
    settings = s;
    catalogue = new Map(m.mechanisms.map((one) => [one.name, one]));
  } catch (e) {
    if (e instanceof Problem && e.type === 'unauthorized') askForKey(find<HTMLInputElement>('key').value === '' ? '' : 'This key is not accepted.');
    else tell(find('broken'), say(e));
    return;
  }
  find('key-card').hidden = true;
  tell(find('broken'), '');
  find('main').hidden = false;
  find('version').textContent = `sotto ${settings.version}`;
  tables.replaceChildren(...settings.tables.map((t) => new Option(`${t.name}, ${count(t.words)} ${t.pieces === true ? 'pieces' : 'words'}`, t.name)));
  find('table-field').hidden = settings.tables.length < 2;
  corpora.replaceChildren(...settings.corpora.map((c) => new Option(`${c.name}, ${count(c.texts)} texts`, c.name)));
  if (settings.corpora.some((c) => c.name === field)) corpora.value = field;
  payer.offer(settings);
  const corporaOffered = settings.corpora.length > 0; // otherwise the service refuses them
  for (const id of ['unit-text', 'unit-corpus']) find(id).hidden = !corporaOffered;
  find('unit-marks').hidden = settings.marks === null;
  marks.offer(settings.marks?.types ?? []);
  takeTable(settings.tables[0]!.name);
  records.offer(settings);
  const asked = units.find((u) => location.hash === `#${u}` && !find(`unit-${u}`).hidden);
  protect(asked ?? (corporaOffered ? 'text' : 'word'));
}

// takeTable offers the mechanisms of a table, by what they guarantee.
function takeTable(name: string): void {
  table = settings.tables.find((t) => t.name === name) ?? settings.tables[0]!;
  words.language = table.language;
  namePieces(table.pieces === true);
  if (unit === 'word') for (const id of ['text', 'released-text']) find(id).lang = table.language;
  const before = mechanism.value;
  const recommended = new Set(table.members.filter((m) => m.recommended).map((m) => m.name));
  const groups: [string, (m: api.Mechanism) => boolean][] = [
    ['Recommended', (m) => recommended.has(m.name)],
    ['Research', (m) => !recommended.has(m.name) && m.standing !== 'refuted'],
    ['Research: refuted', (m) => m.standing === 'refuted'],
  ];
  mechanism.replaceChildren(...groups.map(([label, takes]) => {
    const group = make('optgroup');
    group.label = label;
    for (const m of table.members) {
      const about = catalogue.get(m.name);
      // Of those that do not open here, the refuted ones still have a finding to show.
      if (about === undefined || !takes(about) || (m.closed !== undefined && about.standing !== 'refuted' && m.closed === 'vectors-only')) continue;
      group.append(new Option(m.closed === undefined || about.standing === 'refuted' ? m.name : `${m.name} (not open here)`, m.name));
    }
    return group;
  }));
  mechanism.value = [before, 'neighbours'].find((n) => Array.from(mechanism.options, (o) => o.value).includes(n)) ?? mechanism.options[0]!.value;
  choose(mechanism.value);
}

clearDetail();
text.addEventListener('input', () => later(250));
slider.addEventListener('input', () => {
  slide();
  later(80);
});
mechanism.addEventListener('change', () => choose(mechanism.value));
tables.addEventListener('change', () => takeTable(tables.value));
for (const choice of [corpora, objective, aim, cap]) choice.addEventListener('change', () => void refresh());
for (const one of units) find(`unit-${one}`).addEventListener('click', () => protect(one));
find('as-command').addEventListener('click', () => void offer(command(opening(), payer.name)));
find('as-curl').addEventListener('click', () => void offer(request(opening(), payer.name, settings.keys)));
find('copy-corpus').addEventListener('click', () => void navigator.clipboard.writeText(find('corpus-command').textContent ?? '').then(() => (find('copy-corpus').textContent = 'Copied')));
again.addEventListener('click', () => void refresh());
pay.addEventListener('click', () => void release());
find<HTMLInputElement>('originals').addEventListener('change', (e) => find('words').classList.toggle('bare', !(e.target as HTMLInputElement).checked));
find('copy').addEventListener('click', () => void navigator.clipboard.writeText(find('released-text').textContent ?? '').then(() => (find('copy').textContent = 'Copied')));
for (const [id, on] of [['by-epsilon', false], ['by-risk', true]] as const) {
  find(id).addEventListener('click', () => {
    risk = on;
    find('by-epsilon').setAttribute('aria-pressed', String(!on));
    find('by-risk').setAttribute('aria-pressed', String(on));
    void picture(flow.signal);
  });
}
find<HTMLFormElement>('key-form').addEventListener('submit', (e) => {
  e.preventDefault();
  api.setKey(find<HTMLInputElement>('key').value);
  void begin();
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  if (unit === 'word') void picture(flow.signal);
});
void begin();
