// What a key does to the row that is chosen, as the command that says the same: what the monitor does, it does by that command. Pure.

import type { AttentionRow } from "../../protocol/operations/attention.ts";
import type { OtherRow, Seen } from "./frame.ts";

export type Act =
  /** Runs at once. */
  | { readonly kind: "run"; readonly words: readonly string[] }
  /** Asks for a line first; it is put at the end. `isOptional`: an empty line will do. */
  | {
      readonly kind: "ask";
      readonly question: string;
      readonly words: readonly string[];
      readonly isOptional?: boolean;
    }
  | { readonly kind: "attach"; readonly agent: string }
  /** What stands in the way. */
  | { readonly kind: "say"; readonly text: string };

interface Chosen {
  readonly need: AttentionRow | undefined;
  readonly other: OtherRow | undefined;
  readonly agent: string | null;
  readonly finding: string | null;
}

export function chosenOf({ chosen, needs, agents, others, page }: Seen): Chosen {
  const need = page === "now" ? needs.find(({ key }) => key === chosen) : undefined;
  const other = page === "now" ? undefined : others.find(({ key }) => key === chosen);
  const agent = need?.agent ?? other?.agent ?? agents.find((one) => one.agent === chosen)?.agent ?? null;
  return { need, other, agent, finding: need?.finding ?? other?.finding ?? null };
}

const say = (text: string): Act => ({ kind: "say", text });
const run = (...words: string[]): Act => ({ kind: "run", words });

/** Undefined: the key is no verb. */
export function actFor(key: string, seen: Seen): Act | undefined {
  const { need, other, agent, finding } = chosenOf(seen);
  const task = need?.task ?? other?.task ?? null;
  switch (key) {
    case "Enter":
      return need === undefined ? enterOn(other, agent) : doWhatHelps(need);
    case "y":
      return need?.request == null ? say("nothing asks for permission here") : run("approvals", "allow", need.request);
    case "d":
      return need?.request == null
        ? say("nothing asks for permission here")
        : {
            kind: "ask",
            question: "deny; tell it why (or Enter)",
            words: ["approvals", "deny", need.request],
            isOptional: true,
          };
    case "a":
      return agent === null ? say("no agent is chosen") : { kind: "attach", agent };
    case "m":
      return agent === null
        ? say("no agent is chosen")
        : { kind: "ask", question: `to ${agent}`, words: ["tell", agent, "--"] };
    case "t":
      return finding === null
        ? say("no collision is chosen")
        : {
            kind: "ask",
            question: "tell both sides to settle it; a word of yours (or Enter)",
            words: ["conflicts", "tell", finding],
            isOptional: true,
          };
    case "x":
      return finding === null
        ? say("no collision is chosen")
        : { kind: "ask", question: "why it is no problem", words: ["conflicts", "dismiss", finding, "--reason"] };
    case "h":
      if (need?.kind === "ready" && need.task === null) return run("task", "harvest", "--all", "--no-wait");
      return task === null ? say("no task is chosen") : run("task", "harvest", String(task), "--no-wait");
    case "z":
      return need === undefined ? say("only what needs you can be put aside") : run("attention", "snooze", need.key);
    case "c":
      return { kind: "ask", question: "a task, in one line", words: ["task", "dispatch", "--no-wait", "--"] };
    default:
      return undefined;
  }
}

/** The command that the row names; one that shows a terminal is an attach, one that only shows is told of. */
function doWhatHelps({ next, finding }: AttentionRow): Act {
  const attached = /^constel attach (\S+)$/.exec(next)?.[1];
  if (attached !== undefined) return { kind: "attach", agent: attached };
  if (finding !== null) return say(next);
  if (/^constel (approvals allow|task harvest) \S+$/.test(next))
    return say(`${next}: press ${next.includes("allow") ? "y" : "h"}`);
  return say(next);
}

function enterOn(other: OtherRow | undefined, agent: string | null): Act {
  if (other?.finding != null) return say(`constel conflicts --explain ${other.finding}`);
  if (other?.task != null) return say(`constel task show ${other.task}`);
  if (other !== undefined) return say(`constel channel history ${other.key}`);
  return agent === null ? say("nothing is chosen") : { kind: "attach", agent };
}
