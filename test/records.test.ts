// What the floor writes with no daemon becomes rows when there is one, once each.

import { expect, test } from "bun:test";
import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { TestHome, until } from "./kit/home.ts";

const count = async (at: TestHome, sql: string): Promise<number> =>
  (await at.json<{ n: number }[]>(["query", sql]))[0]?.n ?? -1;

test("every invocation becomes one row with its secrets masked, also those from before the daemon and across its restarts", async () => {
  await using at = new TestHome();
  await at.constel(["onboard"]);
  await at.constel(["config", "show", "--set", "store.url=postgres://me:hunter2@h/d"]);
  const failing = await at.constel(["config", "show", "no.such"]);
  expect(failing.code).toBe(2);
  await at.constel(["daemon", "start"]);
  const seen = 'select count(*) as n from cli_invocations where argv like \'["config","show","no.such"%\'';
  await until(
    "it is taken in",
    () => count(at, seen),
    (n) => n === 1,
  );
  process.kill(at.daemonPid ?? 0, "SIGKILL");
  await until(
    "gone",
    () => at.constel(["daemon", "status"]),
    (ran) => ran.code === 1,
  );
  await at.constel(["daemon", "start"]);
  await until(
    "what came later is taken in",
    () => count(at, 'select count(*) as n from cli_invocations where argv like \'%"daemon","start"]\''),
    (n) => n === 2,
  );
  expect(await count(at, seen)).toBe(1);
  expect(
    await count(
      at,
      "select count(*) as n from cli_invocations where argv like '%me:hunter2%' and argv not like '%select%'",
    ),
  ).toBe(0);
  expect(
    (
      await at.json<{ exit_code: number; constellation: string }[]>([
        "query",
        'select exit_code, constellation from cli_invocations where argv like \'["config","show","no.such"%\'',
      ])
    )[0],
  ).toEqual({ exit_code: 2, constellation: "constel0" });
});

test("a torn or foreign line costs itself only, and is told", async () => {
  await using at = new TestHome();
  await at.constel(["onboard"]);
  const [file = ""] = readdirSync(join(at.home, "logs")).filter((name) => name.startsWith("invocations-"));
  appendFileSync(join(at.home, "logs", file), '\n{"id":"rec_half","kind":"invoc');
  await at.constel(["config", "path"]);
  await at.constel(["daemon", "start"]);
  await until(
    "the line after it is a row",
    () => count(at, 'select count(*) as n from cli_invocations where argv = \'["config","path"]\''),
    (n) => n === 1,
  );
  expect(await count(at, "select count(*) as n from source_errors")).toBe(1);
});

test("messages sent with the daemon down are mirrored once each, with the times of their states", async () => {
  await using at = new TestHome();
  for (const text of ["one", "two", "three"]) await at.constel(["channel", "send", "agent1", text, "--task", "7"]);
  await at.constel(["channel", "drain", "agent1", "--max", "2"]);
  await at.constel(["daemon", "start"]);
  const rows = (): Promise<{ text: string; state: string; task: string; later: number | null }[]> =>
    at.json(["query", "select text, state, task, delivered_ms >= sent_ms as later from messages order by name"]);
  const found = await until("all are there", rows, (list) => list.length === 3);
  expect(found.map((row) => [row.text, row.state, row.task, row.later])).toEqual([
    ["one", "delivered", "7", 1],
    ["two", "delivered", "7", 1],
    ["three", "sent", "7", null],
  ]);
  await at.constel(["channel", "drain", "agent1"]);
  await until("the last one is delivered", rows, (list) => list.every((row) => row.state === "delivered"));
});
