// One owner's key in two homes, as with an ssh-agent: whatever was signed for one is laid before the other, past constel and through its verbs.
// None of it is believed there. What was signed before signatures named their constellation stays readable, and is shown as that.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { auditEvidence, auditMachine } from "../../host/keys/audit-machine.ts";
import { busKeys } from "../../host/keys/bus-keys.ts";
import { makeKey, privateFrom, signWith } from "../../host/keys/ed25519.ts";
import { keyFile, makeOwnerKey, readRingOf, ringFile, signingKey } from "../../host/keys/key-files.ts";
import { constellationSigner } from "../../host/keys/row-signer.ts";
import { FakeClock, seededRandom } from "../../ports/fake-clock.ts";
import { directiveBytes } from "../../protocol/owners-word.ts";
import { systemProcesses } from "../../host/process/run.ts";
import { answerApproval, askApproval, hearApproval, listApprovals } from "../approvals/approve.ts";
import { addClaim, heldClaims, listClaims } from "../claims/claim.ts";
import { list as listDecisions, record } from "../decisions/decision.ts";
import { addDirective, listDirectives } from "../directives/directives.ts";
import { createToken, holderOf } from "../tokens/tokens.ts";
import { Anchoring } from "./anchor.ts";
import { verifyAudit } from "./verify.ts";
import { rejection } from "../../../test/kit/rejection.ts";

const stores = { mine: withStore(sqliteScene), other: withStore(sqliteScene) };
const owners = makeKey();
const directories: Record<string, ReturnType<typeof temporaryDirectory>> = {};
beforeEach(() => {
  for (const name of ["mine", "other"]) directories[name] = temporaryDirectory(`two-homes-${name}`);
});
afterEach(() => {
  for (const directory of Object.values(directories)) directory[Symbol.dispose]();
});

type Which = keyof typeof stores;

async function homeOf(which: Which) {
  const home = directories[which]?.path ?? "";
  const { clock, scene } = stores[which];
  makeOwnerKey(home, clock, { kept: { by: "ssh-agent", key: owners } });
  await stores[which].reopen({ sign: constellationSigner(home, clock), random: seededRandom(which.length) });
  const { store } = stores[which];
  await scene.raw(
    `insert into worktrees (constellation, path, repository, uncommitted, agent, first_seen_ms, last_observed_ms)
      values ('constel0', '/r', 'r', 0, 'agent1', 1, 1)`,
  );
  const { constellation } = signingKey(home, "constellation", clock);
  const key = privateFrom(owners.privateKey);
  const signAsOwner = (bytes: Uint8Array): string => signWith({ id: owners.id, key, constellation }, bytes);
  const context = {
    store,
    clock,
    random: seededRandom(which.length),
    constellation: "constel0",
    audit: auditEvidence(home),
    actor: "owner",
    known: "kernel: no agent's process",
    signAsOwner,
    texts: { hideSecrets: async (text: string) => text },
    router: async () => async () => ({ addressed: [], recipients: [] }) as never,
  };
  return { home, context, scene, signAsOwner };
}

const word = { id: "dir_00000000000000000000000001", at_ms: new FakeClock().nowMs(), text: "Nothing lands today." };
type Home = Awaited<ReturnType<typeof homeOf>>;

/** One of everything that the owner's key signs. */
async function signEverything({ context, signAsOwner }: Home) {
  await addDirective(context, { ...word, sig: signAsOwner(directiveBytes(word)) });
  await record(context, { title: "ours", text: "", draft: false, files: [] });
  await addClaim({ ...context, actor: "agent1" }, claim);
  const { token } = await createToken(context, { name: "wall", role: "human", scope: [], expires_ms: null });
  const { id } = await askApproval({ ...context, actor: "agent1" }, asked);
  await answerApproval(context, { id, allow: true });
  return { token, approval: id };
}

const claim = {
  repository: "r",
  top: "/r",
  cwd: "/r",
  words: [{ word: "a.ts", isThere: false }],
  forMs: 60_000,
  severity: "medium",
  reason: "mine",
} as const;
const asked = {
  request: "request-1",
  agent: "agent1",
  runtime: "claude",
  task: null,
  tool: "Bash",
  asked: "make deploy",
  part: "make",
  why: "no rule",
  cwd: "/r",
  timeoutMs: 60_000,
};

const tables = ["signed_directives", "decisions", "claims", "tokens", "approvals"] as const;

/** Puts the rows of one home into the database of the other, past constel. */
async function copyRows(from: Home, to: Home): Promise<void> {
  for (const table of tables)
    for (const row of await from.scene.raw(`select * from ${table}`)) {
      const values = Object.values(row).map((value) =>
        value === null ? "null" : typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value),
      );
      await to.scene.raw(`insert into ${table} (${Object.keys(row).join(", ")}) values (${values.join(", ")})`);
    }
}

const standings = async ({ context }: Home) => ({
  directive: (await listDirectives(context, { limit: 9 })).directives.map((one) => one.owner_verified),
  decision: (await listDecisions(context, { states: ["draft", "active"], limit: 9 })).decisions.map((one) => [
    one.signature,
    one.owner_verified,
  ]),
  claim: (await listClaims(context, {})).claims.map((one) => one.signature),
  approval: (await listApprovals(context, { all: true })).approvals.map((one) => one.signature),
});

test("what the owner signed for one home is not believed in another that knows the same key", async () => {
  const [mine, other] = [await homeOf("mine"), await homeOf("other")];
  const { token, approval } = await signEverything(mine);
  expect(await standings(mine)).toEqual({
    directive: [true],
    decision: [["verified", true]],
    claim: ["verified"],
    approval: ["verified"],
  });
  expect(await verifyAudit(mine.context)).toMatchObject({ ok: true });
  expect(
    await rejection(addDirective(other.context, { ...word, sig: mine.signAsOwner(directiveBytes(word)) })),
  ).toMatchObject({ code: "directive.not-owners" });
  await copyRows(mine, other);
  expect(await standings(other)).toEqual({
    directive: [false],
    decision: [["wrong", false]],
    claim: ["wrong"],
    approval: ["wrong"],
  });
  expect(await holderOf(mine.context, token)).toMatchObject({ role: "human" });
  expect(await holderOf(other.context, token)).toBeUndefined();
  expect([...(await heldClaims(other.context)).byRepository.values()].flat()).toEqual([]);
  expect(await hearApproval({ ...other.context, actor: "agent1" }, approval)).toMatchObject({ state: "denied" });
  expect(await verifyAudit(other.context)).toMatchObject({ ok: false });
});

test("neither do messages, anchored heads, events and statements about keys of one home count in the other", async () => {
  const [mine, other] = [await homeOf("mine"), await homeOf("other")];
  // The owner's messages, with the key in a file of both homes.
  for (const { home } of [mine, other]) {
    const file = JSON.parse(readFileSync(join(home, keyFile("owner")), "utf8")) as object;
    writeFileSync(join(home, keyFile("owner")), JSON.stringify({ ...file, private: owners.privateKey }));
  }
  const clock = new FakeClock();
  const envelope = { from: "agentowner", to: "agent1", text: "stop", ts: new Date(clock.nowMs()).toISOString() };
  const sig = busKeys(mine.home, clock).sign(envelope) ?? "";
  expect(sig).toContain(owners.id);
  expect(busKeys(mine.home, clock).verify({ ...envelope, sig })).toBe(true);
  expect(busKeys(other.home, clock).verify({ ...envelope, sig })).toBe(false);

  await record(mine.context, { title: "ours", text: "", draft: false, files: [] });
  await record(other.context, { title: "theirs", text: "", draft: false, files: [] });
  for (const { home, context } of [mine, other]) {
    const audit = auditMachine(home, { clock, processes: systemProcesses, command: [], env: {} });
    await new Anchoring({ ...context, audit }).round();
  }
  const heads = readFileSync(join(mine.home, "audit/heads.jsonl"), "utf8");
  expect(await verifyAudit(other.context)).toMatchObject({ ok: true });
  expect(await verifyAudit(other.context, { heads })).toMatchObject({ ok: false });
  const [signature] = await mine.scene.raw("select sig from event_signatures");
  await other.scene.raw(`update event_signatures set sig = '${String(signature?.["sig"])}'`);
  expect(await verifyAudit(other.context)).toMatchObject({ ok: false });
  const [, statement = ""] = readFileSync(join(mine.home, ringFile), "utf8").split("\n");
  appendFileSync(join(other.home, ringFile), `${statement}\n`);
  expect(readRingOf(other.home).problem).toBeDefined();
});
