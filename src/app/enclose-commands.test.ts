// Tests when the commands of repositories are put into a sandbox, and what of the home they are shown: nothing. The sandbox itself is tried
// in test/confined.test.ts, where a confined agent has the gate do what it cannot do itself.

import { expect, test } from "bun:test";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../test/kit/directory.ts";
import { runCommand } from "../host/gate/run-command.ts";
import { systemProcesses } from "../host/process/run.ts";
import type { ConfinedPlan, Confinement } from "../ports/confinement.ts";
import { encloseCommands } from "./enclose-commands.ts";

function sceneAt(home: string, problem?: string) {
  const plans: ConfinedPlan[] = [];
  const confinement: Confinement = {
    problem: async () => problem,
    command(plan, argv) {
      plans.push(plan);
      return ["env", "ENCLOSED=yes", ...argv];
    },
  };
  const run = (isAlways: boolean, cwd = home) =>
    runCommand(
      {
        processes: systemProcesses,
        environment: { PATH: process.env["PATH"] },
        enclose: encloseCommands({ home, root: "/root-of-agents", isAlways, reads: ["/opt/tools"] }, confinement),
      },
      { command: 'echo "enclosed: $ENCLOSED"', cwd, deadlineMs: 60_000 },
    );
  return { plans, run, confinement };
}

function launched(home: string, agent: string, more: object): void {
  mkdirSync(join(home, "state/agents"), { recursive: true });
  const launch = {
    agent,
    role: "clone",
    wanted: "down",
    runtime: "script",
    tmuxSocket: "t",
    sinceMs: 1,
    launch: { home, cwd: "/elsewhere" },
  };
  writeFileSync(join(home, `state/agents/${agent}.json`), JSON.stringify({ ...launch, ...more }));
}

test("commands of repositories are enclosed where the setting says so or an agent was confined, and nowhere else", async () => {
  using at = temporaryDirectory("enclose");
  const { plans, run } = sceneAt(at.path);
  expect(await run(false)).toMatchObject({ isGood: true, printed: "enclosed:" });
  launched(at.path, "agent1", {});
  expect(await run(false)).toMatchObject({ printed: "enclosed:" });
  expect(await run(true)).toMatchObject({ isGood: true, printed: "enclosed: yes" });
  launched(at.path, "agent2", { confined: true });
  expect(await run(false)).toMatchObject({ printed: "enclosed: yes" });
  expect(plans).toHaveLength(2);
  expect(plans[0]).toMatchObject({
    home: at.path,
    homeReads: [],
    homeWrites: [],
    homeLinks: [],
    hides: ["/root-of-agents/workspaces", "/elsewhere/workspaces"],
    writes: [at.path, expect.stringContaining("constel-nobody-")],
    reads: ["/opt/tools"],
    cwd: at.path,
  });
  // The plan's environment says more than the command itself is told, for example where tmux is.
  expect(plans[0]?.env).toMatchObject({ HOME: process.env["HOME"] ?? "", CONSTEL_AGENT: "nobody" });
});

test("where the sandbox cannot be made, a command of a repository is refused instead of run open", async () => {
  using at = temporaryDirectory("enclose");
  const { plans, run } = sceneAt(at.path, "there is no bubblewrap");
  expect(await run(true).catch((cause: unknown) => cause)).toMatchObject({
    code: "confined.unavailable",
    message: expect.stringContaining("there is no bubblewrap"),
  });
  expect(plans).toEqual([]);
  expect(await run(false)).toMatchObject({ printed: "enclosed:" });
});

test("what is done in a confined agent's own place is shown the whole of it: below, a link may be laid at any moment", async () => {
  using at = temporaryDirectory("enclose");
  const { plans, run } = sceneAt(at.path);
  const root = join(at.path, "root");
  const place = join(root, "workspaces/agent1/4/repo");
  mkdirSync(place, { recursive: true });
  launched(at.path, "agent1", { confined: true, launch: { home: at.path, cwd: root } });
  const shownFor = async (cwd: string): Promise<readonly string[] | undefined> => {
    await run(false, cwd);
    return plans.at(-1)?.writes;
  };
  expect((await shownFor(place))?.[0]).toBe(join(root, "workspaces/agent1"));
  // Another's place, by the name alone, is not one.
  const alike = join(at.path, "elsewhere/workspaces/agents/repo");
  mkdirSync(alike, { recursive: true });
  expect((await shownFor(alike))?.[0]).toBe(alike);
});

test("the agents' files are read again when one of them changed, and when their directory changed a moment ago", async () => {
  using at = temporaryDirectory("enclose");
  const { confinement } = sceneAt(at.path);
  const enclose = encloseCommands({ home: at.path, root: "/root-of-agents", isAlways: false, reads: [] }, confinement);
  const isEnclosed = async (): Promise<boolean> =>
    (await enclose(["git"], { cwd: at.path, writes: [], env: {} }))[0] === "env";
  const directory = join(at.path, "state/agents");
  const longAgo = new Date(Date.now() - 60_000);
  expect(await isEnclosed()).toBe(false);
  launched(at.path, "agent1", {});
  expect(await isEnclosed()).toBe(false);
  // Changed in its place, as nothing of constel's does: with the time of a moment ago it is seen, with one that is long over it is not looked for.
  launched(at.path, "agent1", { confined: true });
  expect(await isEnclosed()).toBe(true);
  utimesSync(directory, longAgo, longAgo);
  expect(await isEnclosed()).toBe(true);
  launched(at.path, "agent1", {});
  utimesSync(directory, longAgo, longAgo);
  expect(await isEnclosed()).toBe(true);
  launched(at.path, "agent2", {});
  expect(await isEnclosed()).toBe(false);
});
