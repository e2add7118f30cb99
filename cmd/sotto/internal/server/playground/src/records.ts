// A corpus: a table of records comes in as CSV, and a private copy of it goes out as CSV.

import * as api from './api';
import type { Payer } from './account';
import { Attempt } from './attempt';
import { paying, quoted } from './commands';
import { format, parse, type Table } from './csv';
import { atLeast, atMost, count, find, make, tell } from './dom';

const file = find<HTMLInputElement>('csv');
const column = find<HTMLSelectElement>('csv-text');
const by = find<HTMLSelectElement>('csv-by');
const labels = find<HTMLInputElement>('csv-labels');
const expect = find<HTMLSelectElement>('csv-expect');
const making = find<HTMLButtonElement>('csv-make');
const saving = find<HTMLButtonElement>('csv-save');
const said = find('csv-status');
const problem = find('csv-problem');
const note = find('csv-note');

// firstRows of a copy are shown; the file has all.
const firstRows = 8;

export class Records {
  private table: Table | null = null;
  private copied: Table | null = null;
  private settings: api.Settings | null = null;
  private readonly attempt = new Attempt(); // at a release

  constructor(private readonly payer: Payer, private readonly chosen: () => { epsilon: number; corpus: string }, private readonly say: (e: unknown) => string) {
    file.addEventListener('change', () => void this.take());
    for (const e of [column, by, expect, labels]) e.addEventListener('change', () => this.changed());
    labels.addEventListener('input', () => this.changed());
    making.addEventListener('click', () => void this.make());
    saving.addEventListener('click', () => this.save());
  }

  offer(s: api.Settings): void {
    this.settings = s;
    find('csv-hint').textContent = `Sent to this service when you ask for the copy, and nowhere else. At most ${count(s.texts)} rows and ${count(Math.floor(s.body / 1024))} KiB here; the command line copies larger ones.`;
    this.changed();
  }

  // changed withdraws a copy that was made by other choices.
  changed(): void {
    const { epsilon } = this.chosen();
    this.copied = null;
    for (const id of ['csv-save', 'csv-result']) find(id).hidden = true;
    find('csv-labels-field').hidden = by.value === '';
    tell(problem, '');
    said.textContent = '';
    const paid = this.payer.name !== '';
    const free = this.settings?.uncharged === true;
    making.disabled = this.table === null || (by.value !== '' && this.values().length === 0) || (!paid && !free);
    making.textContent = paid ? `Draw and charge ${atMost(epsilon)}` : 'Make a private copy';
    if (!paid && !free) said.textContent = 'This service draws nothing without charging an account: choose one.';
    find('promise').textContent = `Whether a row is in the table, with all of its words and its label, is protected with epsilon ${atMost(epsilon)}, whatever the other rows are.`;
    const labelled = by.value === '' ? '' : ` --by ${quoted(this.header(by).replaceAll(',', '\\,'))} --labels ${quoted(this.values().join(',') || 'order,account')}`;
    const separator = this.table?.separator ?? ',';
    const separated = separator === ',' ? '' : ` --delimiter ${separator === '\t' ? 'tab' : quoted(separator)}`;
    find('corpus-command').textContent = `sotto synthesize --epsilon ${epsilon} --corpus ${quoted(this.chosen().corpus)} --field ${quoted(this.table === null ? 'text' : this.header(column))}${labelled} --expect ${expect.value}${paying(this.payer.name)}${separated} tickets.csv -o copy.csv --report copy.json`;
  }

  private header(of: HTMLSelectElement): string {
    return this.table?.header[Number(of.value)] ?? '';
  }

  private values(): string[] {
    return [...new Set(labels.value.split(',').map((v) => v.trim()).filter((v) => v !== ''))];
  }

  private async take(): Promise<void> {
    this.table = null;
    find('csv-choices').hidden = true;
    const [chosen, s] = [file.files?.[0], this.settings];
    let wrong = '';
    if (chosen !== undefined && s !== null) {
      try {
        if (chosen.size > s.body) throw new Error('The file is too large for this page. The command below copies it.');
        const table = parse(new TextDecoder('utf-8', { fatal: true }).decode(await chosen.arrayBuffer()));
        if (table.rows.length > s.texts) throw new Error(`The file has more than ${count(s.texts)} rows. The command below copies it.`);
        this.table = table;
        const named = table.header.map((name, i) => new Option(name === '' ? `column ${i + 1}` : name, String(i)));
        column.replaceChildren(...named);
        const usual = table.header.findIndex((name) => /^(text|message|body|content|description|review|note)$/i.test(name.trim()));
        column.value = String(Math.max(0, usual));
        by.replaceChildren(new Option('no column: copy the texts alone', ''), ...named.map((o) => new Option(o.text, o.value)));
        find('csv-choices').hidden = false;
      } catch (e) {
        wrong = e instanceof TypeError ? 'The file is not UTF-8 text. Save it as CSV in UTF-8.' : this.say(e);
      }
    }
    this.changed();
    tell(problem, wrong);
  }

  private async make(): Promise<void> {
    const table = this.table;
    if (table === null || this.settings === null) return;
    const { epsilon, corpus } = this.chosen();
    const [text, label, values] = [Number(column.value), by.value === '' ? -1 : Number(by.value), this.values()];
    const asked: api.Synthesis = {
      records: table.rows.map((row) => ({ text: row[text] ?? '', ...(label < 0 ? {} : { labels: [row[label] ?? ''] }) })),
      ...(label < 0 ? {} : { by: [{ name: table.header[label] ?? '', values }] }),
      epsilon, corpus, expect: Number(expect.value), ...(this.payer.name === '' ? {} : { account: this.payer.name }),
    };
    tell(problem, '');
    const of = JSON.stringify(asked);
    if (new Blob([of]).size > this.settings.body) {
      tell(problem, 'The rows are too large for one request. The command below copies them.');
      return;
    }
    making.disabled = true;
    said.textContent = 'The service is computing …';
    try {
      const a = await api.synthesize(asked, this.attempt.keyFor(of));
      this.attempt.answered();
      this.show(a, table, text, label);
      said.textContent = '';
    } catch (e) {
      this.attempt.failed(e);
      said.textContent = '';
      tell(problem, this.say(e));
    }
    making.disabled = false;
    await this.payer.refresh();
  }

  private show(a: api.Synthesized, of: Table, text: number, label: number): void {
    const header = [...(label < 0 ? [] : [of.header[label] ?? '']), of.header[text] ?? ''];
    this.copied = { header, rows: a.rows.map((r) => [...(label < 0 ? [] : [r.labels[0] ?? '']), r.text]), separator: of.separator };
    const head = make('tr');
    head.append(...header.map((name) => make('th', '', name)));
    find('csv-rows').replaceChildren(head, ...this.copied.rows.slice(0, firstRows).map((row) => {
      const line = make('tr');
      line.append(...row.map((field) => make('td', '', field)));
      return line;
    }));
    const more = this.copied.rows.length - firstRows;
    const receipt = a.receipt === null ? 'For trying, not for publishing: nothing was charged, and every further copy reveals more.'
      : `Charged ${atMost(a.receipt.cost.epsilon)} to ${a.receipt.account}, entry ${a.receipt.charge} of the ledger; ${atLeast(a.receipt.remaining.epsilon)} left.`;
    note.textContent = `${count(this.copied.rows.length)} rows of public texts${more > 0 ? `, of which the first ${firstRows} are below` : ''}. ${receipt}`;
    for (const id of ['csv-save', 'csv-result']) find(id).hidden = false;
  }

  private save(): void {
    if (this.copied === null) return;
    const link = make('a');
    link.href = URL.createObjectURL(new Blob([format(this.copied)], { type: 'text/csv' }));
    link.download = 'copy.csv';
    link.click();
    URL.revokeObjectURL(link.href);
  }
}
