// The quick program, which bin/constel runs when it was built: it says what the sources say, and is never older than they are.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, rmSync, statSync, symlinkSync, utimesSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CloneCopy } from "./kit/clone-copy.ts";
import { projectTop, type Ran, type RunOptions, TestHome } from "./kit/home.ts";

/** Built once, because that takes seconds; the tests that change its sources come last. */
let clone: CloneCopy;
beforeAll(async () => {
  clone = new CloneCopy();
  await clone.buildQuick();
});
afterAll(() => clone.close());

/** A package that the quick program has inside and the sources load: while it is broken, who runs shows in the answer. */
async function withBrokenPackage(ask: () => Promise<void>): Promise<void> {
  const place = clone.at("node_modules/smol-toml");
  rmSync(place);
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), JSON.stringify({ name: "smol-toml", main: "index.js" }));
  writeFileSync(join(place, "index.js"), "export {};\n");
  try {
    await ask();
  } finally {
    rmSync(place, { recursive: true });
    symlinkSync(join(projectTop, "node_modules/smol-toml"), place);
  }
}

/** Changes a source and puts its time back, as a copy that keeps times does. */
function edit(name: string, from: string, to: string): void {
  const path = clone.at(name);
  const { atime, mtime } = statSync(path);
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
  utimesSync(path, atime, mtime);
}

test("it says what the sources say, and hands over what only they can do", async () => {
  const sources = new CloneCopy();
  await using at = new TestHome();
  try {
    const lines: readonly (readonly string[])[] = [
      ["--version"],
      ["--help"],
      ["config", "path", "--json"],
      ["config", "show", "--json"],
      ["nonsense"],
      ["config", "show", "--nonsense", "--json"],
      ["query", "select 1 as one", "--json"],
      ["events", "--json"],
      ["check", "nothing", "--json"],
      ["bench", "--nonsense"],
    ];
    for (const words of lines) {
      const [built, plain] = [
        await at.constel(words, { program: clone.program }),
        await at.constel(words, { program: sources.program }),
      ];
      expect({ words, ...built }).toEqual({ words, ...plain });
    }
    expect(await daemonCommand(at)).toEqual([clone.at("node_modules/.constel/quick")]);
    expect((await at.constel(["announce", "hello"], { program: clone.program })).code).toBe(0);
    expect((await at.constel(["events", "--json"], { program: clone.program })).stdout).toContain("hello");
  } finally {
    sources.close();
  }
});

/** Starts a daemon; answers the program and its script, which say whose code it runs, without the words of the command. */
async function daemonCommand(at: TestHome): Promise<string[]> {
  expect(await at.constel(["daemon", "start"], { program: clone.program })).toMatchObject({ code: 0 });
  const words = readFileSync(`/proc/${at.daemonPid}/cmdline`, "utf8").split("\0");
  return words.slice(0, words.indexOf("daemon")).filter((word) => word.startsWith("/"));
}

test("the compiler is asked from it as from the sources", async () => {
  await using at = new TestHome();
  const git = (...words: string[]): void => {
    const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    expect(Bun.spawnSync(["git", ...who, ...words], { cwd: at.top, env: at.env }).exitCode).toBe(0);
  };
  const write = (text: string): void => writeFileSync(join(at.top, "a.ts"), text);
  const lines = "\n".repeat(8);
  git("init", "-q", "-b", "main");
  writeFileSync(join(at.top, "tsconfig.json"), '{ "compilerOptions": { "strict": true } }');
  write(`export const price = (): number => 1;${lines}export const shown = "";\n`);
  git("add", "a.ts", "tsconfig.json");
  git("commit", "-qm", "base");
  git("checkout", "-qb", "one");
  write(`export const price = (): string => "1";${lines}export const shown = "";\n`);
  git("commit", "-qam", "one");
  git("checkout", "-qb", "two", "main");
  write(`export const price = (): number => 1;${lines}export const shown = price().toFixed(2);\n`);
  git("commit", "-qam", "two");
  const ran = await at.constel(["check", "one", "two"], { program: clone.program });
  expect(ran).toMatchObject({ code: 1, stdout: expect.stringContaining("toFixed") });
});

test("nobody else may write or read it", () => {
  expect(statSync(clone.at("node_modules/.constel")).mode & 0o777).toBe(0o700);
  expect(statSync(clone.at("node_modules/.constel/quick")).mode & 0o777).toBe(0o700);
});

test("a source that only the daemon is made of makes the daemon, and nothing else, run from the sources", async () => {
  await using at = new TestHome();
  edit("src/daemon/run.ts", "// ", "//  ");
  expect(await daemonCommand(at)).toContain(clone.at("src/main.ts"));
  await withBrokenPackage(async () => {
    expect(await at.constel(["config", "show", "constellation.name"], { program: clone.program })).toMatchObject({
      code: 0,
    });
  });
});

test("a command runs what was built, until a source is changed in any way", async () => {
  await using at = new TestHome();
  const ask = (): Promise<Ran> => at.constel(["config", "show", "constellation.name"], { program: clone.program });
  await withBrokenPackage(async () => {
    expect(await ask()).toMatchObject({ code: 0, stdout: expect.stringContaining("constel0") });
    edit("src/store/views.ts", "Everything that happened, in order.", "Everything that happened, in good order.");
    expect(await ask()).toMatchObject({ code: 70, stderr: expect.stringContaining("smol-toml") });
  });
});

test("an edit shows at once: in a command, in what a hook leaves, in the version", async () => {
  await using at = new TestHome();
  const run = (words: readonly string[], options: RunOptions = {}): Promise<Ran> =>
    at.constel(words, { program: clone.program, ...options });
  edit("src/doors/cli/commands/config-path.ts", "`home    ", "`HOUSE   ");
  expect((await run(["config", "path"])).stdout).toStartWith("HOUSE ");

  const payload = JSON.stringify({ hook_event_name: "Stop", session_id: "s1" });
  const hook: RunOptions = { env: { CONSTEL_AGENT: "agent1" }, input: payload };
  edit("src/doors/hook/hook.ts", "Date.now()", "77");
  expect(await run(["hook", "claude"], hook)).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(JSON.parse(readFileSync(join(at.home, "state/hooks/agent1.jsonl"), "utf8"))).toMatchObject({ at: 77 });

  edit("package.json", '"version": "', '"version": "9');
  expect((await run(["--version"])).stdout).toStartWith("constel 9");
});

test("what is handed over has the caller's own mask, and nothing of what injects code", async () => {
  await using at = new TestHome();
  // A hook or a state/bin/constel runs the program without bin/constel before it, which would have dropped these.
  const preload = join(at.top, "preload.js");
  writeFileSync(preload, `require("node:fs").writeFileSync(${JSON.stringify(join(at.top, "proof"))}, "ran");`);
  writeFileSync(
    clone.at("src/main.ts"),
    "console.log(process.umask().toString(8), Object.keys(process.env).join(' '));",
  );
  const env = { NODE_OPTIONS: `--require ${preload}`, NODE_PATH: at.top };
  const masked = ["/bin/sh", "-c", 'umask 027; exec "$0" "$@"', clone.at("node_modules/.constel/quick")];
  const { stdout, code } = await at.constel(["config", "path"], { program: masked, env });
  expect(code).toBe(0);
  expect(stdout).toStartWith("27 ");
  expect(stdout).not.toContain("NODE_");
});
