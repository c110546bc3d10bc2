// A home that another build of constel laid out differently: whatever is asked, it is refused with the way out, and not a byte
// of it changes. The same for a database of an earlier schema in a home of ours.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allCommands } from "../src/doors/cli/manifest/all.ts";
import { markOf, systemLiveness } from "../src/host/process/liveness.ts";
import { TestHome } from "./kit/home.ts";

/** Every file below a directory: its mode, its time and its content. */
function stateOf(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const path = join(directory, name);
      const { mode, mtimeMs } = lstatSync(path);
      const content = lstatSync(path).isFile() ? Bun.hash(readFileSync(path)).toString(16) : "";
      return [name, `${mode.toString(8)} ${mtimeMs} ${content}`];
    }),
  );
}

/** A used home, as it lies there when nobody runs. */
async function used(at: TestHome): Promise<void> {
  await at.constel(["announce", "one"]);
  await at.constel(["channel", "send", "agent1", "hello"]);
  await at.constel(["daemon", "stop"]);
}

/** The names that migrations had before the first release. The last change is still in the log. */
function asBefore(path: string, then: () => void): void {
  const database = new Database(path);
  database.run("delete from schema_migrations");
  for (const [index, name] of ["first-tables", "messages", "worktrees"].entries())
    database.run("insert into schema_migrations (version, name, applied_ms) values (?, ?, 1)", [index + 1, name]);
  then();
  database.close();
}

/** With words that each would take, where it takes any. */
const asked = [
  ["announce", "two"],
  ["channel", "send", "agent1", "hello"],
  ["channel", "drain", "agent1"],
  ["task", "create", "x"],
  ["task", "dispatch", "1"],
  ["claim", "add", "a.ts"],
  ["up", "1"],
  ["down", "--all"],
  ["query", "select 1"],
  ["db", "restore"],
  ["config", "set", "constellation.name", '"constel1"'],
  ["daemon", "run"],
];
/** They have nothing to do with a home. */
const needNoHome = ["complete", "completion", "adopt-orphans", "version"];

test("a home of an earlier state is refused by every command and every hook, and nothing of it is touched", async () => {
  await using at = new TestHome();
  await used(at);
  const mark = join(at.home, "state/home-format");
  const isRefused = async (words: readonly string[]): Promise<void> => {
    const ran = await at.constel(words);
    expect([words, ran.code, ran.stderr]).toEqual([words, 3, expect.stringContaining("[home.other-format]")]);
    expect(ran.stderr).toContain("constel audit export");
  };
  rmSync(mark);
  const before = stateOf(at.home);
  for (const words of asked) await isRefused(words);
  for (const { name } of await allCommands()) {
    if (needNoHome.includes(name)) continue;
    const { stderr } = await at.constel(name.split(" "));
    // Some lack a word, which is said before anything is looked at.
    expect([name, stderr]).toEqual([name, expect.stringMatching(/\[(home\.other-format|usage\..*)\]/)]);
  }
  const payload = { session_id: "s", cwd: at.top, hook_event_name: "UserPromptSubmit", prompt: "x" };
  const options = { env: { CONSTEL_AGENT: "agent1" }, input: JSON.stringify(payload) };
  expect(await at.constel(["hook", "claude"], options)).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(stateOf(at.home)).toEqual(before);
  // A newer layout, and a mark that was cut off.
  for (const text of ["constel home 2\n", ""]) {
    writeFileSync(mark, text);
    await isRefused(["announce", "two"]);
  }
  renameSync(at.home, `${at.home}.earlier`);
  expect((await at.constel(["announce", "anew"])).code).toBe(0);
}, 180_000);

test("a daemon that runs in such a home is named by every refusal, and ends by the verb; the home is left as that daemon leaves it", async () => {
  await using at = new TestHome();
  await at.constel(["announce", "one"]);
  const { pid } = JSON.parse((await at.constel(["daemon", "status", "--json"])).stdout) as { pid: number };
  const daemon = markOf(pid);
  if (daemon === undefined) throw new Error("the daemon is gone");
  rmSync(join(at.home, "state/home-format"));
  for (const words of [["announce", "two"], ["status"], ["daemon", "status"], ["daemon", "start"]]) {
    const ran = await at.constel(words);
    expect([words, ran.code, ran.stderr]).toEqual([words, 3, expect.stringContaining("[home.other-format]")]);
    expect(ran.stderr).toContain(`Its daemon runs (pid ${pid}); \`constel daemon stop\` ends it.`);
  }
  expect(await at.constel(["daemon", "stop"])).toEqual({ code: 0, stdout: "Stopped.\n", stderr: "" });
  expect(systemLiveness.isProvenDead(daemon)).toBe(true);
  const left = readdirSync(at.home, { recursive: true, encoding: "utf8" });
  expect(left.filter((name) => name.includes("daemon-stopped"))).toEqual([]);
  // Nobody is left to be ended.
  const again = await at.constel(["daemon", "stop"]);
  expect([again.code, again.stderr]).toEqual([3, expect.stringContaining("[home.other-format]")]);
  expect(again.stderr).not.toContain("pid");
});

test("a database of an earlier schema is refused and left as it is, with its log; what needs no database works", async () => {
  await using at = new TestHome();
  await used(at);
  const files = ["meta.db", "meta.db-wal"];
  const laid = new Map<string, Buffer>();
  asBefore(join(at.home, "meta.db"), () => {
    for (const file of files) laid.set(file, readFileSync(join(at.home, file)));
  });
  for (const [file, content] of laid) writeFileSync(join(at.home, file), content);
  const isAsLaid = (): boolean[] =>
    files.map((file) => laid.get(file)?.equals(readFileSync(join(at.home, file))) ?? false);
  for (const words of [["announce", "two"], ["daemon", "start"], ["events"], ["audit", "verify"], ["db", "undo"]]) {
    const ran = await at.constel(words);
    expect([words, ran.code, ran.stderr]).toEqual([words, 3, expect.stringContaining("[store.foreign-schema]")]);
    expect([words, ran.stderr]).toEqual([words, expect.stringContaining("constel audit export")]);
    expect([words, ...isAsLaid()]).toEqual([words, true, true]);
  }
  const doctor = await at.constel(["doctor"]);
  expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining("before constel's first release")]);
  expect((await at.constel(["channel", "send", "agent1", "still"])).code).toBe(0);
  expect((await at.constel(["channel", "drain", "agent1"])).stdout).toContain("still");
  expect(isAsLaid()).toEqual([true, true]);
}, 60_000);
