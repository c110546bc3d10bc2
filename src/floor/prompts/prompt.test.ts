import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "../../protocol/errors.ts";
import { agentIdentity } from "../../protocol/agent-id.ts";
import { temporaryDirectory } from "../floor.suite.ts";
import { type PromptInput, fill, promptText, writePrompt } from "./prompt.ts";

function input(agent: string): PromptInput {
  const home = temporaryDirectory();
  const root = temporaryDirectory();
  mkdirSync(join(root, "prompts"));
  return { home, root, constellation: "constel0", identity: agentIdentity(agent), runtime: "script" };
}

describe("prompts", () => {
  test("are base, role and addendum, in this order, with nothing left to fill in", () => {
    for (const [agent, role] of [
      ["agent0", "root"],
      ["agent3", "clone"],
      ["agentinfinity", "watchdog"],
    ] as const) {
      const here = input(agent);
      writeFileSync(join(here.root, "prompts/all.md"), "For all: {{agent}}.\n");
      writeFileSync(join(here.root, `prompts/${role}.md`), `For each ${role}.\n`);
      const text = promptText(here);
      expect(text).toStartWith(`# You are ${agent} of constel0\n`);
      const places = ["## Your role:", `For all: ${agent}.`, `For each ${role}.`].map((part) => text.indexOf(part));
      expect(places.every((place) => place > 0)).toBe(true);
      expect([...places].sort((a, b) => a - b)).toEqual(places);
      expect(text).not.toContain("{{");
      expect(text).toContain(here.root);
    }
  });

  test("one role's prompt holds nothing of another's", () => {
    const here = input("agent3");
    writeFileSync(join(here.root, "prompts/root.md"), "only for the root");
    const text = promptText(here);
    expect(text).toContain("You never start other agents");
    expect(text).not.toContain("only for the root");
    expect(text).not.toContain("task create");
  });

  test("are written whole to the state directory, private, and their path is answered", () => {
    const here = input("agent3");
    const path = writePrompt(here);
    expect(path).toBe(join(here.home, "state/prompts/agent3.md"));
    expect(readFileSync(path, "utf8")).toBe(promptText(here));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("with a placeholder left over are refused, and the old one stays", () => {
    const here = input("agent3");
    const path = writePrompt(here);
    const before = readFileSync(path, "utf8");
    writeFileSync(join(here.root, "prompts/all.md"), "Deploy to {{cluster}}.");
    const refusal = caught(() => writePrompt(here));
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({
      code: "prompt.placeholder-left",
      facts: { source: "prompts/all.md", placeholder: "cluster" },
    });
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(readdirSync(join(here.home, "state/prompts"))).toEqual(["agent3.md"]);
  });

  test("whose addendum is a symbolic link are refused", () => {
    const here = input("agent3");
    symlinkSync("/etc/hostname", join(here.root, "prompts/all.md"));
    expect(() => promptText(here)).toThrow(Refusal);
  });
});

describe("filling in", () => {
  const values = { agent: "agent3", odd: "{{agent}}" };

  test("takes each placeholder once, with or without spaces, and leaves values as they are", () => {
    expect(fill("a {{agent}} b {{ agent }} {{odd}}", values, "x")).toBe("a agent3 b agent3 {{agent}}");
    expect(fill("plain { } }} and \\{{agent}}", values, "x")).toBe("plain { } }} and {{agent}}");
  });

  test("refuses what it does not know, what has no end, and what objects have by birth", () => {
    for (const text of [
      "{{unknown}}",
      "{{}}",
      "{{agent",
      "{{agent}",
      "{{ two\nlines }}",
      "{{toString}}",
      "{{{agent}}}",
    ]) {
      expect(() => fill(text, values, "x")).toThrow(Refusal);
    }
  });
});

function caught(use: () => unknown): unknown {
  try {
    use();
  } catch (cause) {
    return cause;
  }
  return undefined;
}
