// Declares the form of the formats' rules: an id that never changes, a verdict for each way data can flow, and what to say. The list of all
// rules is made from these tables.

import type { ContractDirection, ContractVerdict } from "./format.ts";

/**
 * The way data flows, seen from the contract. `in`: others send it and it must go on being accepted (a request, what an application
 * receives). `out`: others read it and must go on understanding it (a response, what an application sends). `both`: nobody says.
 */
export type Flow = "in" | "out" | "both";

export interface Rule {
  /** The change in words; `{name}`, `{before}` and `{after}` are filled in. No full stop: what follows from it is added. */
  readonly what: string;
  readonly verdicts: Readonly<Record<Flow, ContractVerdict>>;
}

/** A row of the reference: what a rule is called, how it judges, and what it says. */
export interface ListedRule {
  readonly rule: string;
  readonly verdict: ContractVerdict;
  readonly text: string;
}

const letters: Readonly<Record<string, ContractVerdict>> = { b: "breaking", d: "dangerous", c: "compatible" };

/** `rule("dbb", …)`: dangerous where others send it, breaking where they read it, breaking where nobody says. */
export function rule(verdicts: string, what: string): Rule {
  const [flowIn = "", flowOut = "", flowBoth = flowIn] = verdicts;
  return { what, verdicts: { in: verdict(flowIn), out: verdict(flowOut), both: verdict(flowBoth) } };
}

function verdict(letter: string): ContractVerdict {
  const found = letters[letter];
  if (found === undefined) throw new Error(`no verdict is written ${letter}`);
  return found;
}

/** The parties that a change concerns: senders, readers, both, or the programs that use an operation at all. */
export type Audience = Flow | "clients";

const consequences: Readonly<Record<Audience, Readonly<Record<ContractVerdict, string>>>> = {
  in: {
    breaking: "what senders were allowed to send may be refused",
    dangerous: "senders are not refused, but may get another result",
    compatible: "senders need not change",
  },
  out: {
    breaking: "readers may not find or understand what they were promised",
    dangerous: "readers may meet something they do not know yet",
    compatible: "readers need not change",
  },
  both: {
    breaking: "data that was valid, or programs that read it, may fail",
    dangerous: "programs that read it may meet something they do not know yet",
    compatible: "nobody need change",
  },
  clients: {
    breaking: "programs that use it fail",
    dangerous: "programs that use it may notice",
    compatible: "programs that use it need not change",
  },
};

export interface Told {
  readonly name?: string | null;
  readonly before?: string | null;
  readonly after?: string | null;
}

export function ruleText(what: string, audience: Audience, verdict: ContractVerdict, told: Told): string {
  const filled = what
    .replaceAll("{name}", () => told.name ?? "the value")
    .replaceAll("{before}", () => told.before ?? "nothing")
    .replaceAll("{after}", () => told.after ?? "nothing");
  return `${filled.charAt(0).toUpperCase()}${filled.slice(1)}; ${consequences[audience][verdict]}.`;
}

export function flowOf(direction: ContractDirection | null): Flow {
  if (direction === null) return "both";
  return direction === "request" || direction === "publish" ? "in" : "out";
}
