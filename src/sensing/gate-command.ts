// Decides how the gate of a repository is run when the owner asked for it (`gate.pairs`). The command is the owner's own, or the one that
// stands in constel.toml on the branch that work lands on: never one that a worktree brings.

import { repositoryConfigOrNotes } from "../core/findings/repository-config.ts";
import type { RepositoryObserver, Snapshot } from "../ports/git.ts";
import { defaultGateDeadlineMs } from "../protocol/constel-toml.ts";
import type { GateCommand } from "./ask-gate.ts";

/** The owner's wishes about the gate of one repository. */
export interface GateWish {
  readonly command: string | undefined;
  readonly deadlineMs: number | undefined;
  /** The time that both sides must have been quiet. */
  readonly settleMs: number;
}

export interface GateCommandParts {
  readonly observer: RepositoryObserver;
  readonly wish: () => GateWish | undefined;
  /** Returns the snapshot that work lands on. */
  readonly landing: () => Snapshot | undefined;
  readonly log: (line: string) => void;
}

export function gateCommand(parts: GateCommandParts): () => Promise<GateCommand | "unknown" | undefined> {
  let landed: { readonly tree: string; readonly command: string | undefined; readonly deadlineMs: number } | undefined;
  let said = "";
  const say = (what: string): void => {
    if (what !== said) parts.log(`${parts.observer.identity}: ${what}`);
    said = what;
  };
  const landedGate = async (): Promise<typeof landed> => {
    const landing = parts.landing();
    if (landing === undefined) return undefined;
    if (landed?.tree !== landing.tree) {
      const { config, notes } = await repositoryConfigOrNotes(parts.observer, landing.tree);
      for (const note of notes) say(note);
      // A gate that cannot be read is not "no gate": it stays unknown until somebody mends the file.
      if (config === undefined) return undefined;
      const { command, deadlineMs = defaultGateDeadlineMs } = config.gate ?? {};
      landed = { tree: landing.tree, command, deadlineMs };
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
      say("the gate is asked for, and neither gate.pairs nor constel.toml on the default branch says how");
      return undefined;
    }
    return {
      command,
      deadlineMs: wish.deadlineMs ?? own?.deadlineMs ?? defaultGateDeadlineMs,
      settleMs: wish.settleMs,
    };
  };
}
