import { expect, test } from "bun:test";
import { statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { makeTrustedDirectory } from "../../files/trusted-files.ts";
import type { AgentLaunch } from "../../ports/agent-launch.ts";
import { followHousehold, readHousehold, withScheduled } from "./household.ts";
import { writeLaunch } from "./launch-files.ts";
import { noteOwned, readOwned } from "./owned-files.ts";

const seal = (json: string): string => `${json.slice(0, -1)},"seal":"constel"}`;
const isGenuine = (text: string): boolean => text.endsWith(',"seal":"constel"}');

const launchOf = (agent: string, role: AgentLaunch["role"], pid: number): AgentLaunch =>
  ({
    agent,
    role,
    wanted: "up",
    runtime: "script",
    launch: { home: "/h" },
    tmuxSocket: "constel-abc",
    sinceMs: 0,
    because: "up",
    leader: { pid, token: "ns-1" },
  }) as unknown as AgentLaunch;

test("who leads whom is believed of files that constel wrote; of others it is known that it did not", () => {
  using directory = temporaryDirectory("household");
  const home = directory.path;
  writeLaunch(home, launchOf("agentticker", "ticker", 7), seal);
  writeLaunch(home, launchOf("agent1", "clone", 8), seal);
  writeFileSync(join(home, "state/agents/agent0.json"), JSON.stringify(launchOf("agent0", "root", 9)));
  const { agents } = readHousehold(home, undefined, isGenuine);
  expect(agents).toEqual([
    { agent: "agent0", isOwners: false, isUnproven: true, leader: { pid: 9, token: "ns-1" } },
    { agent: "agent1", isOwners: false, leader: { pid: 8, token: "ns-1" } },
    { agent: "agentticker", isOwners: true, leader: { pid: 7, token: "ns-1" } },
  ]);
});

test("only the ticker by its own name is the owner's", () => {
  using directory = temporaryDirectory("household");
  const home = directory.path;
  writeLaunch(home, launchOf("agent7", "ticker", 7), seal);
  writeLaunch(home, launchOf("agentticker", "clone", 8), seal);
  expect(readHousehold(home, undefined, isGenuine).agents.map(({ isOwners }) => isOwners)).toEqual([false, false]);
});

test("it is read again when a file was written, and only then; a home without agents has none", () => {
  using directory = temporaryDirectory("household");
  const home = directory.path;
  const household = followHousehold(home, 1, isGenuine);
  expect(household().agents).toEqual([]);
  expect(household()).toBe(household());
  writeLaunch(home, launchOf("agent1", "clone", 8), seal);
  // Two writes within one tick of the file system's clock would look like one.
  utimesSync(join(home, "state/agents"), 1, 1);
  expect(household().agents.map(({ agent }) => agent)).toEqual(["agent1"]);
  const known = household();
  expect(household()).toBe(known);
  writeLaunch(home, launchOf("agent2", "clone", 9), seal);
  utimesSync(join(home, "state/agents"), 2, 2);
  expect(household().agents.map(({ agent }) => agent)).toEqual(["agent1", "agent2"]);
});

test("what the owner let go of stays the owner's while it lives, and nobody else's is", () => {
  using directory = temporaryDirectory("owned");
  const home = directory.path;
  makeTrustedDirectory(home, "state");
  const dead = new Set<number>();
  const liveness = {
    self: () => ({ pid: 1, token: "ns-1" }),
    isProvenDead: ({ pid }: { readonly pid: number }) => dead.has(pid),
  };
  noteOwned(home, { pid: 20, token: "ns-2" }, seal, liveness);
  writeFileSync(join(home, "state/owned/666.json"), '{"pid":666,"token":"ns-6"}');
  writeFileSync(join(home, "state/owned/667.json"), "no JSON");
  expect(readOwned(home, isGenuine)).toEqual([{ pid: 20, token: "ns-2" }]);
  expect(readHousehold(home, undefined, isGenuine).agents).toEqual([
    { agent: "agentticker", isOwners: true, isLoose: true, leader: { pid: 20, token: "ns-2" } },
  ]);
  dead.add(20);
  noteOwned(home, { pid: 21, token: "ns-3" }, seal, liveness);
  expect(readOwned(home, isGenuine)).toEqual([{ pid: 21, token: "ns-3" }]);
});

test("a directory whose time was set back is read all the same", async () => {
  using directory = temporaryDirectory("household");
  const home = directory.path;
  writeLaunch(home, launchOf("agent1", "clone", 8), seal);
  const household = followHousehold(home, 1, isGenuine);
  const agents = join(home, "state/agents");
  // Whole milliseconds are set back exactly.
  utimesSync(agents, 1, 1);
  expect(household().agents).toHaveLength(1);
  const first = statSync(agents);
  writeLaunch(home, launchOf("agent2", "clone", 9), seal);
  // The clock of the file system goes on in steps.
  do utimesSync(agents, first.atime, first.mtime);
  while (statSync(agents).ctimeMs === first.ctimeMs);
  expect(statSync(agents).mtimeMs).toBe(first.mtimeMs);
  expect(household().agents.map(({ agent }) => agent)).toEqual(["agent1", "agent2"]);
});

test("verbs of schedules that run are the owner's, and the value is the same while nothing changes", () => {
  const known = { home: "/h", agents: [], tmuxSockets: [], daemonPid: 1 };
  let running = [{ pid: 7, token: "ns-1" }];
  const household = withScheduled(
    () => known,
    () => [...running],
  );
  expect(household().agents).toEqual([{ agent: "agentcron", leader: { pid: 7, token: "ns-1" }, isOwners: true }]);
  expect(household()).toBe(household());
  running = [];
  expect(household().agents).toEqual([]);
});
