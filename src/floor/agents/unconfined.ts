import { listed } from "../../protocol/listed.ts";
import { listLaunches } from "./launch-files.ts";

/** Clones that are up and were started outside of the sandbox: where `agents.confined` was set since, they are not what the owner asked for. */
export function unconfinedClones(home: string): readonly string[] {
  const { launches } = listLaunches(home);
  return launches
    .filter(({ role, wanted, confined }) => role === "clone" && wanted !== "down" && confined !== true)
    .map(({ agent }) => agent);
}

export const saysUnconfined = (agents: readonly string[]): string =>
  `${listed(agents)} ${agents.length === 1 ? "runs" : "run"} UNCONFINED: started before agents.confined was set`;
