// What the service answers, as far as the page reads it, and how it is asked.

export interface Member {
  name: string;
  recommended: boolean;
  closed?: string;
  accept?: string;
  notion?: string;
  stops: number[];
  start: number;
}

export interface Table {
  name: string;
  language: string; // empty: of any
  words: number;
  pieces?: boolean; // the words of the table are pieces of words
  dimensions: number;
  members: Member[];
}

export interface Corpus {
  name: string;
  texts: number;
  stops: number[];
  start: number;
}

export interface Settings {
  version: string;
  keys: boolean;
  uncharged: boolean;
  ledger: boolean;
  accounts: string[] | null;
  texts: number;
  text: number;
  body: number;
  tables: Table[];
  corpora: Corpus[];
  records: { stops: number[]; start: number };
  marks: { types: string[]; stops: number[]; start: number } | null; // null: not for this key
}

export interface Claim {
  unit: string;
  neighbouring: 'replace' | 'add-remove';
  notion: 'pure' | 'approximate' | 'metric' | 'metric-approximate' | 'none';
  distance: string | null;
  epsilon: number | null;
  delta: number;
}

export interface Mechanism {
  name: string;
  summary: string;
  paper: string;
  standing: 'unknown' | 'refuted' | 'stated' | 'proved';
  published: Claim | null;
  notion: Claim['notion'];
  finding?: string[];
}

export interface ReadWord {
  word: string;
  known: boolean;
}

// Mark is a marked place, in characters.
export interface Mark {
  start: number;
  end: number;
  entity_type: string;
}

export interface Reading {
  results: { words?: ReadWord[]; marks?: Mark[]; error?: string }[];
  promise: string;
  statement: {
    claim: Claim;
    tokens: number | null; // null for whole texts
    draws: number;
    neighbours?: number;
    inside?: number;
    corpus?: { name: string; texts: number };
    document_epsilon_max: number | null;
    document_delta_max: number;
    not_protected: string[];
    types?: Record<string, { epsilon: number; values: number }>; // of the marks that there are
    embeddings: { words: number };
  };
  linkage?: { among: number; limit: number; blind: number }; // of whole texts
  cost: Amount | null;
}

export interface Amount {
  epsilon: number;
  delta: number;
}

interface Receipt {
  account: string;
  charge: number;
  cost: Amount;
  remaining: Amount;
}

export interface Drawing {
  results: { text?: string; pieces?: string[]; error?: string }[];
  receipt: Receipt | null;
}

export interface Synthesis {
  records: { text: string; labels?: string[] }[];
  by?: { name: string; values: string[] }[];
  epsilon: number;
  corpus: string;
  expect: number;
  account?: string;
}

export interface Synthesized {
  rows: { labels: string[]; text: string }[];
  receipt: Receipt | null;
}

export interface Explained {
  word: string;
  known: boolean;
  unchanged: number;
  expected_distance: number;
  outputs: { word: string; probability: number }[];
  rest: number;
  others: number;
  neighbours?: number; // of the set, where there is one
  inside?: number;
}

export interface ExplainedText {
  text: string;
  neighbours: number;
  inside: number;
  outputs: { index: number; text: string; probability: number }[];
}

export interface Row {
  mechanism: string;
  epsilon: number;
  unchanged: number;
  expected_distance: number;
  attack_success: number | null;
  attack_success_low: number;
  sampled: { draws: number; confidence: number; unchanged: [number, number] } | null;
}

interface Share {
  share: number;
  low: number;
  high: number;
}

// Measured is what an attack on public news found at an epsilon.
interface Measured {
  epsilon: number;
  recovered_in_context: Share;
  recovered_rare: Share;
}

export interface Figures {
  reader: { sentence: string; measured: { below: Measured; above: Measured } | null };
  row: Row;
  curve: Row[];
  limits: { epsilon: number; unchanged: number }[];
  most_exposed: { mean: number; alike: number; words: { word: string; unchanged: number; recovered: number }[] } | null;
}

export interface Account {
  account: string;
  notion: 'pure' | 'approximate' | 'metric';
  unit: string | null;
  neighbouring: Claim['neighbouring'] | null;
  remaining: Amount;
  spent: Amount;
  limits: { period_seconds: number | null; granted: Amount; spent: Amount; remaining: Amount; period_ends: string | null }[];
}

// Problem is an error of the service (RFC 9457).
export class Problem extends Error {
  constructor(
    readonly type: string,
    readonly status: number,
    detail: string,
    readonly retryAfter: number,
    readonly cost: Amount | null,
    readonly remaining: Amount | null,
    readonly periodEnds: string | null,
  ) {
    super(detail);
  }
}

interface ProblemDocument {
  type?: string;
  title?: string;
  detail?: string;
  cost?: Amount;
  remaining?: Amount;
  period_ends?: string;
}

export interface Opening {
  mechanism?: string;
  notion?: string;
  epsilon: number;
  embeddings?: string;
  accept?: string;
  unit?: 'text';
  corpus?: string;
  objective?: string;
  attack?: number;
}

// The key lives in this variable and nowhere else: it is gone with the page.
let key = '';

export function setKey(value: string): void {
  key = value.trim();
}

async function ask<T>(path: string, body: unknown, signal: AbortSignal | null, headers: Record<string, string> = {}): Promise<T> {
  const all: Record<string, string> = { ...headers };
  if (key !== '') all['Authorization'] = `Bearer ${key}`;
  const init: RequestInit = { headers: all, signal, cache: 'no-store', credentials: 'omit', redirect: 'error' };
  if (body !== undefined) {
    all['Content-Type'] = 'application/json';
    init.method = 'POST';
    init.body = JSON.stringify(body);
  }
  const answer = await fetch(path, init);
  if (answer.ok) return (await answer.json()) as T;
  const p = (await answer.json().catch(() => ({}))) as ProblemDocument;
  throw new Problem(
    p.type ?? 'unknown',
    answer.status,
    p.detail ?? p.title ?? `status ${answer.status}`,
    Number(answer.headers.get('Retry-After') ?? 0),
    p.cost ?? null,
    p.remaining ?? null,
    p.period_ends ?? null,
  );
}

// patiently asks again where the service says that it will soon know, until the signal.
async function patiently<T>(signal: AbortSignal, once: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await once();
    } catch (e) {
      if (!(e instanceof Problem) || e.retryAfter === 0 || (e.type !== 'opening' && e.type !== 'too-many-requests') || signal.aborted) throw e;
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, e.retryAfter * 1000);
        signal.addEventListener('abort', () => {
          clearTimeout(timer);
          reject(e);
        }, { once: true });
      });
    }
  }
}

// awaited asks for what somebody waits for beside a button: again for a minute, where the service is busy.
const awaited = <T>(path: string, body: unknown, headers: Record<string, string>): Promise<T> =>
  patiently(AbortSignal.timeout(60_000), () => ask<T>(path, body, null, headers));

export const settings = (): Promise<Settings> => ask('/v1/playground', undefined, null);
export const mechanisms = (): Promise<{ mechanisms: Mechanism[] }> => ask('/v1/mechanisms', undefined, null);
export const account = (name: string, signal: AbortSignal): Promise<Account> =>
  ask(`/v1/accounts/${encodeURIComponent(name)}`, undefined, signal);
export const read = (text: string, o: Opening, signal: AbortSignal): Promise<Reading> =>
  patiently(signal, () => ask('/v1/read', { texts: [text], ...o }, signal));
export const readMarks = (text: string, o: Opening, asked: { spans: [Mark[]]; mark_patterns: boolean }, signal: AbortSignal): Promise<Reading> =>
  patiently(signal, () => ask('/v1/read', { texts: [text], typed: true, ...asked, ...o }, signal));
export const drawMarks = (text: string, o: Opening, marks: Mark[], signal: AbortSignal): Promise<Drawing> =>
  patiently(signal, () => ask('/v1/rewrite', { texts: [text], typed: true, strict_types: true, spans: [marks], pieces: true, ...o }, signal));
export const figures = (o: Opening, signal: AbortSignal): Promise<Figures> =>
  patiently(signal, () => ask('/v1/figures', o, signal));
// try draws without an account.
export const draw = (text: string, o: Opening, signal: AbortSignal): Promise<Drawing> =>
  patiently(signal, () => ask('/v1/rewrite', { texts: [text], pieces: true, ...o }, signal));
// release draws what an account pays for. It is never aborted: it may be charged.
export const release = (text: string, o: Opening, payer: string, idempotency: string): Promise<Drawing> =>
  awaited('/v1/rewrite', { texts: [text], pieces: true, ...o, account: payer }, { 'Idempotency-Key': idempotency });
// synthesize copies a corpus. It is never aborted: it may be charged.
export const synthesize = (asked: Synthesis, idempotency: string): Promise<Synthesized> =>
  awaited('/v1/synthesize', asked, asked.account === undefined ? {} : { 'Idempotency-Key': idempotency });
export const explain = async (word: string, o: Opening, signal: AbortSignal): Promise<Explained> => {
  const answer = await patiently(signal, () => ask<{ words: Explained[] }>('/v1/explain', { words: [word], top: 12, ...o }, signal));
  const first = answer.words[0];
  if (first === undefined) throw new Error('no distribution came');
  return first;
};
export const explainText = async (text: string, o: Opening, signal: AbortSignal): Promise<ExplainedText> => {
  const answer = await patiently(signal, () => ask<{ texts: ExplainedText[] }>('/v1/explain', { texts: [text], top: 12, ...o }, signal));
  const first = answer.texts[0];
  if (first === undefined) throw new Error('no distribution came');
  return first;
};

// unguessable names a release, so that a retry is charged once.
export function unguessable(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}
