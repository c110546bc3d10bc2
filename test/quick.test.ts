// The quick program, which bin/constel runs when it was built: it says what the sources say, and is never older than they are.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, rmSync, statSync, symlinkSync, utimesSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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
  // It is as sparing as the one that was built.
  if (process.platform === "linux")
    expect(readFileSync(`/proc/${at.daemonPid}/environ`, "utf8")).toContain("\0BUN_JSC_useFTLJIT=0\0");
  await withBrokenPackage(async () => {
    expect(await at.constel(["config", "show", "constellation.name"], { program: clone.program })).toMatchObject({
      code: 0,
    });
  });
});

test("a command runs what was built, until a source that it is made of is changed in any way", async () => {
  await using at = new TestHome();
  const show = ["config", "show", "constellation.name"];
  const ask = (words: readonly string[]): Promise<Ran> => at.constel(words, { program: clone.program });
  const fromSources = { code: 70, stderr: expect.stringContaining("smol-toml") };
  await withBrokenPackage(async () => {
    expect(await ask(show)).toMatchObject({ code: 0, stdout: expect.stringContaining("constel0") });
    edit("src/store/views.ts", "Everything that happened, in order.", "Everything that happened, in good order.");
    // No setting is shown by it; a query is, and so is whatever begins with something that is no command.
    expect(await ask(show)).toMatchObject({ code: 0, stdout: expect.stringContaining("constel0") });
    expect(await ask(["query", "select 1"])).toMatchObject(fromSources);
    expect(await ask(["--json", ...show])).toMatchObject(fromSources);
    // Not one of its own files, but one that it needs.
    edit(
      "src/settings/declarations.ts",
      "The name of this machine's constellation.",
      "The name of this constellation.",
    );
    expect(await ask(show)).toMatchObject(fromSources);
  });
});

test("each command compares every source that it can load", () => {
  const built = JSON.parse(readFileSync(clone.at("node_modules/.constel/quick.json"), "utf8")) as {
    names: string[];
    commandCount: number;
    rangesOfWord: Record<string, number[]>;
  };
  const { rangesOfWord } = built;
  // What the daemon and the looks at repositories are made of besides, they compare when they begin.
  const names = built.names.slice(0, built.commandCount);
  const comparedBy = (word: string): Set<string> => {
    const ranges = rangesOfWord[word];
    if (ranges === undefined) return new Set(names);
    return new Set(names.filter((_, index) => ranges.filter((edge) => edge <= index).length % 2 === 1));
  };
  /** Finds what lies behind a command by the text of its imports alone. What no other program can be told by is left out. */
  const loadedBy = (root: string, found = new Set<string>()): Set<string> => {
    if (found.has(root) || !names.includes(root)) return found;
    found.add(root);
    if (!root.endsWith(".ts")) return found;
    const text = readFileSync(clone.at(root), "utf8").replaceAll(/^import type [^;]*;/gm, "");
    for (const [, path = ""] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g))
      loadedBy(join(dirname(root), path), found);
    return found;
  };
  const missing = (word: string, roots: readonly string[]): string[] => {
    const compared = comparedBy(word);
    return roots.flatMap((root) => [...loadedBy(root)]).filter((name) => !compared.has(name));
  };
  const shared = [
    "src/protocol/errors.ts",
    "src/settings/settings.ts",
    "src/floor/records.ts",
    "src/doors/cli/present/output.ts",
  ];
  expect(
    missing("config", ["src/doors/cli/commands/config.ts", "src/doors/cli/invocation-record.ts", ...shared]),
  ).toEqual([]);
  const asking = ["src/doors/cli/reach/caller.ts", "src/app/read-in-process.ts", ...shared];
  for (const word of ["task", "repo", "notices", "status", "channel"])
    expect(missing(word, [`src/doors/cli/commands/${word}.ts`, ...asking])).toEqual([]);
  const ofHooks = [
    "src/doors/hook/hook.ts",
    "src/app/judge-for-hook.ts",
    "src/quick/fresh.ts",
    "src/quick/hand-over.ts",
  ];
  expect(missing("hook", ofHooks)).toEqual([]);
  // It is paid for at every tool call of an agent: nothing that reads repositories, and nothing of other words.
  expect(
    [...comparedBy("hook")].filter((name) =>
      /^src\/(languages\/(?!shell\/)|sensing\/|host\/git\/|core\/contracts\/)/.test(name),
    ),
  ).toEqual([]);
  // What reaches behind the doors is made of everything.
  for (const word of ["query", "check", "up", "doctor", "mcp", "--json", "nonsense"])
    expect(comparedBy(word).size).toBe(names.length);
  expect(comparedBy("config").size).toBeLessThan(names.length / 4);
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
