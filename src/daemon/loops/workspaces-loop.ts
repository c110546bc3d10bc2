// Workspaces of tasks are observed without being announced, from the moment they are made until their work has landed or was
// given up; so is the repository they were made from, where others work on the same.

import { observedWorkspaces } from "../../core/tasks/workspaces/observed-workspaces.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

export function workspacesLoop({ store, clock, random, sensing, log }: LoopParts): Round {
  const context = { store, clock, random, constellation: store.constellation, actor: "daemon" };
  /** The last word said of each path: whose it is, or that it is over. */
  const told = new Map<string, string>();

  async function tell(path: string, word: string, say: () => Promise<unknown>): Promise<void> {
    if (told.get(path) === word) return;
    told.set(path, word);
    try {
      await say();
    } catch (cause) {
      // No repository there, or not any more: nothing to observe. Anything else may go better the next time.
      if (cause instanceof Refusal) return;
      told.delete(path);
      log(`workspace ${path}: ${String(cause)}`);
    }
  }

  return {
    async round() {
      for (const { path, source, agent, isAtWork } of await observedWorkspaces(context)) {
        if (!isAtWork) {
          await tell(path, "over", () => sensing.leave(context, { path }));
          continue;
        }
        await tell(source, "source", () => sensing.add(context, { path: source, isOwnersWord: false }));
        await tell(path, `of ${agent}`, () => sensing.add(context, { path, agent, isOwnersWord: false }));
      }
      return undefined;
    },
  };
}
