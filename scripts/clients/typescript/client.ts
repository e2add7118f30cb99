// Uses the client whose types openapi-typescript makes. Arguments: the service's address
// and a key that may charge the accounts carol and notes.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

const [, , baseUrl = "", secret = ""] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${secret}` } });
type Problem = components["schemas"]["Problem"];

// given returns the answer of a request that must have one.
function given<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  assert.ok(answer.data !== undefined, `status ${answer.response.status}: ${JSON.stringify(answer.error)}`);
  return answer.data;
}

async function charges(id: string): Promise<number> {
  return given(await client.GET("/v1/accounts/{id}", { params: { path: { id } } })).charges;
}

const texts = ["my doctor in Boston agreed", null];
const cost = given(await client.POST("/v1/cost", { body: { texts, epsilon: 2.5, account: "carol", fast: true } }));
assert.equal(cost.account_suffices, true);

const rewritten = new Set<string>();
let header = { "Idempotency-Key": randomUUID() };
for (let tries = 0; tries < 2; tries++) {
  const answer = await client.POST("/v1/rewrite", { params: { header }, body: { texts, epsilon: 2.5, account: "carol", parameters: { neighbours: 5 } } });
  const { results, receipt } = given(answer);
  assert.equal(receipt?.account, "carol");
  assert.equal(answer.response.headers.get("Idempotent-Replayed"), tries === 0 ? null : "true");
  rewritten.add(JSON.stringify(results));
}
assert.equal(rewritten.size, 1);
assert.equal(await charges("carol"), 1);

header = { "Idempotency-Key": randomUUID() };
for (let tries = 0; tries < 2; tries++) {
  const records = [{ text: "My order has not arrived.", labels: ["late", 1] }];
  const { claim, receipt } = given(await client.POST("/v1/synthesize", { params: { header }, body: { records, epsilon: 2.5, expect: 50, account: "notes" } }));
  assert.equal(claim.unit, "record");
  assert.equal(receipt?.cost.epsilon, 2.5);
}
assert.equal(await charges("notes"), 1);

const explained = given(await client.POST("/v1/explain", { body: { words: ["doctor"], epsilon: 2.5, top: 3 } }));
assert.equal(explained.words?.[0]?.outputs.length, 3);

const refused = await client.POST("/v1/rewrite", { body: { texts, epsilon: 30, account: "carol" } });
const problem: Problem | undefined = refused.error;
assert.equal(problem?.type, "budget-exhausted");
assert.ok(problem.remaining !== undefined);
console.log("openapi-typescript: cost, rewrite, synthesize, explain, accounts and a refusal; a retry is charged once");
