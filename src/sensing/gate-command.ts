// How the gate of a repository is run when the owner asked for it (`gate.pairs`). The command is the owner's own, or the one
// that stands in constel.toml on the branch that work lands on: never one that a worktree brings.

import { readRepositoryConfig } from "../core/findings/repository-config.ts";
import type { RepositoryObserver, Snapshot } from "../ports/git.ts";
import type { GateCommand } from "./ask-gate.ts";

/** What the owner asked for, about one repository. */
export interface GateWish {
  readonly command: string | undefined;
  readonly deadlineMs: number | undefined;
  /** How long both sides must have been quiet. */
  readonly settleMs: number;
}

export interface GateCommandParts {
  readonly observer: RepositoryObserver;
  readonly wish: () => GateWish | undefined;
  /** What work lands on. */
  readonly landing: () => Snapshot | undefined;
  readonly log: (line: string) => void;
}

const defaultDeadlineMs = 600_000;

export function gateCommand(parts: GateCommandParts): () => Promise<GateCommand | "unknown" | undefined> {
  let landed: { readonly tree: string; readonly command: string | undefined; readonly deadlineMs: number } | undefined;
  let isSaid = false;
  const landedGate = async (): Promise<typeof landed> => {
    const landing = parts.landing();
    if (landing === undefined) return undefined;
    if (landed?.tree !== landing.tree) {
      const config = await readRepositoryConfig(parts.observer, landing.tree);
      landed = { tree: landing.tree, command: config.gateCommand, deadlineMs: config.gateDeadlineMs };
    }
    return landed;
  };
  return async () => {
    const wish = parts.wish();
    if (wish === undefined) return undefined;
    const own = await landedGate();
    const command = wish.command ?? own?.command;
    if (command === undefined && own === undefined) return "unknown";
    if (command === undefined) {
      const why = "the gate is asked for, and neither gate.pairs nor constel.toml on the default branch says how";
      if (!isSaid) parts.log(`${parts.observer.identity}: ${why}`);
      isSaid = true;
      return undefined;
    }
    return { command, deadlineMs: wish.deadlineMs ?? own?.deadlineMs ?? defaultDeadlineMs, settleMs: wish.settleMs };
  };
}
