// Writes through the real daemon from many processes, and through its death.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { TestHome, until } from "./kit/home.ts";

const child = join(import.meta.dir, "kit/announce-many.ts");

function announceMany(at: TestHome, prefix: string, count: number) {
  return Bun.spawn(
    [
      process.execPath,
      "--no-env-file",
      "--config=/dev/null",
      child,
      join(at.home, "state/daemon.sock"),
      prefix,
      String(count),
    ],
    {
      env: at.env,
      stdout: "pipe",
      stderr: "pipe",
    },
  );
}

const rowsOf = (at: TestHome): Promise<{ text: string }[]> =>
  at.json(["query", "select json_extract(data, '$.text') as text from events where type = 'owner.announced'"]);

test("20 processes that write 50 rows each leave 1,000 rows, none lost and none doubled", async () => {
  await using at = new TestHome();
  await at.constel(["daemon", "start"]);
  const children = Array.from({ length: 20 }, (_, index) => announceMany(at, `p${index}`, 50));
  const codes = await Promise.all(children.map((one) => one.exited));
  expect(codes).toEqual(Array.from({ length: 20 }, () => 0));
  const texts = (await rowsOf(at)).map((row) => row.text);
  expect(texts.length).toBe(1000);
  expect(new Set(texts).size).toBe(1000);
  expect((await at.constel(["audit", "verify"])).stdout).toStartWith("The chain holds: 1000 events");
});

test("20 commands at once with no daemon start exactly one, and all are answered", async () => {
  await using at = new TestHome();
  const ran = await Promise.all(Array.from({ length: 20 }, (_, index) => at.constel(["announce", `line ${index}`])));
  expect(ran.map((one) => one.code)).toEqual(Array.from({ length: 20 }, () => 0));
  expect((await rowsOf(at)).length).toBe(20);
  const log = (await at.constel(["daemon", "logs"])).stdout;
  expect(log.match(/ready, constel/g)?.length).toBe(1);
});

test("after kill -9 of the daemon in the middle, every acknowledged row is there and the chain verifies", async () => {
  await using at = new TestHome();
  await at.constel(["daemon", "start"]);
  const writers = Array.from({ length: 4 }, (_, index) => announceMany(at, `w${index}`, 1000));
  const outputs = writers.map((one) => {
    let text = "";
    const done = (async () => {
      for await (const chunk of one.stdout) text += new TextDecoder().decode(chunk);
    })();
    return { read: () => text, done };
  });
  const acknowledged = (): number[] => outputs.flatMap((output) => output.read().split("\n").slice(0, -1).map(Number));
  await until("half of the writes are acknowledged", acknowledged, (list) => list.length >= 1000);
  const pid = at.daemonPid ?? 0;
  process.kill(pid, "SIGKILL");
  await Promise.all([...writers.map((one) => one.exited), ...outputs.map((output) => output.done)]);
  const promised = acknowledged();
  expect(promised.length).toBeLessThan(4000);

  const restarted = await at.constel(["daemon", "start"]);
  expect(restarted.code).toBe(0);
  const rows = await at.json<{ seq: number }[]>(["query", "select seq from events"]);
  const there = new Set(rows.map((row) => row.seq));
  expect(promised.filter((seq) => !there.has(seq))).toEqual([]);
  expect((await at.json<{ ok: boolean }>(["audit", "verify"])).ok).toBe(true);
});
