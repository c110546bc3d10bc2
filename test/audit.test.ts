// The audit and the keys on the real program: a bundle verifies where there is no database, and a home from before gets its keys.

import { expect, test } from "bun:test";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TestHome } from "./kit/home.ts";

test("what is exported verifies by itself, elsewhere, and nothing in it can be changed", async () => {
  await using at = new TestHome();
  const kept = join(at.top, "kept.jsonl");
  await at.constel(["config", "set", "audit.anchor_command", JSON.stringify(["sh", "-c", `cat >>'${kept}'`])]);
  for (const text of ["one", "two", "three"]) await at.constel(["announce", text]);
  await at.constel(["daemon", "stop"]);
  // The three, and the setting before them.
  expect(await at.json(["audit", "verify"])).toMatchObject({ ok: true, count: 4, anchored_seq: 4 });
  expect(readFileSync(kept, "utf8")).toBe(readFileSync(join(at.home, "audit/heads.jsonl"), "utf8"));
  const bundle = (await at.constel(["audit", "export"])).stdout;
  const file = join(at.top, "bundle.jsonl");
  const lines = bundle.trim().split("\n");
  const events = lines.filter((line) => line.startsWith('{"event"'));
  const signatures = lines.filter((line) => line.startsWith('{"signature"'));
  expect([events.length, signatures.length]).toEqual([4, 4]);
  const check = async (content: string, heads: readonly string[] = []) => {
    writeFileSync(file, content);
    const ran = await at.constel(["audit", "verify", "--bundle", file, ...heads, "--json"], {
      env: { CONSTEL_HOME: join(at.top, "nowhere") },
    });
    return { exit: ran.code, ...(JSON.parse(ran.stdout) as { ok: boolean; problem: string | null }) };
  };
  expect(await check(bundle)).toMatchObject({ exit: 0, ok: true, count: 4, anchored_seq: 4 });
  const changes: Record<string, string> = {
    "a word": bundle.replace('{\\"text\\":\\"two\\"}', '{\\"text\\":\\"2wo\\"}'),
    "an event is gone": lines.filter((line) => line !== events[1]).join("\n"),
    "the last event is gone": lines.filter((line) => line !== events.at(-1)).join("\n"),
    "a signature is gone": lines.filter((line) => line !== signatures[1]).join("\n"),
    "a signature is another event's": bundle.replace(signatures[1] ?? "", signatures[0] ?? ""),
    "the heads are another's": bundle.replace(/\\"sig\\":\\"ed25519:[0-9a-f]{4}/g, '\\"sig\\":\\"ed25519:ffff'),
    "the heads are gone": [lines[0], lines[1], '{"anchors":""}', ...lines.slice(3)].join("\n"),
    "the signature of the whole is gone": bundle.replace(/,"sig":"[^"]*"\}\n\{"ring"/, '}\n{"ring"'),
    "it is of another time": bundle.replace(/"at_ms":/, '"at_ms":1'),
    "it is another constellation's": bundle.replaceAll("constel0", "constel1"),
    "the keys are gone": [lines[0], '{"ring":""}', ...lines.slice(2)].join("\n"),
  };
  for (const [what, content] of Object.entries(changes)) {
    expect(content).not.toBe(bundle);
    expect({ what, ...(await check(content)) }).toMatchObject({ what, exit: 1, ok: false });
  }
  // Whoever cuts the end whole, heads included, cannot sign the bundle anew; and the copy of the heads that was kept says so too.
  const { event } = JSON.parse(events[1] ?? "") as { event: { seq: number; hash: string } };
  const beginning = { ...(JSON.parse(lines[0] ?? "") as object), head: { seq: 2, hash: event.hash } };
  const left = [...signatures.slice(0, 2), ...events.slice(0, 2)];
  const cut = [JSON.stringify(beginning), lines[1], '{"anchors":""}', ...left].join("\n");
  expect(await check(cut)).toMatchObject({
    ok: false,
    problem: expect.stringContaining("not what the constellation signed"),
  });
  expect(await check(cut, ["--heads", kept])).toMatchObject({ ok: false });
}, 120_000);

test("an older database that is put back with its heads is found at once, or by the copy that was kept elsewhere", async () => {
  await using at = new TestHome();
  const kept = join(at.top, "kept.jsonl");
  await at.constel(["config", "set", "audit.anchor_command", JSON.stringify(["sh", "-c", `cat >>'${kept}'`])]);
  const files = ["meta.db", "audit/heads.jsonl", "state/database-head"];
  const copy = (from: string, to: string, which = files): void => {
    for (const name of which) cpSync(join(from, name), join(to, name));
  };
  await at.constel(["announce", "one"]);
  await at.constel(["daemon", "stop"]);
  const older = join(at.top, "older");
  copy(at.home, older);
  for (const text of ["two", "three"]) await at.constel(["announce", text]);
  await at.constel(["daemon", "stop"]);
  const verified = async () => {
    const { code, stdout } = await at.constel(["audit", "verify"]);
    return { code, stdout };
  };
  expect(await verified()).toMatchObject({ code: 0 });

  const newer = join(at.top, "newer");
  copy(at.home, newer, files.slice(2));
  copy(older, at.home, files.slice(0, 2));
  expect(await verified()).toEqual({ code: 1, stdout: expect.stringContaining("event 4 was acknowledged") });
  expect((await at.constel(["doctor"])).stdout).toContain("acknowledged writes are missing");

  // Whoever puts back all three is found by nothing in the home.
  copy(older, at.home);
  expect(await verified()).toMatchObject({ code: 0 });
  const asks = (...command: string[]) => at.constel(["config", "set", "audit.kept_command", JSON.stringify(command)]);
  await asks("cat", kept);
  expect(await verified()).toEqual({ code: 1, stdout: expect.stringContaining("cut off: event 4 was anchored") });
  // A copy that cannot be had is said, not passed over.
  for (const command of ["false", "true"]) {
    await asks(command);
    expect(await verified()).toMatchObject({ code: 4 });
  }
  await asks();

  // The daemon goes on from what is there, and its timeline tells so.
  copy(newer, at.home, files.slice(2));
  await at.constel(["daemon", "start"]);
  expect(await verified()).toEqual({ code: 0, stdout: expect.stringMatching(/Event 3 says that acknowledged writes/) });
}, 60_000);
