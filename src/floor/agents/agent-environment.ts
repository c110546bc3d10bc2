// The environment of an agent: what its caller had, less what belongs to the caller's own terminal or identity, plus who it is.

import { delimiter, join } from "node:path";
import type { Prepared } from "../../ports/runtime.ts";
import { inHome } from "../../settings/paths.ts";
import { numberOf } from "./agent-names.ts";

/** The caller's terminal, directory and identity, which are not the agent's. */
const callersOwn = new Set([
  "CONSTEL_AGENT",
  "CONSTEL_KILL_AT",
  "CONSTEL_ENDLESS",
  "AGENT_N",
  "TMUX",
  "TMUX_PANE",
  "TERM",
  "COLUMNS",
  "LINES",
  "PWD",
  "OLDPWD",
  "SHLVL",
  "_",
]);

/**
 * Returns the environment that every agent inherits, with `constel` found first on the PATH. `env` is the caller's, cleaned for children.
 */
export function inheritedEnvironment(env: Readonly<Record<string, string>>, home: string): Record<string, string> {
  const programs = join(home, inHome.programs);
  const path = (env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(delimiter).filter((part) => part !== programs);
  const kept = Object.entries(env).filter(([name]) => !callersOwn.has(name));
  return { ...Object.fromEntries(kept), PATH: [programs, ...path].join(delimiter) };
}

export interface Surroundings {
  readonly inherited: Readonly<Record<string, string>>;
  readonly prepared: Pick<Prepared, "env" | "unset">;
  readonly home: string;
  readonly root: string;
}

export function agentEnvironment(
  agent: string,
  { inherited, prepared, home, root }: Surroundings,
): Record<string, string> {
  const unset = new Set(prepared.unset);
  const kept = Object.entries(inherited).filter(([name]) => !unset.has(name));
  const number = numberOf(agent);
  return {
    ...Object.fromEntries(kept),
    ...prepared.env,
    CONSTEL_AGENT: agent,
    CONSTEL_HOME: home,
    CONSTEL_ROOT: root,
    ...(number === undefined ? {} : { AGENT_N: String(number) }),
  };
}
