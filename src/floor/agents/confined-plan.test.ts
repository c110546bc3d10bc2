// Checks what a confined agent is shown, as it is handed to the machine. test/confined.test.ts checks how the machine does it, and that
// nothing else is seen.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import type { ConfinedPlan } from "../../ports/confinement.ts";
import type { Launch, Runtime } from "../../ports/runtime.ts";
import type { AgentPorts } from "./agent-ports.ts";
import { confinedCommand, layOwnFiles, refuseUnlessConfinable } from "./confine-agent.ts";

let directory: ReturnType<typeof temporaryDirectory>;
beforeEach(() => (directory = temporaryDirectory("confine")));
afterEach(() => directory[Symbol.dispose]());

let planned: ConfinedPlan | undefined;
function portsOf(more: { readonly problem?: string; readonly env?: Record<string, string> } = {}): AgentPorts {
  const home = join(directory.path, "home");
  const root = join(directory.path, "root");
  for (const place of [home, root]) mkdirSync(place, { recursive: true });
  return {
    home,
    root,
    machine: { env: more.env ?? {} },
    wishes: { confinedReads: ["/opt/tools"] },
    confinement: {
      problem: async () => more.problem,
      command(plan: ConfinedPlan, argv: readonly string[]) {
        planned = plan;
        return ["sandbox", ...argv];
      },
    },
  } as unknown as AgentPorts;
}

const runtimeWith = (copies: readonly { from: string; name: string }[]): Runtime =>
  ({ name: "claude", ownFiles: () => ({ copies }) }) as unknown as Runtime;
const code = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "allowed",
    (cause: { code?: string }) => cause.code ?? String(cause),
  );

test("only clones of programs that can be confined are, where the machine can do it", async () => {
  const runtime = runtimeWith([]);
  expect(await code(refuseUnlessConfinable(portsOf(), "agent1", runtime))).toBe("allowed");
  for (const agent of ["agent0", "agentinfinity"])
    expect(await code(refuseUnlessConfinable(portsOf(), agent, runtime))).toBe("confined.not-a-clone");
  const other = { name: "other" } as Runtime;
  expect(await code(refuseUnlessConfinable(portsOf(), "agent1", other))).toBe("confined.runtime");
  const without = portsOf({ problem: "no bubblewrap" });
  expect(await code(refuseUnlessConfinable(without, "agent1", runtime))).toBe("confined.unavailable");
});

test("of the home it is shown its own things, its own key and the way to the daemon; of the root its own workspaces", () => {
  const ports = portsOf();
  mkdirSync(join(ports.home, "keys"));
  for (const holder of ["agent1", "agent2", "constellation"])
    writeFileSync(join(ports.home, `keys/${holder}.key`), "x");
  const launch = { agent: "agent1", program: "/usr/bin/claude" } as Launch;
  expect(confinedCommand(ports, launch, { A: "b" }, ["claude", "-p"])).toEqual(["sandbox", "claude", "-p"]);
  expect(planned).toEqual({
    home: ports.home,
    root: ports.root,
    program: "/usr/bin/claude",
    env: { A: "b" },
    homeReads: ["state/bin", "state/prompts/agent1.md", "state/hear/agent1", "state/doors", "keys/agent1.key"],
    homeWrites: ["state/hooks/agent1.jsonl", "state/hear/agent1.told", "state/runtime/agent1", "state/push/agent1"],
    homeLinks: [
      ["state/daemon.sock", "doors/daemon.sock"],
      ["state/who.sock", "doors/who.sock"],
    ],
    hides: [join(ports.root, "workspaces")],
    writes: [join(ports.root, "workspaces/agent1")],
    reads: ["/opt/tools"],
    isApart: true,
  });
  // A path to write must exist before anything can be laid over it.
  for (const path of planned?.homeWrites ?? [])
    expect(readdirSync(join(ports.home, path, ".."))).toContain(basename(path));
  expect(readdirSync(join(ports.root, "workspaces"))).toEqual(["agent1"]);
});

test("an agent that has no key yet is shown none", () => {
  confinedCommand(portsOf(), { agent: "agent3", program: "" } as Launch, {}, ["sh"]);
  expect(planned?.homeReads.filter((path) => path.startsWith("keys/"))).toEqual([]);
});

test("what its program needs of the owner's files is copied as it is; what is not there is left out, what cannot be read is said", () => {
  const ports = portsOf();
  const from = join(directory.path, "settings.json");
  writeFileSync(from, "{}");
  const own = layOwnFiles(
    ports,
    "agent1",
    runtimeWith([
      { from, name: "settings.json" },
      { from: join(directory.path, "absent"), name: "absent" },
    ]),
    undefined,
  );
  expect(own).toBe(join(ports.home, "state/runtime/agent1/own"));
  expect(readdirSync(own)).toEqual(["settings.json"]);
  expect(readFileSync(join(own, "settings.json"), "utf8")).toBe("{}");
  const unreadable = runtimeWith([{ from: directory.path, name: "a directory" }]);
  expect(() => layOwnFiles(ports, "agent1", unreadable, undefined)).toThrow(/read/);
});
