import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { FakeClock } from "../../ports/fake-clock.ts";
import { bytesToSign } from "../../protocol/canonical.ts";
import { makeKey, signWith, statementSignature } from "./ed25519.ts";
import { keyBook } from "./key-book.ts";
import {
  isOwnerKeyGuarded,
  keyFile,
  makeOwnerKey,
  ownerKey,
  readRingOf,
  revokeKey,
  ringToJudgeBy,
  ringFile,
  rotateKey,
  signingKey,
} from "./key-files.ts";
import { currentKey, lineOf, readRing, type Statement, statementBytes } from "./ring.ts";

let directory: ReturnType<typeof temporaryDirectory>;
let home: string;
let clock: FakeClock;
beforeEach(() => {
  directory = temporaryDirectory("keys");
  home = directory.path;
  clock = new FakeClock();
});
afterEach(() => directory[Symbol.dispose]());

const bytes = bytesToSign("test", { text: "hello" });
const signed = (holder: string): string => signWith(signingKey(home, holder, clock), bytes);
const verdict = (signature: string, over = bytes) => keyBook(home).verify(signature, over, clock.nowMs());
const refused = (work: () => unknown): string => {
  try {
    work();
    return "not refused";
  } catch (cause) {
    return (cause as { code?: string }).code ?? String(cause);
  }
};

describe("keys", () => {
  test("whoever first needs a key has one, vouched for by the constellation", () => {
    const signature = signed("agent1");
    expect(verdict(signature)).toMatchObject({ ok: true, holder: "agent1" });
    expect(signed("agent1")).toBe(signature);
    expect(readRingOf(home).keys.map(({ holder }) => holder)).toEqual(["constellation", "agent1"]);
  });

  test("a ring that was read before is read on, and one that was changed since is not believed", () => {
    for (const holder of ["agent1", "agent2", "agent3"]) signed(holder);
    const text = readFileSync(join(home, ringFile), "utf8");
    const lines = text.trimEnd().split("\n");
    const upTo = (count: number): string =>
      lines
        .slice(0, count)
        .map((line) => `${line}\n`)
        .join("");
    expect(readRing(upTo(2))).toMatchObject({ statements: 2 });
    expect(readRing(text)).toMatchObject({ statements: 4 });
    expect(readRing(text).head).toBe(readRing(upTo(4)).head);
    // Read on from the whole ring: a line that does not follow, one changed in the middle, one left out.
    expect(readRing(`${text}${lines[1]}\n`).problem).toStartWith("line 5");
    expect(readRing(text.replace(/"holder":"agent2"/, '"holder":"agent9"')).problem).toStartWith("line 3");
    expect(readRing(`${lines[0]}\n${lines[2]}\n${lines[3]}\n`).problem).toStartWith("line 2");
    expect(readRing(text)).toMatchObject({ statements: 4 });
    expect(readRing(text).problem).toBeUndefined();
  });

  test("other bytes, another's key, an unknown key and nonsense do not verify", () => {
    const signature = signed("agent1");
    const stranger = makeKey();
    expect(verdict(signature, bytesToSign("test", { text: "Hello" }))).toEqual({ ok: false, why: "wrong" });
    expect(verdict("ed25519:nonsense")).toEqual({ ok: false, why: "malformed" });
    const other = signingKey(home, "agent2", clock);
    expect(verdict(signWith({ ...other, id: stranger.id }, bytes))).toEqual({ ok: false, why: "unknown" });
    expect(verdict(signature.replace(/:[0-9a-f]{20}\./, `:${other.id}.`))).toEqual({
      ok: false,
      why: "wrong",
    });
  });

  test("a signature is for its constellation alone; one from before names none and is told apart", () => {
    using other = temporaryDirectory("keys");
    const mine = signingKey(home, "constellation", clock);
    const { constellation } = signingKey(other.path, "constellation", clock);
    expect(verdict(signed("constellation"))).toEqual({ ok: true, holder: "constellation", key: mine.id });
    expect(verdict(signWith({ ...mine, constellation }, bytes))).toEqual({ ok: false, why: "elsewhere" });
    const elsewhere = `.${constellation}:`;
    expect(verdict(signed("constellation").replace(/\.[0-9a-f]+:/, elsewhere)).ok).toBe(false);
    // One that names no constellation counts nowhere, and does not count by being given a name.
    expect(verdict(signed("constellation").replace(/\.[0-9a-f]+:/, ":"))).toEqual({ ok: false, why: "malformed" });
    const nameless = statementSignature(mine.id, mine.key, bytes);
    expect(verdict(nameless)).toEqual({ ok: false, why: "malformed" });
    expect(verdict(nameless.replace(/:([0-9a-f]{20}):/, `:$1.${mine.constellation}:`))).toEqual({
      ok: false,
      why: "wrong",
    });
    // The name stays when the key is replaced.
    clock.advance(1_000);
    rotateKey(home, "constellation", clock);
    expect(signingKey(home, "constellation", clock).constellation).toBe(mine.constellation);
    expect(signingKey(home, "agent1", clock).constellation).toBe(mine.constellation);
    expect(verdict(signed("agent1")).ok).toBe(true);
  });

  test("after a rotation old signatures stay verifiable, and the old key signs nothing new", () => {
    const before = signingKey(home, "agent1", clock);
    const old = signed("agent1");
    const oldMs = clock.nowMs();
    clock.advance(3_600_000);
    const { id } = rotateKey(home, "agent1", clock);
    clock.advance(3_600_000);
    expect(keyBook(home).verify(old, bytes, oldMs)).toMatchObject({ ok: true, holder: "agent1" });
    expect(verdict(signWith(before, bytes))).toEqual({ ok: false, why: "ended" });
    expect(verdict(signed("agent1"))).toMatchObject({ ok: true, key: id });
  });

  test("the constellation's own key is rotated, and what came before and after is vouched for", () => {
    const old = signed("agent1");
    const { id } = rotateKey(home, "constellation", clock);
    const fresh = signed("agent2");
    expect(readRingOf(home).problem).toBeUndefined();
    expect(currentKey(readRingOf(home), "constellation")?.id).toBe(id);
    expect(verdict(old).ok && verdict(fresh).ok).toBe(true);
  });

  test("what a revoked key signs afterwards counts for nothing, and its holder gets another", () => {
    const { id } = signingKey(home, "agent1", clock);
    const old = signed("agent1");
    const oldMs = clock.nowMs();
    clock.advance(1_000);
    expect(revokeKey(home, "agent1", clock, "lost").reason).toBe("lost");
    expect(verdict(old)).toEqual({ ok: false, why: "revoked" });
    expect(keyBook(home).verify(old, bytes, oldMs)).toMatchObject({ ok: true, revoked: true });
    expect(signingKey(home, "agent1", clock).id).not.toBe(id);
    expect(refused(() => revokeKey(home, id, clock, ""))).toBe("keys.revoked");
    revokeKey(home, "constellation", clock, "");
    expect(verdict(signed("agent3"))).toMatchObject({ ok: true });
    expect(refused(() => revokeKey(home, "agent9", clock, ""))).toBe("keys.unknown");
    expect(refused(() => rotateKey(home, "agent9", clock))).toBe("keys.unknown");
    expect(refused(() => signingKey(home, "../agent1", clock))).toBe("keys.unknown");
  });

  test("the owner's key opens with its passphrase alone", () => {
    expect(refused(() => ownerKey(home, () => ""))).toBe("keys.no-owner");
    expect(refused(() => signingKey(home, "owner", clock))).toBe("keys.no-owner");
    makeOwnerKey(home, clock, { passphrase: "correct horse" });
    expect(isOwnerKeyGuarded(home)).toBe(true);
    expect(readFileSync(join(home, keyFile("owner")), "utf8")).not.toContain("private");
    expect(refused(() => ownerKey(home, () => "wrong"))).toBe("keys.wrong-passphrase");
    const key = ownerKey(home, () => "correct horse");
    const { id } = key;
    expect(verdict(signWith(key, bytes))).toMatchObject({ ok: true, holder: "owner" });
    expect(refused(() => makeOwnerKey(home, clock, {}))).toBe("keys.owner-exists");
    expect(makeOwnerKey(home, clock, { replace: true }).id).not.toBe(id);
    expect(isOwnerKeyGuarded(home)).toBe(false);
  });

  test("a key that somebody adds to the ring is not believed, and nothing is added after it", () => {
    signed("agent1");
    const ring = join(home, ringFile);
    const good = readFileSync(ring, "utf8");
    const [first = "", second = ""] = good.trim().split("\n");
    const planted = makeKey();
    const forged = [
      second.replaceAll("agent1", "agent0"),
      first.replace(/"prev":"0+"/, `"prev":"${"1".repeat(64)}"`),
      "{}",
      JSON.stringify({
        op: "add",
        holder: "owner",
        key: planted.id,
        public: planted.publicKey,
        at_ms: 1,
        prev: readRing(good).head,
        sig: "x",
      }),
    ];
    for (const line of forged) {
      writeFileSync(ring, `${good}${line}\n`);
      expect(readRingOf(home)).toMatchObject({ statements: 2, problem: expect.stringContaining("line 3") });
      expect(refused(() => signingKey(home, "agent5", clock))).toBe("keys.ring-broken");
    }
    writeFileSync(ring, good);
    signed("agent2");
    const third = readFileSync(ring, "utf8").trim().split("\n")[2] ?? "";
    expect(readRing(`${first}\n${third}\n`)).toMatchObject({
      statements: 1,
      problem: expect.stringContaining("line 2"),
    });
    for (const cut of [`${second}\n`, `${second}\n${first}\n`]) expect(readRing(cut)).toMatchObject({ statements: 0 });
  });

  test("a revocation in the name of another holder takes nobody's key away, though the constellation signed it", () => {
    const { id } = signingKey(home, "agent1", clock);
    const other = signingKey(home, "agent2", clock);
    const constellation = signingKey(home, "constellation", clock);
    const ring = join(home, ringFile);
    const good = readFileSync(ring, "utf8");
    const revoking = (holder: string, key: string): string => {
      const said = { op: "revoke" as const, holder, key, at_ms: 1, reason: "", prev: readRing(good).head };
      return lineOf({ ...said, sig: statementSignature(constellation.id, constellation.key, statementBytes(said)) });
    };
    for (const [holder, key] of [
      ["agent2", id],
      ["agent1", other.id],
      ["agent1", makeKey().id],
    ] as const) {
      expect(readRing(`${good}${revoking(holder, key)}\n`).problem).toContain("there is no such key");
    }
    expect(readRing(`${good}${revoking("agent1", id)}\n`).problem).toBeUndefined();
  });

  test("a key of the constellation that was replaced or revoked vouches for nobody any more", () => {
    for (const end of [rotateKey, (of: string, holder: string) => revokeKey(of, holder, clock, "lost")] as const) {
      const old = signingKey(home, "constellation", clock);
      end(home, "constellation", clock);
      const ring = join(home, ringFile);
      const good = readFileSync(ring, "utf8");
      const planted = makeKey();
      const said = {
        op: "add",
        holder: "owner",
        key: planted.id,
        public: planted.publicKey,
        at_ms: clock.nowMs(),
        prev: readRing(good).head,
      } as const;
      const sig = statementSignature(old.id, old.key, statementBytes(said));
      writeFileSync(ring, `${good}${lineOf({ ...said, sig })}\n`);
      expect(readRingOf(home).problem).toContain("signed with a key that had ended");
      // The same by the key that is good now is believed: nothing else is wrong with it.
      writeFileSync(ring, good);
      const current = signingKey(home, "constellation", clock);
      const proper = statementSignature(current.id, current.key, statementBytes(said));
      expect(readRing(`${good}${lineOf({ ...said, sig: proper })}\n`).problem).toBeUndefined();
      writeFileSync(ring, good);
    }
  });

  test("nor does one that was revoked and has no successor", () => {
    const first = signingKey(home, "constellation", clock);
    const [line = ""] = readFileSync(join(home, ringFile), "utf8").split("\n");
    const add = (text: string, said: Omit<Statement, "sig" | "prev" | "at_ms">): string => {
      const statement = { ...said, at_ms: clock.nowMs(), prev: readRing(text).head };
      const sig = statementSignature(first.id, first.key, statementBytes(statement));
      return `${text}${lineOf({ ...statement, sig })}\n`;
    };
    const revoked = add(`${line}\n`, { op: "revoke", holder: "constellation", key: first.id });
    expect(readRing(revoked).problem).toBeUndefined();
    const planted = makeKey();
    const after = add(revoked, { op: "add", holder: "owner", key: planted.id, public: planted.publicKey });
    expect(readRing(after).problem).toContain("signed with a key that had ended");
  });

  test("where the constellation's private key is gone, nothing new is vouched for", () => {
    signed("agent1");
    rmSync(join(home, keyFile("constellation")));
    expect(refused(() => signingKey(home, "agent2", clock))).toBe("keys.constellation-lost");
    expect(verdict(signed("agent1"))).toMatchObject({ ok: true });
  });

  test("a lost keys/ is not made again, and nothing that rests on it is answered", () => {
    expect(ringToJudgeBy(home).statements).toBe(0);
    const { id } = signingKey(home, "agent1", clock);
    renameSync(join(home, "keys"), join(home, "away"));
    for (const work of [ringToJudgeBy, () => signingKey(home, "agent2", clock), () => makeOwnerKey(home, clock, {})])
      expect(refused(() => work(home))).toBe("keys.ring-missing");
    expect(existsSync(join(home, "keys"))).toBe(false);
    renameSync(join(home, "away"), join(home, "keys"));
    expect(ringToJudgeBy(home).keys.map((key) => key.id)).toContain(id);
    rmSync(join(home, "keys/ring.jsonl"));
    expect(refused(() => ringToJudgeBy(home))).toBe("keys.ring-missing");
  });

  test("a key that another program keeps is not opened as if it lay in its file", () => {
    makeOwnerKey(home, clock, {});
    const file = join(home, keyFile("owner"));
    const { private: _, ...kept } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    writeFileSync(file, JSON.stringify({ ...kept, keptBy: "ssh-agent" }));
    expect(refused(() => ownerKey(home, () => ""))).toBe("keys.no-owner");
  });

  test("a torn key file is made anew", () => {
    const { id } = signingKey(home, "agent1", clock);
    writeFileSync(join(home, keyFile("agent1")), "{");
    expect(signingKey(home, "agent1", clock).id).not.toBe(id);
    appendFileSync(join(home, keyFile("agent1")), "");
    expect(verdict(signed("agent1"))).toMatchObject({ ok: true });
  });
});
