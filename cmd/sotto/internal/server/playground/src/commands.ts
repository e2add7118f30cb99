// The present choice as a command line and as a request, to be used outside of the page.

import type { Opening } from './api';
import { find, make } from './dom';

const shown = find('as-text');
const said = find('copied');

export const quoted = (s: string): string => (/^[\w./:=-]+$/.test(s) ? s : `'${s.replaceAll("'", "'\\''")}'`);

// paying names the account, and a ledger as the documents do: the page does not know the service's.
export const paying = (account: string): string => (account === '' ? '' : ` --account ${quoted(account)} --ledger budgets.db`);

// command returns a command line that opens the same mechanism. The text is in a file, so
// that no history of a shell has it. A file is one text, as here, and not one of each line.
export function command(o: Opening, account: string): string {
  const flags: [string, string | number | undefined][] = [
    ['format', o.unit === 'text' ? 'text' : undefined],
    ['unit', o.unit], ['corpus', o.corpus], ['mechanism', o.mechanism], ['notion', o.notion], ['epsilon', o.epsilon], ['objective', o.objective],
    ['attack', o.attack], ['accept', o.accept], ['embeddings', o.embeddings === 'english' ? undefined : o.embeddings],
  ];
  const given = flags.filter(([, value]) => value !== undefined).map(([name, value]) => ` --${name} ${quoted(String(value))}`);
  return `sotto rewrite${given.join('')}${paying(account)} --report report.json -o private.txt text.txt`;
}

// request returns a request with curl, of the text in that file. It has no key of the service. One
// that charges has an idempotency key of its own, so that its last line can be repeated.
export function request(o: Opening, account: string, keys: boolean): string {
  const options = JSON.stringify({ ...o, ...(account === '' ? {} : { account }) }).slice(1);
  const body = `{"texts":[rtrimstr("\\n")],${options}`;
  const key = keys ? ' -H "Authorization: Bearer $SOTTO_KEY"' : '';
  const [made, once] = account === '' ? ['', ''] : ["key=$(od -An -tx1 -N16 /dev/urandom | tr -d ' ')\n", ' -H "Idempotency-Key: $key"'];
  return `${made}jq -Rsc ${quoted(body)} text.txt | curl -sS -H 'Content-Type: application/json'${key}${once} --data @- ${quoted(`${location.origin}/v1/rewrite`)}`;
}

// offer shows a text to be copied, and copies it where the browser lets the page.
export async function offer(text: string): Promise<void> {
  shown.replaceChildren(make('code', '', text));
  shown.hidden = false;
  try {
    await navigator.clipboard.writeText(text);
    said.textContent = 'Copied.';
  } catch {
    said.textContent = 'Select it below to copy it.';
  }
}

// withdraw hides what was offered for another choice.
export function withdraw(): void {
  shown.hidden = true;
  said.textContent = '';
}
