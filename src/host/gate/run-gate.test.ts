import { afterAll, beforeAll, expect, test } from "bun:test";
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync } from "node:fs";
import { getPriority } from "node:os";
import { join } from "node:path";
import { until } from "../../../test/kit/home.ts";
import type { RepositoryObserver, TreeEntry } from "../../ports/git.ts";
import type { GateRun } from "../../ports/gate.ts";
import { Scratch, snapshotOf } from "../git/scratch.suite.ts";
import { isAgentsMark } from "../process/limit-mark.ts";
import { systemProcesses } from "../process/run.ts";
import { identify } from "../process/tree.ts";
import { checkOut } from "./check-out.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { clearGates, gateRunner } from "./run-gate.ts";

let scratch: Scratch;
beforeAll(() => {
  scratch = new Scratch();
});
afterAll(() => scratch.close());

async function run(top: string, command: string, deadlineMs = 20_000, signal?: AbortSignal): Promise<GateRun> {
  const observer = await scratch.observe(top);
  const { tree } = await snapshotOf(observer, top);
  const environment = { PATH: process.env["PATH"], HOME: scratch.home, GIT_DIR: "/elsewhere" };
  const runner = gateRunner({ observer, processes: systemProcesses, environment });
  return await runner.run({ tree, command, deadlineMs, ...(signal === undefined ? {} : { signal }) });
}

test("the tree is written whole: bytes, modes and links, with no filter and no hook of the repository", async () => {
  const top = scratch.repository("whole", {
    ".gitattributes": "*.txt filter=bad eol=crlf\n",
    "a.txt": "one\n",
    "d/run.sh": "echo\n",
  });
  scratch.git(top, "config", "filter.bad.smudge", "touch ran");
  scratch.git(top, "update-index", "--chmod=+x", "d/run.sh");
  scratch.git(top, "commit", "-qm", "mode");
  scratch.git(top, "reset", "-q", "--hard");
  symlinkSync("../a.txt", join(top, "d/link"));
  const observer = await scratch.observe(top);
  const { tree } = await snapshotOf(observer, top);
  const into = scratch.path("out");
  using out = TrustedDirectory.open(into, "", { create: true });
  expect(await checkOut(observer, tree, out)).toEqual([]);
  expect(readFileSync(join(into, "a.txt"), "utf8")).toStartWith("one");
  expect(statSync(join(into, "d/run.sh")).mode & 0o111).not.toBe(0);
  expect(readlinkSync(join(into, "d/link"))).toBe("../a.txt");
  expect(lstatSync(join(into, "ran"), { throwIfNoEntry: false })).toBeUndefined();
});

test("a tree that names a way out, or writes through a link, writes nothing outside", async () => {
  const entries: [string, TreeEntry][] = [
    ["link", { mode: "120000", blob: "target" }],
    ["link/inside.txt", { mode: "100644", blob: "text" }],
    ["../escaped.txt", { mode: "100644", blob: "text" }],
    [".git/hooks/x", { mode: "100644", blob: "text" }],
  ];
  const outside = scratch.path("outside");
  mkdirSync(outside);
  const read = async (blob: string): Promise<Uint8Array> => Buffer.from(blob === "target" ? outside : "text");
  const hostile = { tree: async () => new Map(entries), read } as unknown as RepositoryObserver;
  const into = scratch.path("into");
  using out = TrustedDirectory.open(into, "", { create: true });
  expect(await checkOut(hostile, "t", out)).toEqual(["../escaped.txt", ".git/hooks/x", "link"]);
  expect(lstatSync(join(outside, "inside.txt"), { throwIfNoEntry: false })).toBeUndefined();
  expect(lstatSync(scratch.path("escaped.txt"), { throwIfNoEntry: false })).toBeUndefined();
  expect(lstatSync(join(into, ".git"), { throwIfNoEntry: false })).toBeUndefined();
});

test("green, red with the end of what was said, and cut off at the deadline", async () => {
  const top = scratch.repository("gate", { "a.txt": "one\n" });
  scratch.write(top, { "new.txt": "untracked\n" });
  expect(await run(top, "cat a.txt new.txt")).toEqual({ outcome: "green", detail: "one\nuntracked" });
  expect(await run(top, "echo out; echo err >&2; exit 3")).toEqual({ outcome: "red", detail: "out\nerr" });
  expect((await run(top, "sleep 60", 50)).outcome).toBe("not-run");
  expect(await run(top, "yes", 60_000)).toMatchObject({
    outcome: "not-run",
    detail: expect.stringContaining("without end"),
  });
  expect((await run(top, "sleep 60", 20_000, AbortSignal.abort())).outcome).toBe("not-run");
});

test("the gate runs at low priority, away from the caller's git", async () => {
  const top = scratch.repository("nice");
  // Ten below whoever runs these tests.
  const lower = Math.min(19, getPriority() + 10);
  expect((await run(top, 'nice; echo "$GIT_DIR"')).detail).toBe(String(lower));
});

test("ended by a signal it is red, whoever sent it, and never green", async () => {
  const top = scratch.repository("killed");
  // The shell that runs the gate, the gate itself, and a part of it.
  const commands = ["kill -KILL $$", "kill -TERM $$; kill -KILL $$", "sh -c 'kill -SEGV $$'"];
  for (const command of commands) {
    expect({ command, ...(await run(top, `echo begun; ${command}`)) }).toMatchObject({ command, outcome: "red" });
  }
  expect((await run(top, "kill -KILL $$")).detail).toContain("it was ended by SIGKILL");
});

test("it runs as nobody: no home, no agent, no terminal of ours, and a repository that leads nowhere", async () => {
  const top = scratch.repository("nobody", { "a.txt": "one\n", ".gitignore": "a.txt\n" });
  scratch.git(top, "add", "-f", "a.txt");
  scratch.git(top, "commit", "-qm", "tracked all the same");
  scratch.git(top, "remote", "add", "origin", "/somewhere");
  const observer = await scratch.observe(top);
  const { tree } = await snapshotOf(observer, top);
  const told = {
    CONSTEL_HOME: "/the/home",
    CONSTEL_ROOT: "/the/root",
    CONSTEL_AGENT: "agent1",
    CONSTEL_TOKEN: "secret",
    CLAUDECODE: "1",
    TMUX: "/tmp/tmux",
    TMUX_PANE: "%1",
  };
  const environment = { PATH: process.env["PATH"], HOME: scratch.home, ...told };
  const runner = gateRunner({ observer, processes: systemProcesses, environment });
  const ask = async (command: string): Promise<string> =>
    (await runner.run({ tree, command, deadlineMs: 20_000 })).detail;
  const seen = await ask("env");
  for (const value of ["/the/home", "/the/root", "agent1", "secret", "/tmp/tmux", "%1"])
    expect(seen).not.toContain(value);
  expect(seen).toContain("CONSTEL_AGENT=nobody");
  expect(await ask('ls -A "$CONSTEL_HOME"; git remote; git config user.name; git ls-files')).toBe(
    "nobody\n.gitignore\na.txt",
  );
  expect(
    await ask("git config --get-all core.hooksPath; git log --format=%an; cat .git/objects/info/alternates"),
  ).toContain("nobody\n");
});

test("what a gate started ends with it, even what left its group and would outlive the deadline", async () => {
  const top = scratch.repository("flight");
  const note = scratch.path("flown");
  // A session of its own, holding the gate's output open.
  const flee = `setsid sh -c 'echo $$ > ${note}; exec sleep 1000' & while ! [ -s ${note} ]; do sleep 0.01; done`;
  // What was killed is gone when it has had its turn.
  const untilGone = () =>
    until(
      "what fled is gone",
      () => identify(Number(readFileSync(note, "utf8"))),
      (found) => found === undefined,
    );
  expect((await run(top, `${flee}; exec sleep 1000`, 3_000)).outcome).toBe("not-run");
  await untilGone();
  rmSync(note);
  expect(await run(top, `(${flee}) > /dev/null 2>&1; echo done`)).toEqual({ outcome: "green", detail: "done" });
  await untilGone();
});

test("what a program that was killed left behind is ended and removed, and nothing else", async () => {
  const place = scratch.path("gates");
  mkdirSync(join(place, "constel-gate-x"), { recursive: true });
  const start = (env: Record<string, string>): Bun.Subprocess =>
    Bun.spawn(["sleep", "1000"], { env: { PATH: process.env["PATH"] ?? "", ...env } });
  const [left, other] = [start({ CONSTEL_GATE_PLACE: place }), start({ CONSTEL_GATE_PLACE: `${place}-other` })];
  await clearGates(place);
  expect(await left.exited).not.toBe(0);
  expect(readdirSync(place)).toEqual([]);
  expect(other.exitCode).toBeNull();
  other.kill();
  await clearGates(scratch.path("never"));
});

test.skipIf(process.platform !== "linux")(
  "what flees from a gate and forgets everything still carries the mark of agents' processes",
  async () => {
    const top = scratch.repository("flees", { "a.txt": "one\n" });
    const told = scratch.path("fled");
    const fled = `(setsid env -i sh -c 'echo $$ >${told}; exec sleep 30' </dev/null >/dev/null 2>&1 &); until [ -s ${told} ]; do sleep 0.01; done`;
    expect(await run(top, fled)).toMatchObject({ outcome: "green" });
    const pid = Number(readFileSync(told, "utf8"));
    try {
      expect(isAgentsMark(pid)).toBe(true);
      expect(isAgentsMark(process.pid)).toBe(false);
    } finally {
      process.kill(pid, "SIGKILL");
    }
  },
);
