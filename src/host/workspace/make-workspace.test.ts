// Fresh workspaces: independent, with the true origin, ready to run, and running nothing of the source's.

import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Refusal } from "../../protocol/errors.ts";
import type { Processes } from "../../ports/machine.ts";
import { systemLiveness } from "../process/liveness.ts";
import { systemProcesses } from "../process/run.ts";
import { makingNow } from "./make-workspace.ts";
import { Stage } from "./workspace.suite.ts";
import { systemWorkspaces } from "./workspaces.ts";
import { rejection, throwing } from "../../../test/kit/rejection.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(async () => {
  await stage.close();
});

const wish = (more: object = {}) => ({
  source: stage.source,
  root: stage.top,
  place: "workspaces/1/repo",
  branch: "constel/constel0/1-work",
  fetch: false,
  ports: { first: 20_010, count: 10 },
  environment: { CONSTEL_TASK: "1" },
  ...more,
});

test("a workspace stands on its branch at the origin's main, and its origin is the true one", async () => {
  const made = await stage.workspaces.make(wish({ source: join(stage.source, "b") }));
  expect(made).toMatchObject({ origin: stage.origin, target: "main", branch: "constel/constel0/1-work", notes: [] });
  expect(stage.git(made.path, "remote", "get-url", "origin").trim()).toBe(stage.origin);
  expect(stage.git(made.path, "status", "--porcelain", "--branch")).toBe("## constel/constel0/1-work\n");
  expect(made.base).toBe(stage.git(stage.source, "rev-parse", "origin/main").trim());
  expect(stage.git(made.path, "branch", "-a", "--format=%(refname)").trim().split("\n")).toEqual([
    "refs/heads/constel/constel0/1-work",
    "refs/remotes/origin/main",
  ]);
  stage.commit(made.path, { "a.txt": "more\n" });
  stage.git(made.path, "push", "-q", "origin", "HEAD:refs/heads/elsewhere");
});

test("a confined agent's workspace is made where that agent cannot see it, and comes to its place when it is whole", async () => {
  const places = ["workspaces", "workspaces/agent1", "workspaces/agent1/7"];
  const seen: string[][] = [];
  const step = (): void =>
    void seen.push(
      places.flatMap((place) => readdirSync(join(stage.top, place)).filter((name) => name.startsWith(".making"))),
    );
  const made = await stage.workspaces.make(wish({ place: "workspaces/agent1/7/repo", isApart: true, step }));
  expect(made.path).toBe(join(stage.top, "workspaces/agent1/7/repo"));
  expect(seen).toEqual([[expect.stringMatching(/^\.making-agent1-7-repo-\d+-/)]]);
  step();
  expect(seen[1]).toEqual([]);
  // One that was killed over it leaves it there, and it is swept away; what is being made stays.
  const left = join(stage.top, "workspaces/.making-agent1-7-repo-999999999");
  mkdirSync(join(left, ".removed-inside"), { recursive: true });
  const [now, token] = [process.pid, systemLiveness.self().token];
  makingNow.add(`.making-agent1-8-repo-${now}-${token}`);
  const making = join(stage.top, `workspaces/.making-agent1-8-repo-${now}-${token}`);
  mkdirSync(join(making, ".removed-inside"), { recursive: true });
  await stage.workspaces.sweep(stage.top);
  makingNow.clear();
  expect([existsSync(left), existsSync(join(making, ".removed-inside"))]).toEqual([false, true]);
});

test("a root directory that is a repository does not take workspaces in", async () => {
  stage.git(stage.top, "init", "-q", stage.top);
  const path = await stage.make("workspaces/ignored/repo");
  expect(stage.git(stage.top, "status", "--porcelain", "--", "workspaces")).toBe("");
  // Inside it everything is as in any clone.
  writeFileSync(join(path, "new.txt"), "new");
  expect(stage.git(path, "status", "--porcelain")).toBe("?? new.txt\n");
  const own = join(stage.top, "workspaces/.gitignore");
  writeFileSync(own, "# mine\n");
  await stage.make("workspaces/ignored-too/repo");
  expect(readFileSync(own, "utf8")).toBe("# mine\n");
  rmSync(join(stage.top, ".git"), { recursive: true });
});

test("one that must be apart shares no file with its source; others share the objects", async () => {
  const filesOf = (directory: string): Set<number> =>
    new Set(
      readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => statSync(join(entry.parentPath, entry.name)).ino),
    );
  const source = filesOf(stage.source);
  const shared = async (more: object): Promise<number> => {
    const { path } = await stage.workspaces.make(wish(more));
    expect(stage.tryGit(path, "fsck").code).toBe(0);
    return [...filesOf(path)].filter((inode) => source.has(inode)).length;
  };
  expect(await shared({ place: "workspaces/2/repo" })).toBeGreaterThan(0);
  expect(await shared({ place: "workspaces/agent1/3/repo", isApart: true })).toBe(0);
});

test("a workspace outlives its source", async () => {
  const path = await stage.make();
  rmSync(stage.source, { recursive: true });
  expect(stage.tryGit(path, "fsck").code).toBe(0);
  stage.commit(path, { "a.txt": "still works\n" });
  expect(existsSync(join(path, ".git/objects/info/alternates"))).toBe(false);
});

test("a source that borrows objects from another repository gives a workspace that does not", async () => {
  const borrower = stage.path("borrower");
  stage.git(stage.root, "clone", "-q", "--shared", stage.source, borrower);
  stage.git(borrower, "remote", "set-url", "origin", stage.origin);
  stage.git(borrower, "checkout", "-q", "--orphan", "elsewhere"); // no branch of its own has the origin's work
  const path = await stage.make("workspaces/1/repo", { source: borrower });
  rmSync(stage.source, { recursive: true });
  rmSync(borrower, { recursive: true });
  expect(stage.tryGit(path, "fsck").code).toBe(0);
});

test("a source that is shallow, or stands on nothing, gives a workspace with all it has", async () => {
  const shallow = stage.path("shallow");
  stage.git(stage.root, "clone", "-q", "--depth", "1", `file://${stage.origin}`, shallow);
  for (const [at, source] of [shallow, stage.source].entries()) {
    stage.git(source, "tag", "kept");
    stage.git(source, "checkout", "-q", "--orphan", "elsewhere");
    const path = await stage.make(`workspaces/${at}/repo`, { source });
    expect(stage.tryGit(path, "fsck").code).toBe(0);
    expect(stage.git(path, "rev-parse", "HEAD", "kept^{commit}")).toBe(
      stage.git(source, "rev-parse", "origin/main", "kept^{commit}"),
    );
  }
});

test("where the origin's first branch is not known, it is one of the usual names, the only one, or the one people stand on", async () => {
  const origin = stage.path("first-branch.git");
  stage.git(stage.root, "init", "-q", "--bare", origin);
  const clone = stage.path("first-branch");
  stage.git(stage.root, "clone", "-q", origin, clone);
  const target = async (): Promise<string> =>
    (await stage.workspaces.make(wish({ source: clone, place: `workspaces/first-${crypto.randomUUID()}/repo` })))
      .target;
  stage.commit(clone, { "a.txt": "1" }, "first");
  stage.git(clone, "push", "-q", "origin", "HEAD:develop");
  expect(await target()).toBe("develop");
  stage.git(clone, "push", "-q", "origin", "HEAD:other");
  stage.git(clone, "checkout", "-q", "-B", "other");
  expect(await target()).toBe("other");
  stage.git(clone, "push", "-q", "origin", "HEAD:trunk");
  expect(await target()).toBe("trunk");
});

test("without an origin the source itself is the origin", async () => {
  const alone = stage.repository("alone");
  const made = await stage.workspaces.make(wish({ source: alone }));
  expect(made.origin).toBe(join(alone, ".git"));
  expect(stage.git(made.path, "rev-parse", "origin/main")).toBe(stage.git(alone, "rev-parse", "main"));
});

test("asked to fetch, it starts from what the origin has now; when the origin is away it says so and goes on", async () => {
  const other = stage.path("other");
  stage.git(stage.root, "clone", "-q", stage.origin, other);
  const newest = stage.commit(other, { "a.txt": "newer\n" });
  stage.git(other, "push", "-q", "origin", "HEAD:main");
  expect((await stage.workspaces.make(wish({ fetch: true }))).base).toBe(newest);
  rmSync(stage.origin, { recursive: true });
  const made = await stage.workspaces.make(wish({ fetch: true, place: "workspaces/2/repo" }));
  expect(made.notes.join()).toContain("could not be asked");
  expect(made.base).toBe(stage.git(stage.source, "rev-parse", "origin/main").trim());
});

test("it begins on another branch of the origin, newest where it is asked to fetch; where there is none it says so and begins on the target", async () => {
  const other = stage.path("other");
  stage.git(stage.root, "clone", "-q", stage.origin, other);
  const below = stage.commit(other, { "a.txt": "below\n" });
  stage.git(other, "push", "-q", "origin", "HEAD:below");
  const main = stage.git(stage.source, "rev-parse", "origin/main").trim();
  const unknown = await stage.workspaces.make(wish({ begins: "below", place: "workspaces/2/repo" }));
  expect([unknown.base, unknown.notes.join()]).toEqual([
    main,
    expect.stringContaining("below, which it was to begin on"),
  ]);
  const made = await stage.workspaces.make(wish({ begins: "below", fetch: true }));
  expect([made.base, made.target, made.branch]).toEqual([below, "main", wish({}).branch]);
  expect(stage.git(made.path, "rev-parse", "HEAD", "origin/main").trim().split("\n")).toEqual([below, main]);
  const gone = await stage.workspaces.make(wish({ begins: "gone", fetch: true, place: "workspaces/3/repo" }));
  expect(gone.base).toBe(main);
});

test("set-up copies what is named, runs the command with its ports, and keeps the end of its output", async () => {
  writeFileSync(join(stage.source, ".env"), "KEY=1\n");
  chmodSync(join(stage.source, ".env"), 0o600);
  const config = `[workspace]\ncopy = [".env", "not-there"]\nsetup = "echo ports $CONSTEL_PORT-$CONSTEL_PORT_LAST for $CONSTEL_TASK; touch made"\n`;
  writeFileSync(join(stage.top, "constel.toml"), config);
  const made = await stage.workspaces.make(wish());
  expect(made.setUp).toEqual({ copied: [".env"], command: "done", tail: "ports 20010-20019 for 1" });
  expect(readFileSync(join(made.path, ".env"), "utf8")).toBe("KEY=1\n");
  expect(existsSync(join(made.path, "made"))).toBe(true);
});

test("a confined agent is given what the owner names to copy, and nothing that only the repository names", async () => {
  stage.write(stage.source, {
    ".env": "KEY=1\n",
    ".gitignore": ".env\n",
    "constel.toml": '[workspace]\ncopy = [".env"]\n',
  });
  stage.git(stage.source, "add", "constel.toml", ".gitignore");
  stage.git(stage.source, "commit", "-qm", "what is to be copied");
  stage.git(stage.source, "push", "-q");
  const open = await stage.workspaces.make(wish({ place: "workspaces/1/repo" }));
  expect([open.setUp.copied, open.notes]).toEqual([[".env"], []]);
  const confined = await stage.workspaces.make(wish({ place: "workspaces/agent1/2/repo", isApart: true }));
  expect(confined.setUp.copied).toEqual([]);
  expect(existsSync(join(confined.path, ".env"))).toBe(false);
  expect(confined.notes.join()).toContain(".env was not copied into the confined workspace");
  writeFileSync(join(stage.top, "constel.toml"), '[workspace]\ncopy = [".env"]\n');
  const asked = await stage.workspaces.make(wish({ place: "workspaces/agent1/3/repo", isApart: true }));
  expect([asked.setUp.copied, asked.notes]).toEqual([[".env"], []]);
});

test("a set-up command that fails or hangs leaves the workspace there and says so", async () => {
  writeFileSync(join(stage.top, "constel.toml"), '[workspace]\nsetup = "echo no luck; exit 3"\n');
  expect((await stage.workspaces.make(wish())).setUp).toMatchObject({ command: "failed", tail: "no luck" });
  const slow = '[workspace]\nsetup = "sleep 600"\nsetup_deadline_seconds = 0.2\n';
  writeFileSync(join(stage.top, "constel.toml"), slow);
  expect((await stage.workspaces.make(wish({ place: "workspaces/2/repo" }))).setUp.command).toBe("late");
});

test("a file to copy may lead neither out of the source nor over a link in the workspace", async () => {
  for (const name of ["../secret", "b/../../secret", "/etc/passwd"]) {
    writeFileSync(join(stage.top, "constel.toml"), `[workspace]\ncopy = [${JSON.stringify(name)}]\n`);
    const made = stage.workspaces.make(wish({ place: "workspaces/1/repo" }));
    expect((await made.catch((cause: Refusal) => cause)) as Refusal).toMatchObject({ code: "path.outside-root" });
  }
  symlinkSync(stage.home, join(stage.source, "config"));
  stage.git(stage.source, "add", "config");
  stage.git(stage.source, "commit", "-qm", "a link");
  stage.git(stage.source, "push", "-q");
  rmSync(join(stage.source, "config"));
  stage.write(stage.source, { "config/deep/.env": "KEY=1\n" });
  writeFileSync(join(stage.top, "constel.toml"), '[workspace]\ncopy = ["config/deep/.env"]\n');
  const refused = await stage.workspaces.make(wish({ place: "workspaces/1/repo" })).catch((cause: Refusal) => cause);
  expect(refused).toMatchObject({ code: "path.symlink" });
  expect(readdirSync(stage.home)).toEqual([]);
  expect(readdirSync(join(stage.top, "workspaces/1"))).toEqual([]);
});

test("hooks, filters and settings of the source are not run and not inherited", async () => {
  const proof = stage.path("ran");
  const program = stage.path("program");
  writeFileSync(program, `#!/bin/sh\ntouch ${proof}\ncat\n`, { mode: 0o755 });
  writeFileSync(join(stage.source, ".gitattributes"), "* filter=x\n");
  stage.git(stage.source, "add", ".gitattributes");
  stage.git(stage.source, "commit", "-qm", "attributes");
  stage.git(stage.source, "push", "-q");
  mkdirSync(join(stage.source, ".git/hooks"), { recursive: true });
  for (const hook of ["post-checkout", "reference-transaction", "post-index-change"])
    writeFileSync(join(stage.source, ".git/hooks", hook), `#!/bin/sh\ntouch ${proof}\n`, { mode: 0o755 });
  for (const key of ["core.fsmonitor", "filter.x.smudge", "core.sshCommand", "uploadpack.packObjectsHook"])
    stage.git(stage.source, "config", key, program);
  stage.git(stage.source, "config", "core.alternateRefsCommand", program);
  rmSync(proof, { force: true });
  const path = await stage.make("workspaces/1/repo", { fetch: true });
  expect(existsSync(proof)).toBe(false);
  expect(existsSync(join(path, ".git/hooks"))).toBe(false);
  expect(stage.tryGit(path, "config", "filter.x.smudge").code).toBe(1);
});

test("a place that is taken, a path that is no repository and a branch that is nowhere are refused, and leave nothing", async () => {
  await stage.make();
  const code = async (more: object): Promise<string> =>
    stage.workspaces.make(wish(more)).then(
      () => "made",
      (cause: Refusal) => cause.code,
    );
  expect(await code({})).toBe("workspace.exists");
  expect(await code({ place: "workspaces/2/repo", source: stage.home })).toBe("git.not-a-repository");
  expect(await code({ place: "workspaces/2/repo", target: "nowhere" })).toBe("workspace.no-target");
  expect(readdirSync(join(stage.top, "workspaces/2"))).toEqual([]);
});

test("another branch starts where the workspace stands; a bad name or a taken one is refused", async () => {
  const path = await stage.make();
  stage.write(path, { "a.txt": "in the middle of it\n" });
  await stage.workspaces.branch(path, "constel/constel0/1-second");
  expect(stage.git(path, "status", "--porcelain", "--branch")).toBe("## constel/constel0/1-second\n M a.txt\n");
  expect(await rejection(stage.workspaces.branch(path, "bad..name"))).toMatchObject({ code: "usage.bad-value" });
});

test("what a repository is asked before a workspace is made of it is not asked again: three commands make one", async () => {
  const asked: string[] = [];
  const processes: Processes = {
    run(command, options) {
      asked.push(
        command.find((word) => /^(rev-parse|config|for-each-ref|clone|fetch|checkout)$/.test(word)) ?? "other",
      );
      return systemProcesses.run(command, options);
    },
  };
  const workspaces = systemWorkspaces({ processes, environment: stage.environment });
  const facts = await workspaces.inspect(stage.source);
  expect(asked.toSorted()).toEqual(["config", "for-each-ref", "rev-parse"]);
  asked.length = 0;
  const made = await workspaces.make(wish({ facts, fetch: true }));
  expect(asked).toEqual(["clone", "fetch", "checkout"]);
  expect(made.base).toBe(stage.git(made.path, "rev-parse", "HEAD").trim());
});

test("settings that cannot be understood are refused before anything is made; a set-up runs as nobody", async () => {
  const toml = join(stage.top, "constel.toml");
  for (const text of ['[workspace]\nset_up = "true"\n', "[workspace]\ncopy = '.env'\n", "gate = 1\n"]) {
    writeFileSync(toml, text);
    expect(await rejection(stage.make("workspaces/strict/repo"))).toMatchObject({ code: "config.malformed" });
  }
  rmSync(toml);
  stage.commit(stage.source, { "constel.toml": "gate = 1\n" });
  stage.git(stage.source, "push", "-q", "origin", "HEAD:main");
  // The half-made clone is gone by then, so that it is not the place to look.
  expect(await throwing(stage.make("workspaces/strict/repo"))).toThrow(
    /^constel\.toml of the repository:1: gate must be/,
  );
  stage.commit(stage.source, { "constel.toml": "" });
  stage.git(stage.source, "push", "-q", "origin", "HEAD:main");
  writeFileSync(toml, "");
  rmSync(toml);
  symlinkSync("/nowhere", toml);
  expect(await rejection(stage.make("workspaces/strict/repo"))).toMatchObject({ code: "config.malformed" });
  rmSync(toml);
  expect(existsSync(join(stage.top, "workspaces/strict/repo"))).toBe(false);
  stage.environment["CONSTEL_HOME"] = "/the/home";
  stage.environment["CONSTEL_AGENT"] = "agent7";
  writeFileSync(toml, '[workspace]\nsetup = "env > seen"\n');
  const path = await stage.make("workspaces/strict/repo");
  const seen = readFileSync(join(path, "seen"), "utf8");
  expect([seen.includes("/the/home"), seen.includes("agent7"), seen.includes("CONSTEL_AGENT=nobody")]).toEqual([
    false,
    false,
    true,
  ]);
});
