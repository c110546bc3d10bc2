// Whoever names something that is not there is told so, and the exit code says it: every command that takes a name, walked by its declaration.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ArgumentDeclaration } from "../src/doors/cli/input/command-shape.ts";
import { allCommands } from "../src/doors/cli/manifest/all.ts";
import { TestHome } from "./kit/home.ts";

/** A word that names nothing of what completion would offer. */
const nothing: Readonly<Record<string, string>> = {
  agents: "agent99",
  tasks: "99",
  runtimes: "nosuch",
  settings: "no.such",
  repositories: "nosuch",
};

/** Commands that may be given a name before it means something, and why. */
const allowed: Readonly<Record<string, string>> = {
  "channel send": "a message waits for an agent that is started later; it is said that it was never started",
  tell: "as channel send",
  "channel drain": "an empty inbox is an answer",
  "channel ls": "an empty inbox is an answer",
  "channel threads": "no threads is an answer",
  "channel poison ls": "none is an answer",
  "cron add": "the label is the new one's",
  agent: "it starts that agent",
  down: "an agent that does not run is down",
  "config set": "needs a value",
};

const wordFor = ({ offers, oneOf, reads }: ArgumentDeclaration): string =>
  oneOf?.[0] ?? (reads?.kind === "span" ? "1h" : offers === undefined ? "word" : (nothing[offers] ?? "zzzz9999"));

test("every command that takes the name of something refuses one that is not there", async () => {
  await using at = new TestHome();
  await at.constel(["daemon", "start"]);
  const told: string[] = [];
  for (const { name, arguments: args = [], flags = {}, hidden } of await allCommands()) {
    if (hidden === true || allowed[name] !== undefined || !args.some(({ offers }) => offers !== undefined)) continue;
    const words = [...name.split(" "), ...args.map(wordFor), ...("reason" in flags ? ["--reason", "x"] : [])];
    if (name === "task update") words.push("--priority", "P0");
    const { code, stderr } = await at.constel(words);
    if (code === 0 || code === 70 || !stderr.includes("[")) told.push(`${words.join(" ")}: ${code} ${stderr}`);
  }
  expect(told).toEqual([]);
}, 120_000);

test("a message nobody sent is not waited for", async () => {
  await using at = new TestHome();
  const ran = await at.constel(["channel", "wait", "msg_00000000000000000000000000", "--timeout", "20s"]);
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("[bus.unknown-message]") });
});

test("a home that was named and is not there is refused, and none is made", async () => {
  await using at = new TestHome();
  const typo = join(at.top, "typo");
  const up = ["up", "1", "--type", "script", "--no-attach"];
  for (const words of [
    ["task", "list"],
    ["status"],
    ["doctor"],
    ["announce", "x"],
    ["agents"],
    up,
    ["daemon", "start"],
  ]) {
    const ran = await at.constel([...words, "--home", typo]);
    expect([words, ran.code, ran.stderr]).toEqual([words, 2, expect.stringContaining("[home.missing]")]);
  }
  const made: string[] = [];
  const commands = (await allCommands()).filter(({ name, hidden }) => hidden !== true && !makesOne.includes(name));
  for (const some of inParts(commands, 8)) {
    await Promise.all(
      some.map(({ name, arguments: args = [] }) =>
        at.constel([...name.split(" "), ...args.map(wordFor), "--home", typo]),
      ),
    );
    if (existsSync(typo)) made.push(some.map(({ name }) => name).join(", "));
  }
  expect(made).toEqual([]);
  expect((await at.constel(["onboard", "--no-repo", "--home", typo])).code).toBe(0);
  expect((await at.constel(["agents", "--home", typo])).code).toBe(0);
}, 120_000);

/** They set a home up, or keep something in it for later; these of daemon and bench end only when they are told to. */
const makesOne = ["onboard", "login", "daemon run", "bench"];

function* inParts<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}

test("a runtime that does not exist is refused beside agents that run already", async () => {
  await using at = new TestHome();
  const up = ["up", "1", "--no-attach", "--type"];
  expect((await at.constel([...up, "script"])).code).toBe(0);
  expect(await at.constel([...up, "nosuch"])).toMatchObject({
    code: expect.any(Number),
    stderr: expect.stringContaining("[runtime.unknown]"),
  });
  await at.constel(["down", "--all"]);
}, 60_000);
