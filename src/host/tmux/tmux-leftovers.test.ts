// Checks what is left of tmux when a reader is gone or stands still, or the server itself does: no process that we started, counted one by
// one. tmux waits for a control client to take its output before the client, or a server that was told to end, ends itself.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { closeSync, constants, existsSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../ports/terminals.suite.ts";
import { systemProcessTable } from "../process/process-table.ts";
import { TmuxStage } from "./tmux-stage.suite.ts";

let stage: TmuxStage;
beforeEach(() => {
  stage = new TmuxStage();
});
afterEach(() => stage.end());

const start = (name: string): Promise<{ pid: number }> =>
  stage.terminals.create({ name, cwd: "/", command: ["cat", "-"] });

/** Living processes of this stage: everything in it is started with its directory in the environment. */
const processes = (directory = stage.directory): number[] =>
  systemProcessTable
    .rows()
    .filter(({ pid, zombie }) => !zombie && pid !== process.pid)
    .filter(({ pid }) => systemProcessTable.environment(pid).some((entry) => entry.endsWith(`=${directory}`)))
    .map(({ pid }) => pid);

const endedProgram = (): number => Bun.spawnSync(["true"]).pid;

interface Held extends AsyncDisposable {
  readonly pid: number;
  /** As when the program that reads is killed. */
  loseReader(): void;
}

/** A control client of a program of ours that has stopped reading, with more output waiting than a pipe holds. */
async function held(owner: number): Promise<Held> {
  const path = join(stage.directory, "output");
  Bun.spawnSync(["mkfifo", path]);
  let reader: number | undefined = openSync(path, constants.O_RDWR);
  const writer = openSync(path, constants.O_WRONLY);
  const hidden = `constel-control-${owner}-${crypto.randomUUID().slice(0, 8)}`;
  const { TMUX: _, ...env } = stage.env;
  const client = Bun.spawn(
    // prettier-ignore
    ["tmux", "-N", "-u", "-L", stage.socket, "-f", "/dev/null", "-C", "new-session", "-s", hidden, "-f", "no-output,ignore-size", "cat"],
    { env, stdin: "pipe", stdout: writer, stderr: "ignore", detached: true },
  );
  closeSync(writer);
  void client.stdin.write("list-keys\n".repeat(30));
  await client.stdin.flush();
  // The server answers ordinary clients in turn: when this last one of thirty is done, the pipe is full.
  void client.stdin.write(`new-session -d -s written-${owner} cat\n`);
  await client.stdin.flush();
  await until(() => stage.tmux("has-session", "-t", `=written-${owner}`).code === 0);
  stage.tmux("kill-session", "-t", `=written-${owner}`);
  const loseReader = (): void => {
    if (reader !== undefined) closeSync(reader);
    reader = undefined;
  };
  return {
    pid: client.pid,
    loseReader,
    async [Symbol.asyncDispose]() {
      loseReader();
      client.kill("SIGKILL");
      await client.exited;
      rmSync(path, { force: true });
    },
  };
}

describe("killServer leaves no process", () => {
  test("when a client's program was killed with output on the way", async () => {
    await start("agent1");
    await using client = await held(endedProgram());
    client.loseReader();
    await stage.terminals.killServer();
    await until(() => processes().length === 0);
    await start("agent2");
    expect((await stage.terminals.list()).map(({ name }) => name)).toEqual(["agent2"]);
  });

  test("when a client's program lives and does not read", async () => {
    await start("agent1");
    await using client = await held(process.pid);
    await stage.terminals.killServer();
    await until(() => processes().every((pid) => pid === client.pid));
    client.loseReader(); // the client has a last line to write, and ends with whoever should read it
    await until(() => processes().length === 0);
  });

  test("when the server itself stands still", async () => {
    await start("agent1");
    const server = stage.serverPid;
    const terminals = stage.another({ deadlineMs: 200 });
    process.kill(server, "SIGSTOP");
    await terminals.killServer();
    await until(() => !processes().includes(server));
    await stage.terminals.close();
    await until(() => processes().length === 0);
  });
});

test("a client whose program was killed is ended by the next to come, and the agents do not notice", async () => {
  const { pid } = await start("agent1");
  const [server, before] = [stage.serverPid, processes().length];
  await using client = await held(endedProgram());
  client.loseReader();
  const next = stage.another();
  expect((await next.list())[0]).toMatchObject({ name: "agent1", pid });
  await next.close();
  await until(() => processes().length === before);
  expect([stage.serverPid, processes().includes(client.pid)]).toEqual([server, false]);
});

test("a server that somebody told to end and that a client holds back is in nobody's way", async () => {
  await start("agent1");
  const server = stage.serverPid;
  await using client = await held(process.pid);
  expect(processes()).toContain(client.pid);
  stage.tmux("kill-server");
  await until(() => stage.terminals.clientPid === undefined);
  expect(processes()).toContain(server);
  await start("agent2");
  expect((await stage.terminals.list()).map(({ name }) => name)).toEqual(["agent2"]);
  expect(processes()).not.toContain(server);
});

test("a test that is killed outright leaves no server, no agent and no directory", async () => {
  const script = `
    const { TmuxStage } = await import(${JSON.stringify(join(import.meta.dir, "tmux-stage.suite.ts"))});
    const stage = new TmuxStage();
    await stage.terminals.create({ name: "agent1", cwd: "/", command: ["cat", "-"] });
    process.stdout.write(stage.directory);
    setInterval(() => {}, 1000);`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
  const { value } = await child.stdout.getReader().read();
  const directory = new TextDecoder().decode(value);
  expect(processes(directory).length).toBeGreaterThanOrEqual(3);
  child.kill("SIGKILL");
  await child.exited;
  await until(() => processes(directory).length === 0 && !existsSync(directory));
});
