// CSV as spreadsheets write it: fields in quotes may have separators, line ends and doubled
// quotes. Nothing of it is guessed but the separator, from the header.

export interface Table {
  header: string[];
  rows: string[][];
  separator: string;
}

// parse reads a table, and throws what is wrong with it, by line.
export function parse(text: string): Table {
  const data = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const head = data.slice(0, data.search(/[\r\n]/) < 0 ? data.length : data.search(/[\r\n]/));
  const separator = [',', ';', '\t'].reduce((a, b) => (head.split(b).length > head.split(a).length ? b : a));
  const all: string[][] = [];
  let row: string[] = [], field = '', at = 0, line = 1;
  while (at < data.length) {
    if (data[at] === '"') {
      const from = line;
      for (at++; ; at++) {
        if (at >= data.length) throw new Error(`Line ${from}: a quote is opened and not closed.`);
        if (data[at] === '\n') line++;
        if (data[at] !== '"') field += data[at];
        else if (data[at + 1] === '"') field += data[at++];
        else break;
      }
      at++;
      if (at < data.length && data[at] !== separator && data[at] !== '\n' && data[at] !== '\r') throw new Error(`Line ${line}: text follows a closing quote.`);
    } else {
      const from = at;
      while (at < data.length && data[at] !== separator && data[at] !== '\n' && data[at] !== '\r') at++;
      field = data.slice(from, at);
    }
    row.push(field);
    field = '';
    if (data[at] === separator) {
      at++;
      if (at < data.length) continue;
      row.push('');
    }
    if (data[at] === '\r') at++;
    if (data[at] === '\n') at++;
    if (row.length > 1 || row[0] !== '') {
      if (all.length > 0 && row.length !== all[0]!.length) throw new Error(`Line ${line}: ${row.length} fields, and the header has ${all[0]!.length}.`);
      all.push(row);
    }
    row = [];
    line++;
  }
  const [header, ...rows] = all;
  if (header === undefined || rows.length === 0) throw new Error('The file has no header with rows below it.');
  return { header, rows, separator };
}

// format writes a table that parse reads.
export function format({ header, rows, separator }: Table): string {
  const quoted = (s: string): string => (/["\r\n]/.test(s) || s.includes(separator) ? `"${s.replaceAll('"', '""')}"` : s);
  return [header, ...rows].map((row) => `${row.map(quoted).join(separator)}\n`).join('');
}
