// Decides what a confined agent sees of constel's home: its own prompt, hooks, notices, pushed messages and its program's files, and the way
// to the daemon. The other agents' files, all keys but its own, the settings and the database do not exist for it.
//
// A file that constel replaces by another (what it is to hear, the daemon's sockets) would stay the old one inside: those lie in
// directories, and the directory is shown.

import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { ConfinedPlan } from "../../ports/confinement.ts";
import type { Launch, Runtime } from "../../ports/runtime.ts";
import { Outage, Refusal, systemCode } from "../../protocol/errors.ts";
import { appendTrusted, makeTrustedDirectory, writeTrusted } from "../../files/trusted-files.ts";
import { inHome, inRoot } from "../../settings/paths.ts";
import { roleOf } from "./agent-names.ts";
import type { AgentPorts } from "./agent-ports.ts";

/** Asked before anything is done. */
export async function refuseUnlessConfinable(ports: AgentPorts, agent: string, runtime: Runtime): Promise<void> {
  if (roleOf(agent) !== "clone")
    throw new Refusal("confined.not-a-clone", `${agent} starts, ends and watches the others, which needs the home`, {
      agent,
    });
  if (runtime.ownFiles === undefined)
    throw new Refusal("confined.runtime", `${runtime.name} cannot be confined yet`, { runtime: runtime.name });
  const problem = await ports.confinement.problem(ports.home);
  if (problem !== undefined) throw new Refusal("confined.unavailable", problem);
}

/** The directory of its program's own files, with what it needs of the owner's, copied as it is now. */
export function layOwnFiles(
  { home, machine }: AgentPorts,
  agent: string,
  runtime: Runtime,
  account: Launch["account"],
): string {
  const variable = runtime.accounts?.variable;
  const theirs = account === undefined || variable === undefined ? {} : { [variable]: account.directory };
  const place = `state/runtime/${agent}/own`;
  makeTrustedDirectory(home, place);
  for (const { from, name } of runtime.ownFiles?.({ ...machine.env, ...theirs }).copies ?? []) {
    const content = readIfThere(from);
    if (content !== undefined) writeTrusted(home, `${place}/${name}`, content);
  }
  return join(home, place);
}

export function confinedCommand(
  ports: AgentPorts,
  launch: Launch,
  env: Readonly<Record<string, string>>,
  argv: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  return ports.confinement.command(planFor(ports, launch, env), argv);
}

/** Below the root: the workspaces of the tasks that a confined agent is given. Those of others do not exist for it. */
export const ownWorkspaces = (agent: string): string => `${inRoot.workspaces}/${agent}`;

function planFor(ports: AgentPorts, { agent, program }: Launch, env: ConfinedPlan["env"]): ConfinedPlan {
  const { home, root } = ports;
  const told = `${inHome.hear}/${agent}.told`;
  const hears = `${inHome.hear}/${agent}`;
  const hooks = `${inHome.hooks}/${agent}.jsonl`;
  const runtime = `state/runtime/${agent}`;
  const push = `${inHome.push}/${agent}`;
  for (const directory of [told, hears, runtime, push, inHome.doors]) makeTrustedDirectory(home, directory);
  appendTrusted(home, hooks, "");
  makeTrustedDirectory(root, ownWorkspaces(agent));
  return {
    home,
    root,
    program,
    env,
    homeReads: [inHome.programs, `${inHome.prompts}/${agent}.md`, hears, inHome.doors, ...ownKey(home, agent)],
    homeWrites: [hooks, told, runtime, push],
    homeLinks: [inHome.socket, inHome.whoSocket].map((socket) => [socket, join("doors", basename(socket))] as const),
    hides: [join(root, inRoot.workspaces)],
    writes: [join(root, ownWorkspaces(agent))],
    reads: ports.wishes.confinedReads,
    isApart: true,
  };
}

/** Its own key, with which its hooks seal their lines; of the others' there is none. */
function ownKey(home: string, agent: string): string[] {
  const file = `${inHome.keys}/${agent}.key`;
  return existsSync(join(home, file)) ? [file] : [];
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") return undefined;
    throw new Outage("read", path, cause);
  }
}
