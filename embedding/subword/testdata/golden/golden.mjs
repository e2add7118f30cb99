// Writes golden.json: tokenizer files of every supported form, over small vocabularies, and
// the tokens that the library tokenizers (Hugging Face, Rust) gives for texts of ten
// languages and hostile ones.
//
//   npm install && node golden.mjs > ../golden.json
import { createRequire } from "node:module";
const { Tokenizer } = createRequire(import.meta.url)("@anush008/tokenizers");

const texts = [
  "The train to Cambridge leaves at 7:45, doesn't it? I've paid £12.50 -- twice!",
  "Straße, Übermut und Größe: das Käuzchen ruft um Mitternacht.",
  "L'été dernier, nous sommes allés à la plage où l'eau était glacée…",
  "¿Dónde está mi pedido? ¡Llegó ayer, pero roto! Señor Núñez",
  "Поезд прибывает в полночь; ёлка уже стоит, съёмка окончена.",
  "今天天气很好，我们去公园吧。订单号12345",
  "東京タワーへ行きました。ﾊﾝｶｸ カタカナ　と全角ＡＢＣ１２３",
  "وصل الطلب متأخرًا، ولم يردّ أحد على الهاتف ١٢٣٤.",
  "मेरा पार्सल कहाँ है? कृपया जल्दी भेजें।",
  "รถไฟออกตอนเช้า ฉันยังไม่ได้รับพัสดุ",
  "주문한 상품이 아직 도착하지 않았어요. ㅠㅠ",
  "İstanbul'da ILIK bir gün; ıssız ΣΊΣΥΦΟΣ ὈΔΥΣΣΕΎΣ",
  "", " ", "   leading and trailing   ", "tab\tnew\nline\r\n\r\nend \n ", "a\u00a0b\u2003c\u200bd\ufeffe\u200ef",
  "\u0000null\u0001\u007f\u0085\u00ad\ue000\ufffd", "e\u0301 n\u0303 \u0301alone o\u0308\u0323", "👩‍👩‍👧‍👦 👍🏽 🇩🇪 ☃️ 𝔘𝔫𝔦 ①② ﬁﬂ ½ x² Ⅷ",
  "[CLS] text [MASK][SEP]<mask>  <s>[UNK]<unk>x[PAD]", "un[MASK]known  [mask] Heyword HEY hey-you", "  <mask>  mask",
  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "x".repeat(130), "!!!???...,,,", "$100+20=120 <b>|a|</b> `c` ~^", "under_score camelCase HTTP2 3rd 10,000.5",
  "it's we're I'll they'd I'M DON'T 'tis", "▁▁ spiece ▁x ##ing Ġbyte", "㐀豈𠀀 㘚 漢字kanji", "\u1680ogham\u2028sep\u2029\u205f\u3000", "ǅ ŉ ß ẞ ſ K Å",
];

const samples = texts.slice(0, 12).join(" ") + " the train at it is and in to of un know ing ed er hey you mask text known hello world word";

function counted(normal, most, mark) {
  const counts = new Map();
  for (const word of normal.split(/\s+/u)) {
    const chars = [...word];
    for (let i = 0; i < chars.length; i++)
      for (let n = 1; n <= 5 && i + n <= chars.length; n++) {
        const t = mark(chars.slice(i, i + n).join(""), i);
        counts.set(t, (counts.get(t) ?? 0) + n);
      }
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, most);
}
const ids = (tokens) => Object.fromEntries(tokens.map((t, i) => [t, i]));
const token = (id, content, more) => ({ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true, ...more });

const pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ...counted(samples.toLowerCase().normalize("NFD").replace(/\p{Mn}/gu, ""), 900, (t, i) => (i ? "##" + t : t)).map((x) => x[0])];
const wordPiece = { type: "WordPiece", unk_token: "[UNK]", continuing_subword_prefix: "##", max_input_chars_per_word: 100, vocab: ids(pieces) };
const bertAdded = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"].map((c, i) => token(i, c));

const of = {};
const bytes = (() => {
  let other = 256;
  for (let b = 0; b < 256; b++) of[b] = String.fromCodePoint((b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174 ? b : other++);
  return (s) => [...Buffer.from(s)].map((b) => of[b]).join("");
})();
function learnt(words, start, most) {
  const tokens = [...start], merges = [];
  let list = words.map((w) => [...w]);
  while (merges.length < most) {
    const counts = new Map();
    for (const w of list) for (let i = 0; i + 1 < w.length; i++) { if (!tokens.includes(w[i]) || !tokens.includes(w[i + 1])) continue; const k = w[i] + " " + w[i + 1]; counts.set(k, (counts.get(k) ?? 0) + 1); }
    const [pair, n] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0] ?? ["", 0];
    if (n < 2) break;
    const [a, b] = pair.split(" ");
    merges.push([a, b]);
    if (!tokens.includes(a + b)) tokens.push(a + b);
    list = list.map((w) => { const out = []; for (let i = 0; i < w.length; i++) if (w[i] === a && w[i + 1] === b) { out.push(a + b); i++; } else out.push(w[i]); return out; });
  }
  return { tokens, merges };
}
const byteLevel = learnt((samples + " " + samples.toLowerCase()).split(/(?= )/u).map(bytes), Object.values(of), 300);
const spaced = learnt(samples.split(/\s+/u).map((w) => "▁" + w), ["<unk>", ...Array.from({ length: 256 }, (_, b) => "<0x" + b.toString(16).toUpperCase().padStart(2, "0") + ">"), ..."▁abcdefghijklmnopqrstuvwxyzTIé"], 250);
const ended = learnt(samples.toLowerCase().split(/\s+/u).map((w) => w), [..."abcdefghijklmnopqrstuvwxyz"], 150);
const bpe = (l, more) => ({ type: "BPE", dropout: null, unk_token: null, continuing_subword_prefix: null, end_of_word_suffix: null, fuse_unk: false, byte_fallback: false, ignore_merges: false, vocab: ids(l.tokens), merges: l.merges, ...more });
const likely = [["<unk>", 0], ["<s>", 0], ["[UNK]", -3.5], ...counted("▁" + samples.split(/\s+/u).join(" ▁"), 1200, (t) => t).map(([t, n]) => [t, Math.log(n / 20000)])];

// A double array of a few characters, as SentencePiece compiles one.
function charsMap(rules) {
  let texts = Buffer.alloc(0);
  const root = { next: new Map() };
  for (const [from, to] of rules) {
    let node = root;
    for (const b of Buffer.from(from)) { if (!node.next.has(b)) node.next.set(b, { next: new Map() }); node = node.next.get(b); }
    node.value = texts.length;
    texts = Buffer.concat([texts, Buffer.from(to), Buffer.from([0])]);
  }
  const units = [0], used = new Set([0]);
  const place = (node, pos) => {
    for (let base = 1; ; base++) {
      const at = [...node.next.keys()].map((b) => base ^ b);
      if (node.value !== undefined) at.push(base);
      if (at.some((p) => used.has(p))) continue;
      at.forEach((p) => used.add(p));
      units[pos] = ((units[pos] ?? 0) | ((pos ^ base) << 10)) >>> 0;
      if (node.value !== undefined) { units[pos] = (units[pos] | 256) >>> 0; units[base] = (node.value | (1 << 31)) >>> 0; }
      for (const [b, child] of node.next) { units[base ^ b] = b; place(child, base ^ b); }
      return;
    }
  };
  place(root, 0);
  const array = Buffer.alloc(4 * (units.length + 256));
  units.forEach((u, i) => array.writeUInt32LE(u ?? 0, 4 * i));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(array.length);
  return Buffer.concat([size, array, texts]).toString("base64");
}
const precompiled = { type: "Precompiled", precompiled_charsmap: charsMap([["ﬁ", "fi"], ["Ａ", "A"], ["１", "1"], ["①", "1"], ["\u00a0", " "], ["\t", " "], ["\n", " "], ["\u200b", ""], ["e\u0301", "é"], ["が", "か"], ["½", "1/2"], ["\u3000", " "]]) };

const gpt4 = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const sequence = (...pretokenizers) => ({ type: "Sequence", pretokenizers });
const normal = (...normalizers) => ({ type: "Sequence", normalizers });
const bert = (more) => ({ type: "BertNormalizer", clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true, ...more });
const metaspace = (more) => ({ type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: true, ...more });
const levelled = (more) => ({ type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true, ...more });
const split = (pattern, behavior, invert = false) => ({ type: "Split", pattern, behavior, invert });
const unigram = (more) => ({ type: "Unigram", unk_id: 0, vocab: likely, byte_fallback: false, ...more });
const marks = [..."!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"].map((c) => ({ type: "Replace", pattern: { String: c }, content: ` ${c} ` }));

const cases = {
  bert: { normalizer: bert(), pre_tokenizer: { type: "BertPreTokenizer" }, model: wordPiece, added_tokens: bertAdded },
  "bert cased": { normalizer: bert({ lowercase: false, handle_chinese_chars: false, clean_text: false }), pre_tokenizer: { type: "BertPreTokenizer" }, model: { ...wordPiece, max_input_chars_per_word: 7 }, added_tokens: bertAdded },
  "bert stripped": { normalizer: bert({ lowercase: false, strip_accents: true }), pre_tokenizer: sequence({ type: "Whitespace" }, { type: "Digits", individual_digits: true }), model: wordPiece, added_tokens: [token(1, "[UNK]"), token(4, "[MASK]", { lstrip: true, rstrip: true }), token(pieces.indexOf("hey"), "hey", { normalized: true, single_word: true, special: false })], truncation: { direction: "Right", max_length: 11, strategy: "LongestFirst", stride: 0 } },
  "byte level": { normalizer: null, pre_tokenizer: levelled(), model: bpe(byteLevel), added_tokens: [token(byteLevel.tokens.length, "<mask>", { lstrip: true })] },
  "byte level prefixed": { normalizer: { type: "NFC" }, pre_tokenizer: sequence({ type: "Digits", individual_digits: false }, levelled({ add_prefix_space: true })), model: bpe(byteLevel, { ignore_merges: true }), added_tokens: [token(byteLevel.tokens.length, "<mask>")] },
  "gpt-4": { normalizer: null, pre_tokenizer: sequence(split({ Regex: gpt4 }, "Isolated"), levelled({ use_regex: false })), model: bpe({ ...byteLevel, merges: byteLevel.merges.map((m) => m.join(" ")) }, {}), added_tokens: [] },
  "byte fallback": { normalizer: normal({ type: "Prepend", prepend: "▁" }, { type: "Replace", pattern: { String: " " }, content: "▁" }), pre_tokenizer: null, model: bpe(spaced, { unk_token: "<unk>", fuse_unk: true, byte_fallback: true }), added_tokens: [token(0, "<unk>")] },
  "unknown apart": { normalizer: { type: "NFKD" }, pre_tokenizer: { type: "WhitespaceSplit" }, model: bpe({ tokens: ["<unk>", ...ended.tokens], merges: ended.merges }, { unk_token: "<unk>" }), added_tokens: [] },
  "end of word": { normalizer: normal({ type: "NFKC" }, { type: "Lowercase" }), pre_tokenizer: sequence({ type: "WhitespaceSplit" }, { type: "Punctuation", behavior: "MergedWithPrevious" }), model: bpe({ tokens: ["<unk>", ...ended.tokens, ...[..."abcdefghijklmnopqrstuvwxyz"].map((c) => c + "</w>"), "e</w>x", "he</w>"].filter((v, i, a) => a.indexOf(v) === i), merges: [...ended.merges, ["h", "e</w>"]] }, { unk_token: "<unk>", fuse_unk: true, end_of_word_suffix: "</w>" }), added_tokens: [] },
  unigram: { normalizer: normal(precompiled, { type: "Replace", pattern: { Regex: " {2,}" }, content: " " }), pre_tokenizer: metaspace(), model: unigram(), added_tokens: [token(0, "<unk>"), token(1, "<s>"), token(likely.length, "<mask>", { lstrip: true })] },
  "model2vec": { normalizer: normal({ type: "NFKC" }, { type: "Lowercase" }, ...marks, { type: "Replace", pattern: { Regex: "\\s+" }, content: " " }, { type: "Strip", strip_left: false, strip_right: true }), pre_tokenizer: metaspace({ split: false }), model: unigram({ unk_id: 2 }), added_tokens: [token(2, "[UNK]")] },
  "unigram first": { normalizer: null, pre_tokenizer: sequence({ type: "WhitespaceSplit" }, metaspace({ prepend_scheme: "first" })), model: unigram(), added_tokens: [token(1, "<s>")] },
  "words": { normalizer: { type: "Lowercase" }, pre_tokenizer: sequence({ type: "CharDelimiterSplit", delimiter: " " }, { type: "Punctuation", behavior: "Contiguous" }, split({ Regex: "\\d+" }, "MergedWithNext"), split({ String: "-" }, "MergedWithPrevious"), split({ Regex: "[a-z\\s]+" }, "Removed", true)), model: { type: "WordLevel", unk_token: "?", vocab: ids(["?", ..."the train to at it is and a b c d e text known you hey x the- in 7".split(" ")]) }, added_tokens: [] },
};

const out = [];
for (const [name, c] of Object.entries(cases)) {
  const file = { version: "1.0", truncation: null, padding: null, post_processor: null, decoder: null, ...c };
  const t = Tokenizer.fromString(JSON.stringify(file));
  const found = [];
  for (const text of texts) found.push((await t.encode(text, null, { addSpecialTokens: false })).getIds());
  out.push({ name, tokenizer: file, ids: found });
}
process.stdout.write(JSON.stringify({ texts, cases: out }) + "\n");
