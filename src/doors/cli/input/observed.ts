// Commands about observed repositories say so when nobody looks at any.

import type { Caller } from "../../../client/caller.ts";
import { isOutOfReach, isSilent } from "../../../client/no-daemon.ts";
import type { CliContext } from "../context.ts";
import { repositoryAround } from "./repository-around.ts";
import { directCaller } from "../reach/stop-daemon.ts";

/** Explains an empty answer when no repository is watched. */
export async function whyNothing(context: CliContext, caller: Caller): Promise<string | undefined> {
  const { repositories } = await caller.call("repository.list", {});
  if (repositories.length > 0) return undefined;
  if (context.server !== undefined) return `No repository is watched at ${context.server}.`;
  return repositoryAround(context.cwd) === undefined
    ? "No repository is watched. Start with `constel repo add <path>`."
    : "No repository is watched. `constel repo add` watches this one; `constel check` compares once, without a daemon.";
}

/** Looking starts nothing, so that what is shown may be old; and silence says nothing when nobody can look. */
export async function sayIfNobodyLooks(context: CliContext): Promise<void> {
  if (context.server !== undefined) return; // its daemon has just answered
  try {
    const { loops } = await directCaller(context).call("daemon.status", {});
    const problem = loops.find(({ name }) => name === "observe")?.problem ?? null;
    if (problem !== null)
      context.output.say(`constel: repositories cannot be looked at: ${problem}; this is what was last seen`);
  } catch (cause) {
    // Whoever read from the database instead has said so.
    if (isSilent(cause) || isOutOfReach(cause)) return;
    context.output.say(
      "constel: the daemon is not running; this is what it last saw (`constel daemon start` starts it again)",
    );
  }
}
