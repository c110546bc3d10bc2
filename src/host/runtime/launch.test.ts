// Checks the parts of a launch that can be seen without running a program. test/lanes/runtimes shows that the programs accept them.

import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "smol-toml";
import type { Launch, RuntimeMachine } from "../../ports/runtime.ts";
import { systemClock } from "../clock/system-clock.ts";
import { systemProcesses } from "../process/run.ts";
import { runtimeNamed, runtimes } from "./all.ts";
import { claude } from "./claude/claude.ts";
import { codex } from "./codex/codex.ts";
import { mcpOverrides, prepareCodex, toml, trusting } from "./codex/launch.ts";
import { describeRuntime } from "./describe.ts";
import { opencode } from "./opencode/opencode.ts";
import { shellLine } from "../../protocol/shell-line.ts";
import { hookLine } from "./hook-line.ts";

const directory = mkdtempSync(join(tmpdir(), "constel-launch-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const promptFile = join(directory, "prompt.md");
writeFileSync(promptFile, `You're "agent1".\nSECRET-PROMPT ${"x".repeat(20_000)}\n`);

const launch: Launch = {
  agent: "agent1",
  home: directory,
  cwd: directory,
  program: "/bin/true",
  promptFile,
  sessionId: "11111111-2222-4333-8444-555555555555",
  permissions: "ask",
  hookCommand: ["/opt/my constel", "hook", "claude"],
  trusted: true,
};
const machine: RuntimeMachine = {
  processes: systemProcesses,
  clock: systemClock,
  env: { PATH: process.env["PATH"] ?? "" },
};

describe("every runtime", () => {
  for (const runtime of runtimes) {
    test(`${runtime.name} passes the prompt by path: its words are in no argument and no variable`, async () => {
      const prepared = await runtime.prepare({ ...launch, command: ["/bin/true"] }, machine);
      expect(JSON.stringify([prepared.argv, prepared.env])).not.toContain("SECRET-PROMPT");
      // A terminal multiplexer refuses longer commands.
      expect(prepared.argv.join(" ").length).toBeLessThan(4000);
      for (const file of prepared.files) expect(file.path.startsWith("state/runtime/agent1/")).toBe(true);
    });
    test(`${runtime.name} is found by its name`, () => expect(runtimeNamed(runtime.name)).toBe(runtime));
    test(`${runtime.name} puts its commands into its own configuration only`, () => {
      for (const file of runtime.commands({ HOME: "/h" })) {
        expect(file.path.startsWith("/h/.")).toBe(true);
        expect(file.content).toContain(`constel session ${file.name}`);
      }
    });
  }
});

describe("claude", () => {
  test("asks for its hooks in a settings file of the launch, and quotes the command", async () => {
    const { files, argv } = await claude.prepare(launch, machine);
    const settings = JSON.parse(files[0]?.content ?? "") as {
      hooks: Record<string, { hooks: { command: string }[] }[]>;
    };
    expect(argv).toContain(join(directory, files[0]?.path ?? ""));
    expect(settings.hooks["Stop"]?.[0]?.hooks[0]?.command).toBe("cd /; exec '/opt/my constel' hook claude");
    expect(settings).not.toHaveProperty("skipDangerousModePermissionPrompt");
  });
  test("waits for messages only when there is a command for it", async () => {
    const waiting = await claude.prepare({ ...launch, waitCommand: ["wait"] }, machine);
    expect(waiting.files[0]?.content).toContain("asyncRewake");
    expect((await claude.prepare(launch, machine)).files[0]?.content).not.toContain("asyncRewake");
  });
  test("a resume takes the session up and chooses no new id", async () => {
    const { argv } = await claude.prepare({ ...launch, resume: "old" }, machine);
    expect(argv).toContain("--resume");
    expect(argv).not.toContain("--session-id");
  });
  test("an untrusted directory keeps its trust question", async () => {
    expect((await claude.prepare({ ...launch, trusted: false }, machine)).env).not.toHaveProperty(
      "CLAUDE_CODE_SANDBOXED",
    );
  });
});

describe("codex", () => {
  test("says when its hooks could not be trusted, instead of pretending", async () => {
    const { notes } = await codex.prepare(launch, machine); // /bin/true lists no hooks
    expect(notes.join()).toContain("not trusted");
  });
  test("confined it has no sandbox of its own, and asks constel before each tool; otherwise its own asks", async () => {
    const script = async (more: Partial<Launch>) => {
      const { files, env } = await prepareCodex({ ...launch, ...more }, machine);
      const text = files[0]?.content ?? "";
      const words = (/--sandbox '?([a-z-]+)'? --ask-for-approval '?([a-z-]+)/.exec(text) ?? []).slice(1);
      return [...words, env["CONSTEL_ASKS_FIRST"], text.includes("require_escalated")];
    };
    const ownFiles = "/own";
    const usual = ["workspace-write", "on-request", undefined, true];
    for (const permissions of ["ask", "edits"] as const) {
      expect(await script({ ownFiles, permissions })).toEqual(["danger-full-access", "never", "yes", false]);
      expect(await script({ permissions })).toEqual(usual);
    }
    expect(await script({ ownFiles, permissions: "all" })).toEqual([undefined, false]);
  });
  test("its overrides are good TOML, whatever the names", () => {
    const odd = `a "b" \\ c\n'd' \u007f é`;
    expect(parse(`x=${toml(odd)}`)).toEqual({ x: odd });
    expect(parse(trusting([odd]))).toEqual({ projects: { [odd]: { trust_level: "trusted" } } });
    const [server = ""] = mcpOverrides({ tracker: { command: "node", args: [odd], env: { K: odd } } });
    expect(parse(server)).toMatchObject({ mcp_servers: { tracker: { args: [odd], env: { K: odd }, required: true } } });
  });
});

describe("opencode", () => {
  test("every launch has a password of its own, and an agent always the same port", async () => {
    const [one, two] = [await opencode.prepare(launch, machine), await opencode.prepare(launch, machine)];
    expect(one.env["OPENCODE_SERVER_PASSWORD"]).not.toBe(two.env["OPENCODE_SERVER_PASSWORD"] ?? "");
    expect(one.argv).toEqual(two.argv);
    expect(one.argv.join(" ")).not.toContain(one.env["OPENCODE_SERVER_PASSWORD"] ?? "?");
  });
});

describe("describing a runtime", () => {
  const bin = join(directory, "bin");
  mkdirSync(bin);
  const install = (version: string): RuntimeMachine => {
    writeFileSync(join(bin, "claude"), `#!/bin/sh\necho '${version}'\n`);
    chmodSync(join(bin, "claude"), 0o755);
    return { ...machine, env: { PATH: `/nowhere:${bin}` } };
  };
  test("the checked version is as checked", async () => {
    expect(await describeRuntime(claude, install("2.1.325 (Claude Code)"))).toMatchObject({
      installed: true,
      version: "2.1.325",
      path: join(bin, "claude"),
      verdict: "checked",
    });
  });
  test("another version is told apart", async () => {
    expect(await describeRuntime(claude, install("2.2.0 (Claude Code)"))).toMatchObject({
      verdict: "unchecked-version",
      advice: expect.stringContaining("2.1.325"),
    });
  });
  test("a program that does not tell its version is not vouched for", async () => {
    expect((await describeRuntime(claude, install("hm"))).verdict).toBe("unknown-version");
  });
  test("a program that is not there is not there", async () => {
    expect((await describeRuntime(claude, { ...machine, env: { PATH: "/nowhere" } })).verdict).toBe("not-installed");
  });
});

test("a command becomes one line that a shell reads as the same words", async () => {
  const words = ["a b", "it's", "$HOME", "`x`", "", "plain-1.2/x=y", "new\nline", "*"];
  const outcome = await systemProcesses.run(["sh", "-c", `printf '%s\\0' ${shellLine(words)}`], {
    env: {},
    deadlineMs: 5000,
  });
  expect(new TextDecoder().decode(outcome.stdout).split("\0").slice(0, -1)).toEqual(words);
});

test("a hook starts in a directory that was deleted, with its own exit code", async () => {
  const line = hookLine(["sh", "-c", "pwd; exit 7"]);
  const script = 'd=$(mktemp -d); cd "$d"; rmdir "$d"; exec sh -c "$LINE"';
  const outcome = await systemProcesses.run(["sh", "-c", script], {
    env: { ...process.env, LINE: line },
    deadlineMs: 5000,
  });
  expect([outcome.code, new TextDecoder().decode(outcome.stdout)]).toEqual([7, "/\n"]);
});
