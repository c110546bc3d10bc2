import { describe, expect, test } from "bun:test";
import { Refusal } from "../../../protocol/errors.ts";
import type { CommandDeclaration } from "./command.ts";
import { allCommands } from "../manifest/all.ts";
import { parseInput } from "./parse.ts";

const command: CommandDeclaration = {
  name: "task create",
  summary: "",
  tier: "change",
  arguments: [
    { name: "title", summary: "its title" },
    { name: "more", summary: "the rest", rest: true, optional: true },
  ],
  flags: {
    limit: { summary: "", value: "N", short: "n" },
    scope: { summary: "", value: "PATH", repeat: true },
    dry: { summary: "", short: "d" },
    quiet: { summary: "", short: "q" },
    kind: { summary: "", value: "KIND", oneOf: ["a", "b"] },
    note: { summary: "", value: "TEXT", mayBeEmpty: true },
  },
  examples: ["x"],
  load: async () => async () => undefined,
};

const parse = (...words: string[]) => parseInput(command, words, "/here");
function refused(...words: string[]): Refusal {
  try {
    parse(...words);
  } catch (cause) {
    if (cause instanceof Refusal) return cause;
    throw cause;
  }
  throw new Error("nothing was refused");
}

describe("a command line", () => {
  test("arguments and flags may be mixed", () => {
    const input = parse("--limit", "5", "a title", "-d", "more", "and more");
    expect(input.argument("title")).toBe("a title");
    expect(input.rest("more")).toEqual(["more", "and more"]);
    expect(input.flag("limit")).toBe("5");
    expect(input.has("dry")).toBe(true);
    expect(input.has("quiet")).toBe(false);
  });

  test("every usual form of a flag is understood", () => {
    for (const words of [["--limit=5"], ["--limit", "5"], ["-n", "5"], ["-n5"], ["-n=5"], ["-dn5"]]) {
      expect(parse("t", ...words).flag("limit")).toBe("5");
    }
    expect(parse("t", "-dq").has("quiet")).toBe(true);
    expect(parse("t", "--scope", "a", "--scope=b").flags("scope")).toEqual(["a", "b"]);
    expect(parse("t", "--note=").flag("note")).toBe("");
    expect(parse("t", "--scope=a=b").flag("scope")).toBe("a=b");
  });

  test("what follows -- is never a flag, and a negative number is a word", () => {
    expect(parse("--", "--dry").argument("title")).toBe("--dry");
    expect(parse("-5").argument("title")).toBe("-5");
    expect(parse("-").argument("title")).toBe("-");
    expect(parse("t", "--limit", "-5").flag("limit")).toBe("-5");
  });

  test("mistakes are refused with what was meant", () => {
    expect(refused()).toMatchObject({
      code: "usage.missing-argument",
      message: "constel task create needs <title>: its title",
    });
    expect(refused("t", "--limt", "5")).toMatchObject({ code: "usage.unknown-flag", hint: "Did you mean --limit?" });
    expect(refused("t", "-x").code).toBe("usage.unknown-flag");
    expect(refused("t", "--limit").code).toBe("usage.bad-value");
    expect(refused("t", "--limit", "--dry").code).toBe("usage.bad-value");
    expect(refused("t", "--dry=yes").message).toContain("takes no value");
    expect(refused("t", "--kind", "c").message).toContain("must be one of a, b");
    expect(refused("t", "--constructor").code).toBe("usage.unknown-flag");
  });

  test("an empty word, which a script gives whose variable was not set, never means something weaker", async () => {
    expect(refused("")).toMatchObject({
      code: "usage.bad-value",
      message: "constel task create: <title> is empty",
    });
    expect(refused("t", "--limit", "").message).toContain("--limit is empty");
    expect(refused("t", "--limit=").message).toContain("--limit is empty");
    const commands = await allCommands();
    const free = commands.flatMap(({ name, arguments: words = [], flags = {} }) => [
      ...words.filter(({ mayBeEmpty }) => mayBeEmpty).map((word) => `${name} <${word.name}>`),
      ...Object.entries(flags).flatMap(([flag, { mayBeEmpty }]) => (mayBeEmpty ? [`${name} --${flag}`] : [])),
    ]);
    expect(free.toSorted()).toEqual(["complete <words>", "config set <value>"]);
  });

  test("--help asks for no arguments", () => {
    expect(parse("--help").has("help")).toBe(true);
  });
});

describe("an agent is named by its number too, wherever one is named", () => {
  const agents = async (name: string, ...words: string[]) => {
    const found = (await allCommands()).find((one) => one.name === name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return parseInput(found, words, "/here");
  };
  test("as an argument, alone and among several", async () => {
    expect((await agents("tell", "3", "hello 3")).argument("agent")).toBe("agent3");
    expect((await agents("tell", "1,agent2,3", "hello")).argument("agent")).toBe("agent1,agent2,agent3");
    expect((await agents("channel drain", "agent3")).argument("agent")).toBe("agent3");
  });
  test("as a flag", async () => {
    expect((await agents("task list", "--agent", "3")).flag("agent")).toBe("agent3");
    expect((await agents("publish", "note", "x", "--to", "1", "--to", "agent2")).flags("to")).toEqual([
      "agent1",
      "agent2",
    ]);
  });
  test("every flag for an agent says so, and no argument goes by another name", async () => {
    // Of these `--to` says where, or which version.
    const others = ["db move", "docs", "downgrade", "upgrade"];
    for (const { name, flags } of (await allCommands()).filter((one) => !others.includes(one.name)))
      for (const [flag, { value }] of Object.entries(flags ?? {}))
        if (["agent", "as", "to"].includes(flag)) expect([name, flag, value]).toEqual([name, flag, "AGENT"]);
  });
});
