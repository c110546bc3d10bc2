// Every directory that constel made is exchanged for a link that leads elsewhere, one at a time, and everything that writes is run:
// what the link leads to must be as it was. The directories are found by walking what a real run made, so that a new one is tried
// without anybody thinking of it; of those that differ only by a number or a hash, one stands for all. All of them take some ten
// minutes and are tried by `bin/check --all`; otherwise those that several rooms write into.

import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import type { Ran } from "./kit/home.ts";
import { TaskHome } from "./kit/task-home.ts";

const at = new TaskHome();
const saved = join(at.top, "saved");
const parts = ["home", "root", "origin.git"] as const;
let classes: Map<string, string>;

beforeAll(async () => {
  await at.run("onboard", "--no-repo");
  await everything("1");
  await at.ready("second", { "b.txt": "b\n" });
  await at.ready("third", { "c.txt": "c\n" });
  await at.run("workspace", "rm", "3");
  await stop();
  for (const part of parts) cpSync(join(at.top, part), join(saved, part), { recursive: true, verbatimSymlinks: true });
  classes = directoriesOf(["home", "root/workspaces", "root/notes", "root/briefs"]);
}, 120_000);

afterAll(() => at[Symbol.asyncDispose]());

/** Everything that writes. Whether it is refused is its own affair here; that it ends is not. */
async function everything(task: string): Promise<Ran[]> {
  const ran: Ran[] = [];
  const run = async (...words: string[]): Promise<void> => void ran.push(await at.run(...words));
  await run("task", "create", "work", "--json");
  await run("task", "dispatch", task, "--to-workspace", "--no-fetch");
  const workspace = join(at.root, "workspaces", task, "repo");
  if (existsSync(join(workspace, ".git/HEAD"))) at.commit(workspace, { [`work-${task}.txt`]: task }, `work ${task}`);
  await run("task", "ready", task);
  await run("task", "harvest", task);
  await run("workspace", "rm", "2");
  await run("workspace", "restore", "3");
  await run("repo", "add", at.root);
  await run("conflicts");
  await run("db", "backup");
  await run("agent", "1", "--type", "script");
  await run("channel", "send", "agent1", "hello");
  await run("channel", "drain", "agent2");
  await run("session", "up", "--agent", "agent0");
  await run("session", "down", "--agent", "agent0");
  await run("escalate", "a subject");
  await run("quiet", "1m");
  await run("config", "set", "http.enabled", "false");
  await run("watchdog", "tick");
  await run("announce", "hello");
  await run("down", "--all");
  await run("doctor", "--fix");
  return ran;
}

async function stop(): Promise<void> {
  await at.run("down", "--all");
  await at.run("daemon", "stop");
}

/** One directory for each class of names that differ by numbers, hashes and times only. */
function directoriesOf(tops: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    if (lstatSync(join(at.top, path), { throwIfNoEntry: false })?.isDirectory() !== true) return;
    if (path !== "home") found.set(path.split("/").map(classOf).join("/"), path);
    for (const name of readdirSync(join(at.top, path))) visit(join(path, name));
  };
  for (const top of tops) visit(top);
  return found;
}

const classOf = (name: string): string =>
  /^[0-9a-f]{2}$|[0-9a-f]{8,}|^\d+$/.test(name) ? name.replaceAll(/[0-9a-f]{2,}|\d+/g, "*") : name;

function plant(path: string): string {
  const elsewhere = join(at.top, "elsewhere");
  for (const part of parts) {
    rmSync(join(at.top, part), { recursive: true, force: true });
    cpSync(join(saved, part), join(at.top, part), { recursive: true, verbatimSymlinks: true });
  }
  rmSync(elsewhere, { recursive: true, force: true });
  renameSync(join(at.top, path), elsewhere);
  symlinkSync(elsewhere, join(at.top, path));
  return elsewhere;
}

/** Names, modes, sizes, contents and times of all that is there. */
function print(directory: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const { mode, mtimeMs } = lstatSync(path);
    const content = entry.isFile() ? Bun.hash(readFileSync(path)) : entry.isSymbolicLink() ? readlinkSync(path) : "";
    found[path] = `${mode.toString(8)} ${mtimeMs} ${content}`;
  }
  return found;
}

/** The workspace's own repository is the agents': what they do with git there is theirs, and they plant no link against us. */
const isAgents = (path: string): boolean => /^root\/workspaces\/\d+\/repo\//.test(path);

const tryAll = process.env["CONSTEL_CHECK_ALL"] === "yes";
const isShared = (path: string): boolean =>
  /^home\/(state|logs|backups|channels)$|^home\/state\/(harvest|observe|rescues|gates)$|^home\/state\/harvest\/[^/]+$|^home\/state\/observe\/[^/]+\/objects$|^root\/workspaces(\/\d+)?$/.test(
    path,
  );

test("a run makes directories of every kind", () => {
  for (const kind of [
    "home/state",
    "home/logs",
    "home/backups",
    "home/state/harvest",
    "home/state/observe",
    "root/workspaces",
  ])
    expect([...classes.values()]).toContain(kind);
});

test("no directory that is exchanged for a link lets anything be written where it leads", async () => {
  const touched: Record<string, unknown> = {};
  for (const path of classes.values()) {
    if (isAgents(path) || !(tryAll || isShared(path))) continue;
    const elsewhere = plant(path);
    const before = print(elsewhere);
    await everything("4");
    await stop();
    const after = print(elsewhere);
    const changed = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
    if (changed.length > 0) touched[path] = changed.slice(0, 5);
  }
  expect(touched).toEqual({});
}, 1_800_000);
