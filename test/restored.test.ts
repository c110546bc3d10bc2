// A restored backup is on the record: `audit verify` and `doctor` say the same of it, and neither believes a record that the
// owner did not sign.

import { expect, test } from "bun:test";
import { appendFileSync, copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashOf } from "../src/core/audit/anchors.ts";
import { restoredLine } from "../src/core/audit/restored.ts";
import { systemClock } from "../src/host/clock/system-clock.ts";
import { signWith } from "../src/host/keys/ed25519.ts";
import { signingKey } from "../src/host/keys/key-files.ts";
import { TestHome } from "./kit/home.ts";

const headsOf = (at: TestHome): string => join(at.home, "audit/heads.jsonl");

/** Both look by themselves, with no daemon. */
async function verdicts(at: TestHome): Promise<{ verify: string; doctor: string }> {
  await at.constel(["daemon", "stop"]);
  const verify = await at.constel(["audit", "verify"]);
  const doctor = await at.constel(["doctor", "--json"]);
  const { results } = JSON.parse(doctor.stdout) as { results: { code: string; state: string; saw: string }[] };
  const chain = results.find(({ code }) => code === "audit.chain");
  return { verify: `${verify.code} ${verify.stdout}`, doctor: `${chain?.state} ${chain?.saw}` };
}

/** A backup of one event, and a second one that was announced and anchored after it. */
async function withBackup(at: TestHome, { isOwned = true } = {}): Promise<string> {
  if (isOwned) await at.constel(["owner", "init"]);
  await at.constel(["announce", "one"]);
  const { file } = await at.json<{ file: string }>(["db", "backup"]);
  await at.constel(["announce", "two"]);
  await at.constel(["announce", "three"]);
  await at.constel(["daemon", "stop"]);
  return file;
}

test.each([true, false])(
  "after a restore the chain holds and both say so, also when the timeline has gone on (the owner has a key: %p)",
  async (isOwned) => {
    await using at = new TestHome();
    const file = await withBackup(at, { isOwned });
    const before = join(at.top, "heads-before.jsonl");
    copyFileSync(headsOf(at), before);
    expect((await at.constel(["db", "restore"])).code).toBe(0);
    const holds = { verify: expect.stringMatching(/^0 The chain holds/), doctor: expect.stringMatching(/^well /) };
    const first = await verdicts(at);
    expect(first).toEqual(holds);
    expect(first.verify).toContain(`The backup ${file} of event`);
    expect(first.doctor).toContain(`the backup ${file} of event`);
    for (const text of ["four", "five", "six"]) await at.constel(["announce", text]);
    expect(await verdicts(at)).toEqual(holds);
    // Heads that were kept elsewhere before the restore name events that it dropped.
    expect((await at.constel(["audit", "verify", "--heads", before])).code).toBe(0);
    const bundle = join(at.top, "bundle.jsonl");
    writeFileSync(bundle, (await at.constel(["audit", "export"])).stdout);
    expect((await at.constel(["audit", "verify", "--bundle", bundle])).code).toBe(0);
    // Once more, over a timeline that was restored already.
    expect((await at.constel(["db", "restore", file])).code).toBe(0);
    const second = await verdicts(at);
    expect(second).toEqual(holds);
    for (const said of Object.values(second)) expect(said).toContain("the last of 2 restores");
  },
  120_000,
);

test("a backup that was put back by hand, or whose record the owner did not sign, is found by both", async () => {
  await using at = new TestHome();
  const file = await withBackup(at);
  const heads = readFileSync(headsOf(at), "utf8");
  const broken = { verify: expect.stringMatching(/^1 The chain is broken/), doctor: expect.stringMatching(/^broken /) };
  for (const suffix of ["", "-wal", "-shm"]) rmSync(join(at.home, `meta.db${suffix}`), { force: true });
  copyFileSync(join(at.home, "backups", file), join(at.home, "meta.db"));
  expect(await verdicts(at)).toEqual(broken);

  const lines = heads.trimEnd().split("\n");
  const newest = JSON.parse(lines.at(-1) ?? "") as { ring: string };
  const first = JSON.parse(lines[0] ?? "") as { seq: number; hash: string };
  const plant = async (change: object, sign: (bytes: Uint8Array) => string): Promise<string> => {
    const said = { kind: "restored", constellation: "constel0", at_ms: Date.now(), ring: newest.ring } as const;
    const whole = { ...said, seq: 0, hash: "0".repeat(64), backup: file, dropped: 99, ...change };
    return `${await restoredLine(whole, hashOf(lines.at(-1) ?? ""), sign)}\n`;
  };
  const by = (holder: string) => (bytes: Uint8Array) => signWith(signingKey(at.home, holder, systemClock), bytes);
  const forged = {
    "an agent signed": await plant({}, by("agent1")),
    "the constellation's key signed, not the owner's": await plant({}, by("constellation")),
    "the same, naming a ring from before the owner had a key": await plant(
      { ring: (JSON.parse(lines[0] ?? "") as { ring: string }).ring, seq: first.seq, hash: first.hash },
      by("constellation"),
    ),
    "the owner signed, and it was changed since": (await plant({}, by("owner"))).replace(
      '"dropped":99',
      '"dropped":98',
    ),
    "nobody signed": await plant({}, () => "ed25519:"),
  };
  for (const [who, line] of Object.entries(forged)) {
    writeFileSync(headsOf(at), heads);
    appendFileSync(headsOf(at), line);
    expect({ who, ...(await verdicts(at)) }).toEqual({ who, ...broken });
  }
  // The owner's own verb mends it.
  writeFileSync(headsOf(at), heads);
  expect((await at.constel(["db", "restore", file])).code).toBe(0);
  expect((await verdicts(at)).verify).toMatch(/^0 The chain holds/);
}, 120_000);

test("a backup of another constel is refused, and everything stays as it was", async () => {
  await using at = new TestHome();
  const file = await withBackup(at, { isOwned: false });
  const path = join(at.home, "backups", file);
  const { Database } = await import("bun:sqlite");
  const foreign = file.replace(".db", "-2.db");
  copyFileSync(path, join(at.home, "backups", foreign));
  const database = new Database(join(at.home, "backups", foreign));
  database.run("update schema_migrations set name = 'first-tables'");
  database.close();
  const files = (): string[] =>
    [headsOf(at), join(at.home, "meta.db")].map((one) => hashOf(readFileSync(one, "latin1")));
  const before = files();
  const ran = await at.constel(["db", "restore", foreign]);
  expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining("[store.foreign-schema]")]);
  expect(files()).toEqual(before);
}, 60_000);
