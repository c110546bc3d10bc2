// Every command that names an operation: its fields are the operation's, and what is typed is read as the operation would take it.

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "../../../protocol/errors.ts";
import { operations } from "../../../protocol/operations/all.ts";
import { outlineOf } from "../../../protocol/outline-of.ts";
import { allCommands } from "../manifest/all.ts";
import type { ArgumentDeclaration, CommandShape, FlagDeclaration } from "./command-shape.ts";
import { parseInput } from "./parse.ts";

const commands: readonly CommandShape[] = await allCommands();
const asking = commands.flatMap((command) =>
  command.tier === "floor" || command.operation === undefined
    ? []
    : [{ command, operation: operations[command.operation] }],
);

const stored = JSON.parse(
  readFileSync(join(import.meta.dir, "../../../protocol/operations/outlines.json"), "utf8"),
) as unknown;

test("the stored outlines are what the operations declare (bun scripts/reference.ts writes them)", () => {
  const made = Object.fromEntries(Object.values(operations).map((one) => [one.name, outlineOf(one)]));
  expect(stored).toEqual(JSON.parse(JSON.stringify(made)));
});

test("of the commands that go through the daemon or read the database, few ask no single operation", () => {
  const others = commands.filter((one) => one.tier !== "floor" && one.operation === undefined).map(({ name }) => name);
  expect(others.sort()).toEqual(["cron accept", "daemon start", "explain", "mcp", "mesh serve", "query", "watch"]);
});

interface Typed {
  readonly name: string;
  readonly reads: NonNullable<FlagDeclaration["reads"]>;
  /** The command line that gives it this word. */
  readonly line: (word: string) => readonly string[];
}

/** Every place where a field can be typed, with words for the arguments before it. */
function typedIn({ arguments: args = [], flags = {} }: CommandShape): Typed[] {
  const filled = args.filter(({ optional }) => optional !== true).map((argument) => goodWord(argument));
  return [
    ...args.flatMap((argument, at) => {
      const before = args.slice(0, at).map((one) => goodWord(one));
      const after = args.slice(at + 1).filter(({ optional }) => optional !== true);
      const { reads, name } = argument;
      return reads === undefined
        ? []
        : [{ name, reads, line: (word: string) => [...before, word, ...after.map(goodWord)] }];
    }),
    ...Object.entries(flags).flatMap(([name, { reads, means, value }]) =>
      reads === undefined || means !== undefined || value === undefined
        ? []
        : [{ name, reads, line: (word: string) => [...filled, `--${name}=${word}`] }],
    ),
  ];
}

function goodWord({ reads, oneOf }: Pick<ArgumentDeclaration, "reads" | "oneOf">): string {
  if (oneOf !== undefined) return oneOf[0] ?? "";
  switch (reads?.kind) {
    case "span":
      return "2h";
    case "task":
    case "whole":
      return "1";
    case "agent":
      return "agent1";
    default:
      return "word".padEnd(reads?.least ?? 0, "d");
  }
}

function refusalOf(command: CommandShape, words: readonly string[]): Refusal | undefined {
  try {
    parseInput(command, words, "/here");
    return undefined;
  } catch (cause) {
    if (cause instanceof Refusal) return cause;
    throw cause;
  }
}

const badAgents = [
  "owner",
  "agent",
  "Agent1",
  "agent-1",
  "agent01",
  "agent1000000",
  `agent${"x".repeat(33)}`,
  "../agent1",
];

/** Words that the kind of a field cannot mean. */
function badWords({ kind, most, oneOf }: Typed["reads"]): readonly string[] {
  switch (kind) {
    case "agent":
      return badAgents;
    case "task":
      return ["0", "-3", "x", "1.5"];
    case "whole":
      return ["x", "1.5", "-1", ...(most === undefined ? [] : [String(most + 1)])];
    case "span":
      return ["x", "10", "99999d"];
    case "choice":
      return [`${oneOf?.[0]}x`];
    case "text":
      return most === undefined || most > 5_000 ? [] : ["x".repeat(most + 1)];
    default:
      return [];
  }
}

for (const { command, operation } of asking) {
  describe(`constel ${command.name}`, () => {
    test("takes nothing but fields of its operation, and fills each once", () => {
      const { fields } = outlineOf(operation);
      const named = [
        ...(command.arguments ?? []).map(({ field }) => field),
        ...Object.values(command.flags ?? {}).flatMap(({ field, means }) => (means === undefined ? [field] : [])),
      ].filter((field) => field !== undefined);
      expect(new Set(named).size).toBe(named.length);
      for (const field of named) expect(Object.keys(fields)).toContain(field);
    });

    for (const { name, reads, line } of typedIn(command))
      test(`reads ${name} and refuses what the operation would`, () => {
        const good = goodWord({ reads, ...(reads.oneOf === undefined ? {} : { oneOf: reads.oneOf }) });
        expect(refusalOf(command, line(good))).toBeUndefined();
        for (const bad of badWords(reads)) {
          const refusal = refusalOf(command, line(bad));
          expect({ bad: bad.slice(0, 60), code: refusal?.code }).toEqual({
            bad: bad.slice(0, 60),
            code: reads.kind === "agent" ? "agent.bad-id" : "usage.bad-value",
          });
        }
      });
  });
}

describe("what is typed becomes the operation's input", () => {
  const asked = (line: string): unknown => {
    const words = line.split(" ");
    const found = asking.find(({ command }) => line.startsWith(`${command.name} `));
    if (found === undefined) throw new Error(`there is no ${line}`);
    const rest = words.slice(found.command.name.split(" ").length);
    return parseInput(found.command, rest, "/here").asked(found.operation.name as "task.list");
  };

  test("numbers, times, agents, tasks and paths are read", () => {
    expect(asked("task list --agent 3 --limit 5 --state open --state ready -a")).toEqual({
      states: ["open", "ready"],
      all: true,
      agent: "agent3",
      limit: 5,
    });
    expect(asked("claim add src/a src/b --for 1h30m --severity high")).toEqual({
      paths: ["src/a", "src/b"],
      for_ms: 5_400_000,
      severity: "high",
    });
    expect(asked("task create Do it --repo ../api --after #12 --estimate 1.5h")).toEqual({
      title: "Do it",
      repositories: ["/api"],
      after: [12],
      estimate_ms: 5_400_000,
    });
  });

  test("a switch can stand for a value, and a command for a field", () => {
    expect(asked("task dispatch task:12 --no-fetch")).toEqual({ fetch: false });
    expect(asked("task cancel task:12")).toEqual({ task: 12 });
    expect(asked("decision reject 4k2p9x")).toEqual({ verdict: "reject", id: "4k2p9x" });
    expect(asked("cron pause nightly")).toEqual({ kind: "cron", paused: true, label: "nightly" });
  });

  test("two switches for one field are refused, and a screen has its own default", () => {
    expect(() => asked("task update 1 --reopen --release")).toThrow("exclude each other");
    expect(asked("notices --all")).toEqual({ all: true, limit: 50 });
  });
});
