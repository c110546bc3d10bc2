// Events, decisions, claims and approvals are signed, on both databases and with real keys: what is changed past constel no longer
// verifies, what was there before is readable as not signed, and keys may be replaced or revoked without losing what they signed.

import { describe, expect, test } from "bun:test";
import { type MakeScene, withStore } from "../../../test/kit/databases.ts";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { auditEvidence, auditMachine } from "../../host/keys/audit-machine.ts";
import { signWith } from "../../host/keys/ed25519.ts";
import { makeOwnerKey, ownerKey, revokeKey, rotateKey, signingKey } from "../../host/keys/key-files.ts";
import { constellationSigner, unguardedOwnerSigner } from "../../host/keys/row-signer.ts";
import { systemProcesses } from "../../host/process/run.ts";
import { Outage } from "../../protocol/errors.ts";
import { directiveBytes } from "../../protocol/owners-word.ts";
import { seededRandom } from "../../ports/fake-clock.ts";
import type { Dialect } from "../../store/tables.ts";
import { chainHash } from "../../store/timeline.ts";
import type { EventsTable } from "../../store/tables/timeline.ts";
import { answerApproval, askApproval, hearApproval, listApprovals } from "../approvals/approve.ts";
import { addClaim, heldClaims, listClaims } from "../claims/claim.ts";
import { list as listDecisions, record, settle } from "../decisions/decision.ts";
import { addDirective } from "../directives/directives.ts";
import { createToken, holderOf, revokeToken } from "../tokens/tokens.ts";
import { Anchoring } from "./anchor.ts";
import { digestOf } from "./anchors.ts";
import { verifyAudit } from "./verify.ts";
import { rejection } from "../../../test/kit/rejection.ts";

export function signaturesSuite(makeScene: MakeScene, dialect: Dialect): void {
  describe("signatures", () => {
    const here = withStore(makeScene);

    const begin = async () => {
      const directory = temporaryDirectory("signatures");
      const home = directory.path;
      const announce = (text: string) =>
        here.store.write((tx) => tx.record({ type: "n.seen", actor: "test", data: { text } }));
      const sign = constellationSigner(home, here.clock);
      const common = {
        clock: here.clock,
        random: seededRandom(3),
        constellation: "constel0",
        audit: auditEvidence(home),
      };
      const contextFor = (actor: string, known = "kernel: ancestor") => ({
        ...common,
        store: here.store,
        actor,
        known,
        signAsOwner: unguardedOwnerSigner(home, here.clock),
        texts: { hideSecrets: async (text: string) => text },
        router: async () => async () => ({ addressed: [], recipients: [] }) as never,
      });
      const verdict = () => verifyAudit(contextFor("owner"));
      return { home, announce, sign, contextFor, verdict, [Symbol.dispose]: () => directory[Symbol.dispose]() };
    };
    const unguarded =
      dialect === "sqlite"
        ? ["drop trigger events_no_update", "drop trigger events_no_delete"]
        : ["alter table events disable trigger all"];
    const guarded =
      dialect === "sqlite"
        ? [
            `create trigger events_no_update before update on events
    begin select raise(abort, 'events are append-only'); end`,
            `create trigger events_no_delete before delete on events
    when old.seq > coalesce((select pruned_seq from chain_heads where constellation = old.constellation), 0)
    begin select raise(abort, 'events are append-only'); end`,
          ]
        : ["alter table events enable trigger all"];

    test("events from before are readable as not signed; later ones are signed, and what is done to them is found", async () => {
      using at = await begin();
      await at.announce("before");
      await here.reopen({ sign: at.sign, random: seededRandom(11) });
      await Promise.all(["a", "b", "c"].map(at.announce));
      await at.announce("d");
      expect(await at.verdict()).toMatchObject({ ok: true, count: 5, signed: 4, unsigned: 1, anchors: 0 });

      // No head covers any of it, so only the signatures tell.
      const rows = (await here.scene.raw("select * from events where seq = 5")) as unknown as EventsTable[];
      const [last] = rows;
      const forged = { ...(last as EventsTable), seq: 5, at_ms: Number(last?.at_ms), actor: "owner" };
      const hash = chainHash(forged);
      const tamperings: [name: string, statements: string[], why: RegExp][] = [
        ["a signature taken away", ["delete from event_signatures where last_seq = 5"], /is not signed/],
        [
          "a signature of another's",
          ["update event_signatures set sig = (select min(sig) from event_signatures)"],
          /not hold/,
        ],
        ["a later time", ["update event_signatures set at_ms = at_ms + 1 where last_seq = 5"], /not hold/],
        [
          "signing said to begin later",
          ["delete from event_signatures where last_seq = 4", "update chain_heads set signed_since = 5"],
          /signed since event 2/,
        ],
        [
          "the last event rewritten, with the chain and its head",
          [
            ...unguarded,
            `update events set actor = 'owner', hash = '${hash}' where seq = 5`,
            `update chain_heads set hash = '${hash}'`,
            ...guarded,
          ],
          /not hold/,
        ],
      ];
      const rewritten = [
        ...unguarded,
        `update events set actor = 'owner', hash = '${hash}' where seq = 5`,
        `update chain_heads set hash = '${hash}'`,
        ...guarded,
      ];
      // Of a commit whose beginning was let go not all hashes are there, and its signature is not checked. None was let go here.
      const claimed = (first: number, last: number): string =>
        `update event_signatures set first_seq = ${first}, last_seq = ${last} where last_seq = 5`;
      const others: [first: number, last: number][] = [
        [4, 5],
        [2, 5],
        [1, 5],
        [5, 6],
        [5, 999],
      ];
      for (const [first, last] of others)
        tamperings.push([
          `the last event rewritten, under a signature that says it is for ${first} to ${last}`,
          [...rewritten, claimed(first, last)],
          /sign/,
        ]);
      const [fourth] = await here.scene.raw("select * from event_signatures where last_seq = 4");
      const names = Object.keys(fourth ?? {}).join(", ");
      tamperings.push([
        "the last event rewritten, and a signature put in between",
        [
          ...rewritten,
          claimed(5, 7),
          `insert into event_signatures (${names}) select ${names.replace(/\blast_seq\b/, "5")} from event_signatures where last_seq = 4`,
        ],
        /sign/,
      ]);
      await here.scene.raw(
        "create table saved_signatures as select * from event_signatures",
        "create table saved_events as select * from events",
        "create table saved_heads as select * from chain_heads",
      );
      for (const [name, statements, why] of tamperings) {
        await here.scene.raw(...statements);
        expect({ name, ...(await at.verdict()) }).toMatchObject({
          name,
          ok: false,
          problem: expect.stringMatching(why),
        });
        await here.scene.raw(
          ...unguarded,
          "delete from event_signatures",
          "insert into event_signatures select * from saved_signatures",
          "delete from events",
          "insert into events select * from saved_events",
          "delete from chain_heads",
          "insert into chain_heads select * from saved_heads",
          ...guarded,
        );
        expect({ name, ...(await at.verdict()) }).toMatchObject({ name, ok: true });
      }
    });

    test("a timeline and tables of more than a page are read to their end, once each", async () => {
      using at = await begin();
      await here.reopen({ sign: at.sign, random: seededRandom(11) });
      const recordMany = (count: number) =>
        here.store.write(async (tx) => {
          for (let n = 0; n < count; n++) await tx.record({ type: "n.seen", actor: "test", data: { n } });
        });
      // The second commit, and with it its one signature, goes over the end of the first page of events.
      await recordMany(900);
      await recordMany(200);
      const owners = at.contextFor("owner");
      const drafts = Array.from({ length: 501 }, (_, n) => ({ title: `${n}`, text: "", draft: true, files: [] }));
      const decided = await Promise.all(drafts.map((draft) => record(owners, draft)));
      expect(await at.verdict()).toMatchObject({ ok: true, problem: null, signed: 1_601 });
      // Should the second be counted twice, the one after it would not be looked at.
      const change = (ms: string): string => `update event_signatures set at_ms = at_ms ${ms} where first_seq = 1101`;
      await here.scene.raw(change("+ 1"));
      expect(await at.verdict()).toMatchObject({ ok: false, problem: expect.stringContaining("does not hold") });
      await here.scene.raw(change("- 1"));
      const last =
        decided
          .map(({ id }) => id)
          .toSorted()
          .at(-1) ?? "";
      await here.scene.raw(`update decisions set text = 'Ship it.' where id = '${last}'`);
      expect((await at.verdict()).problem).toContain(last);
    });

    test("a row whose change was told by an event that was let go is not called untold", async () => {
      using at = await begin();
      await here.reopen({ sign: at.sign, random: seededRandom(11) });
      const owners = at.contextFor("owner");
      await record(owners, { title: "told by an event that goes", text: "", draft: true, files: [] });
      here.clock.advance(3_600_000);
      await at.announce("stays");
      const audit = auditMachine(at.home, { clock: here.clock, processes: systemProcesses, command: [], env: {} });
      const rows = (await here.scene.raw("select hash from events where seq = 1")) as { hash: string }[];
      const [{ hash = "" } = {}] = rows;
      const anchoring = new Anchoring({ ...owners, audit });
      await anchoring.pruned({ seq: 1, hash, digest: digestOf([hash]) });
      await here.scene.raw(
        `update chain_heads set pruned_seq = 1, pruned_hash = '${hash}'`,
        "delete from events where seq = 1",
      );
      expect(await at.verdict()).toMatchObject({ ok: true, problem: null });
    });

    test("what was signed with a key that was replaced, or revoked since, stays verifiable; without a key nothing is lost", async () => {
      using at = await begin();
      await here.reopen({ sign: at.sign, random: seededRandom(11) });
      await at.announce("first key");
      here.clock.advance(3_600_000);
      rotateKey(at.home, "constellation", here.clock);
      await at.announce("second key");
      here.clock.advance(3_600_000);
      revokeKey(at.home, "constellation", here.clock, "lost");
      await at.announce("third key");
      expect(await at.verdict()).toMatchObject({ ok: true, signed: 3 });
      const logged: string[] = [];
      await here.reopen({
        sign: () => {
          throw new Outage("read", "the key", "it is gone");
        },
        log: (problem) => logged.push(problem),
      });
      await at.announce("no key");
      await at.announce("no key again");
      expect(logged).toEqual(["events are written without a signature"]);
      expect(await at.verdict()).toMatchObject({
        ok: false,
        broken_at: 4,
        problem: expect.stringContaining("not signed"),
      });
    });

    test("a decision, a claim and an approval are what was signed, or are shown and found as changed", async () => {
      using at = await begin();
      const old = await record(at.contextFor("owner"), { title: "from before", text: "", draft: false, files: [] });
      await here.reopen({ sign: at.sign, random: seededRandom(11) });
      makeOwnerKey(at.home, here.clock, {});
      here.clock.advance(1_000);
      const owners = at.contextFor("owner");
      const decided = await record(owners, { title: "the owner's", text: "", draft: false, files: [] });
      const clones = await record(at.contextFor("agent1"), { title: "a clone's", text: "", draft: false, files: [] });
      const standing = async () => {
        const { decisions } = await listDecisions(owners, { states: ["draft", "active", "rejected"], limit: 50 });
        return Object.fromEntries(decisions.map((one) => [one.title, [one.signature, one.owner_verified]]));
      };
      expect(await standing()).toEqual({
        "from before": ["not-signed", false],
        "the owner's": ["verified", true],
        "a clone's": ["verified", false],
      });
      await settle(owners, { id: old.id, verdict: "accept", reason: "" });
      expect((await standing())["from before"]).toEqual(["verified", true]);

      await here.scene.raw(
        `insert into worktrees (constellation, path, repository, uncommitted, agent, first_seen_ms, last_observed_ms)
          values ('constel0', '/r', 'r', 0, 'agent1', 1, 1)`,
      );
      await addClaim(at.contextFor("agent1"), {
        repository: "r",
        top: "/r",
        cwd: "/r",
        words: [{ word: "a.ts", isThere: false }],
        forMs: 60_000,
        severity: "medium",
        reason: "mine",
      });
      const held = async () => [...(await heldClaims(owners)).byRepository.values()].flat();
      expect(await held()).toHaveLength(1);
      const wish = { request: "request-1", agent: "agent1", runtime: "claude", task: null, tool: "Bash" };
      const approval = await askApproval(at.contextFor("agent1"), {
        ...wish,
        asked: "make deploy",
        part: "make",
        why: "no rule",
        cwd: "/r",
        timeoutMs: 60_000,
      });
      expect((await listClaims(owners, {})).claims).toMatchObject([{ signature: "verified" }]);
      expect((await listApprovals(owners, { all: true })).approvals).toMatchObject([{ signature: "verified" }]);
      expect(await at.verdict()).toMatchObject({ ok: true });

      // Somebody with the database's password.
      const found = async (...statements: string[]) => {
        await here.scene.raw(...statements);
        return (await at.verdict()).problem;
      };
      expect(await found(`update decisions set owner_verified = 1 where id = '${clones.id}'`)).toContain(clones.id);
      expect((await standing())["a clone's"]).toEqual(["wrong", false]);
      expect(await found(`update decisions set owner_verified = 0 where id = '${clones.id}'`)).toBeNull();
      expect(await found(`update decisions set text = 'Ship it.' where id = '${decided.id}'`)).toContain(decided.id);
      expect(await found(`update decisions set text = '' where id = '${decided.id}'`)).toBeNull();
      expect(await found(`update decisions set signature = null where id = '${decided.id}'`)).toContain(
        "is not signed",
      );
      // Settling it again is the owner's word about what it says now.
      await settle(owners, { id: decided.id, verdict: "accept", reason: "" });

      expect(await found("update claims set holder = 'agent2', exclusive = 1")).toContain("claim");
      expect((await listClaims(owners, {})).claims).toMatchObject([{ signature: "wrong" }]);
      expect(await held()).toEqual([]);
      expect(await found("update claims set holder = 'agent1', exclusive = 0")).toBeNull();
      expect(await held()).toHaveLength(1);
      const [{ signature } = {}] = await here.scene.raw("select signature from claims");
      expect(await found("update claims set signature = null")).toContain("claim");
      expect(await held()).toEqual([]);
      expect(await found(`update claims set signature = '${String(signature)}'`)).toBeNull();

      expect(await found("update approvals set state = 'allowed', answered_by = 'owner'")).toContain("approval");
      expect(await hearApproval(at.contextFor("agent1"), approval.id)).toMatchObject({ state: "denied" });
      await here.scene.raw("update approvals set state = 'waiting', answered_by = null, asked = 'ls'");
      expect(await rejection(answerApproval(owners, { id: approval.id, allow: true }))).toMatchObject({
        code: "approval.over",
      });
      await here.scene.raw("update approvals set asked = 'make deploy'");
      await answerApproval(owners, { id: approval.id, allow: true });
      expect(await hearApproval(at.contextFor("agent1"), approval.id)).toMatchObject({ state: "allowed" });
      expect(await at.verdict()).toMatchObject({ ok: true, problem: null });

      // An agent's key is known, and still none that may sign for constel or the owner.
      const agent = signingKey(at.home, "agent1", here.clock);
      const signAsOwner = (bytes: Uint8Array): string => signWith(agent, bytes);
      const forged = { title: "an agent's", text: "", draft: false, files: [] };
      const { id: byAgent } = await record({ ...owners, signAsOwner }, forged);
      expect((await standing())["an agent's"]).toEqual(["wrong", false]);
      expect((await at.verdict()).problem).toContain(byAgent);
      await settle(owners, { id: byAgent, verdict: "reject", reason: "" });
      expect(await found("delete from approvals")).toContain(`the approval ${approval.id} is gone`);
    });

    test("what leaves every signature in place is found by the timeline: rows that are gone, set back, unsigned and dated back", async () => {
      using at = await begin();
      await here.reopen({ sign: at.sign, random: seededRandom(11) });
      makeOwnerKey(at.home, here.clock, {});
      const owners = at.contextFor("owner");
      const draft = await record(at.contextFor("agent1"), { title: "a draft", text: "", draft: true, files: [] });
      const asDraft = await here.scene.raw(`select * from decisions where id = '${draft.id}'`);
      here.clock.advance(1_000);
      await settle(owners, { id: draft.id, verdict: "reject", reason: "no" });
      const { id: token, token: word } = await createToken(owners, {
        name: "wall",
        role: "observer",
        scope: [],
        expires_ms: null,
      });
      const open = await here.scene.raw("select * from tokens");
      here.clock.advance(1_000);
      const ended = await createToken(owners, { name: "old", role: "human", scope: ["task.*"], expires_ms: null });
      await revokeToken(owners, { id: ended.id });
      const said = { id: "dir_00000000000000000000000001", at_ms: here.clock.nowMs(), text: "Nothing lands today." };
      const owner = ownerKey(at.home, () => "");
      await addDirective(owners, { ...said, sig: signWith(owner, directiveBytes(said)) });
      expect(await at.verdict()).toMatchObject({ ok: true, problem: null });

      const quoted = (value: unknown): string =>
        value === null ? "null" : typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
      const setTo = (table: string, row: Record<string, unknown> | undefined): string =>
        `update ${table} set ${Object.entries(row ?? {})
          .map(([name, value]) => `${name} = ${quoted(value)}`)
          .join(", ")} where id = ${quoted(row?.["id"])}`;
      const copied = (table: string, change: Record<string, string>): string =>
        `insert into ${table} select ${columns[table]?.map((name) => change[name] ?? name).join(", ")} from ${table}`;
      const columns: Record<string, string[]> = {
        tokens: Object.keys(open[0] ?? {}),
        decisions: Object.keys(asDraft[0] ?? {}),
      };
      const trigger =
        dialect === "sqlite"
          ? "create trigger helpful after insert on approvals begin update approvals set state = 'allowed'; end"
          : "create trigger helpful before insert on approvals for each row execute function events_append_only()";
      const tamperings: Record<string, string> = {
        "a decision is deleted": "delete from decisions",
        "a decision is set back to its draft": setTo("decisions", asDraft[0]),
        "a decision is unsigned and dated back": "update decisions set signature = null, recorded_ms = 1",
        "a decision is another constellation's": "update decisions set constellation = 'other'",
        "a decision is there twice": copied("decisions", { id: "'dec_00000000000000000000000009'" }),
        "a decision's time is another": "update decisions set recorded_ms = recorded_ms + 1",
        "a decision's title is in capitals": "update decisions set title = upper(title)",
        "a token's role is the owner's": `update tokens set role = 'owner' where id = '${token}'`,
        "a token's scope is everything": "update tokens set scope = '[]'",
        "a token never ends": "update tokens set expires_ms = 99999999999999",
        "a revoked token is open again": "update tokens set revoked_ms = null",
        "a token's hash is that of another": `update tokens set hash = '${"0".repeat(64)}' where id = '${token}'`,
        "two tokens change places": `update tokens set name = case name when 'wall' then 'old' else 'wall' end`,
        "a token is deleted": `delete from tokens where id = '${ended.id}'`,
        "a token is planted": `${copied("tokens", { id: "'tok_9'", hash: `'${"9".repeat(64)}'`, role: "'owner'" })} where id = '${token}'`,
        "a token is planted without a signature": `${copied("tokens", { id: "'tok_9'", hash: `'${"9".repeat(64)}'`, signature: "null" })} where id = '${token}'`,
        "a directive says something else": "update signed_directives set text = 'Everything lands today.'",
        "a directive is of another time": "update signed_directives set at_ms = at_ms + 1",
        "a directive is deleted": "delete from signed_directives",
      };
      const kept = Object.fromEntries(
        await Promise.all(
          ["decisions", "tokens", "signed_directives"].map(
            async (table) => [table, await here.scene.raw(`select * from ${table}`)] as const,
          ),
        ),
      );
      const unnoticed: string[] = [];
      for (const [what, statement] of Object.entries(tamperings)) {
        await here.scene.raw(statement);
        if ((await at.verdict()).ok) unnoticed.push(what);
        const back = Object.entries(kept).flatMap(([table, rows]) => [
          `delete from ${table}`,
          ...rows.map(
            (row) =>
              `insert into ${table} (${Object.keys(row).join(", ")}) values (${Object.values(row).map(quoted).join(", ")})`,
          ),
        ]);
        await here.scene.raw(...back);
      }
      expect((await at.verdict()).problem).toBeNull();
      expect(unnoticed).toEqual([]);
      expect(await holderOf(owners, word)).toMatchObject({ role: "observer" });
      await here.scene.raw(`update tokens set role = 'owner' where id = '${token}'`);
      expect(await holderOf(owners, word)).toBeUndefined();
      await here.scene.raw(`update tokens set role = 'observer' where id = '${token}'`, trigger);
      expect(await at.verdict()).toMatchObject({ ok: false, problem: expect.stringContaining("helpful") });
    });
  });
}
