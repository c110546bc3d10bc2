// Wherever an agent is named, one rule says what an id is: on every command, and in every operation, whichever door it is asked through.

import { describe, expect, test } from "bun:test";
import { Refusal } from "../../../protocol/errors.ts";
import { operations } from "../../../protocol/operations/all.ts";
import { outlineOf } from "../../../protocol/outline-of.ts";
import { allCommands } from "../manifest/all.ts";
import { parseInput } from "./parse.ts";

const bad = [
  "agent",
  "Agent1",
  "agent-1",
  "agent01",
  "agent1000000",
  "agent1 ",
  "../agent1",
  "agent1/x",
  "root",
  "1x",
  "01",
  `agent${"x".repeat(33)}`,
  `agent${"x".repeat(40)}`,
];

for (const command of await allCommands()) {
  const { arguments: args = [], flags = {} } = command;
  const at = args.findIndex(({ name }) => name === "agent");
  const lines: ((id: string) => string[])[] = [];
  const before = args.slice(0, Math.max(at, 0)).map(() => "word");
  if (at !== -1) lines.push((id) => [...before, id, ...args.slice(at + 1).map(() => "word")]);
  for (const [name, { value }] of Object.entries(flags))
    if (value === "AGENT") lines.push((id) => [...args.map(({ oneOf }) => oneOf?.[0] ?? "word"), `--${name}=${id}`]);
  for (const line of lines)
    test(`constel ${command.name} ${line("AGENT").join(" ")}`, () => {
      for (const id of bad) {
        let code: string | undefined;
        try {
          parseInput(command, line(id), "/here");
        } catch (cause) {
          code = cause instanceof Refusal ? cause.code : String(cause);
        }
        expect([id, code]).toEqual([id, "agent.bad-id"]);
      }
    });
}

/** The fields that name an agent, by what they are called. */
const agentNames = /^(agent|to|receiver|holder|worker)$/;

describe("operations", () => {
  for (const operation of Object.values(operations))
    for (const [name, { kind, many }] of Object.entries(outlineOf(operation).fields))
      if (agentNames.test(name) || kind === "agent")
        test(`${operation.name} ${name}`, () => {
          expect(kind).toBe("agent");
          for (const id of bad) {
            const { error } = operation.input.safeParse({ [name]: many === true ? [id] : id });
            expect([id, error?.issues.some(({ path }) => path[0] === name)]).toEqual([id, true]);
          }
        });
});
