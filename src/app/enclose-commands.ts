// A gate runs what agents wrote. Where agents are confined, it would take their code out of the sandbox, to the keys and the database: so
// the commands of repositories (gates, set-ups, files that are made anew, the ends of loops) then run in a sandbox too, which shows them what it shows an
// agent, less everything of constel's home, and lets them write where they stand. Where it cannot be made they are not run at all.

import { realpathSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { listLaunches } from "../floor/agents/launch-files.ts";
import { bubblewrap } from "../host/confine/bubblewrap.ts";
import { sandboxExec } from "../host/confine/sandbox-exec.ts";
import { childEnvironment } from "../host/process/child-environment.ts";
import { ownWholeCommand } from "../host/process/own-command.ts";
import { systemProcesses } from "../host/process/run.ts";
import type { Confinement, Enclose } from "../ports/confinement.ts";
import type { EnclosureWish } from "../protocol/enclosure.ts";
import { Refusal } from "../protocol/errors.ts";
import { ownPlaceIn } from "../protocol/own-place.ts";
import { readEnv } from "../settings/env.ts";
import { inHome, inRoot } from "../settings/paths.ts";

export function encloseCommands(wish: EnclosureWish, confinement: Confinement = systemConfinement()): Enclose {
  const { home, root, reads } = wish;
  const hasConfined = confinedAmong(home);
  return async (argv, { cwd, writes, env, isApart = false }) => {
    if (!wish.isAlways && !hasConfined()) return argv;
    const problem = await confinement.problem(home);
    if (problem !== undefined)
      throw new Refusal("confined.unavailable", `agents are confined, so a command of theirs is too: ${problem}`);
    const nothing = { homeReads: [], homeWrites: [], homeLinks: [], program: "" };
    // A daemon may not have been told the root directory; its agents stand in theirs.
    const named = [root, ...listLaunches(home).launches.map(({ launch }) => launch.cwd)];
    const roots = new Set(named.flatMap((one) => [one, realOr(one)]));
    const hides = [...roots].map((one) => join(one, inRoot.workspaces));
    // Things that the command is not told about, such as where tmux is, must be hidden from it too.
    const known = { ...childEnvironment(readEnv()), ...env };
    // Below its own place an agent may lay a link at any moment, which would be followed: the whole of that place is shown.
    const shown = [...new Set([cwd, ...writes].map((path) => ownPlaceAround(path, roots) ?? path))];
    const plan = { ...nothing, home, root, env: known, hides, reads, writes: shown, cwd, isApart };
    return confinement.command(plan, argv);
  };
}

function ownPlaceAround(path: string, roots: ReadonlySet<string>): string | undefined {
  const [found] = [...roots].flatMap((root) => {
    const place = ownPlaceIn(relative(root, path));
    return place === undefined ? [] : [join(root, place)];
  });
  return found;
}

/**
 * Tells whether an agent is confined. An agent that was ended counts too, for its work may land yet. This is asked before every git in a
 * workspace, and reading the files of a hundred agents takes 4 ms, so they are read again only when their directory has changed. A
 * directory that changed a moment ago may change once more without a later time.
 */
function confinedAmong(home: string): () => boolean {
  let known: { readonly changedMs: number; readonly found: boolean } | undefined;
  return () => {
    const changedMs = statSync(join(home, inHome.agents), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (known?.changedMs === changedMs) return known.found;
    const isSettled = Date.now() - changedMs > settledMs;
    const found = listLaunches(home).launches.some(({ confined }) => confined === true);
    known = isSettled ? { changedMs, found } : undefined;
    return found;
  };
}

const settledMs = 1000;

const systemConfinement = (): Confinement =>
  (process.platform === "darwin" ? sandboxExec : bubblewrap)({
    processes: systemProcesses,
    env: childEnvironment(readEnv()),
    self: ownWholeCommand(),
  });

function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // a root that is gone has no agents
  }
}
