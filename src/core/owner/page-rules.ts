// Decides which needs the owner is told of, and how long after they began: the owner's rules (`page.rules`), then these. The first rule that
// names a kind counts.

import { Refusal } from "../../protocol/errors.ts";

export interface PageRule {
  /** `*`: every kind. */
  readonly kind: string;
  readonly page: boolean;
  readonly afterMs: number;
  readonly urgent: boolean;
}

const rule = (kind: string, afterSeconds = 0, urgent = false): PageRule => ({
  kind,
  page: true,
  afterMs: afterSeconds * 1_000,
  urgent,
});

/** The rules tell at once what stops work, and give time to what may pass by itself. Findings are for the agents first. */
export const defaultPageRules: readonly PageRule[] = [
  rule("permission", 0, true),
  rule("question", 0, true),
  rule("quarantine", 0, true),
  rule("main-red", 0, true),
  rule("stopped"),
  rule("asked", 600),
  rule("logged-out", 60, true),
  rule("hung", 60),
  rule("looping", 60),
  rule("no-progress", 600),
  rule("out-of-scope", 60),
  { kind: "context-full", page: false, afterMs: 0, urgent: false },
  rule("dead", 300),
  rule("daemon", 300),
  rule("limited", 300),
  rule("budget"),
  rule("dispatch-failed"),
  rule("review"),
  rule("ready", 3_600),
  rule("no-repository", 900),
  rule("schedule"),
  rule("schedule-file", 60),
  rule("clock", 300),
  rule("unknown-delivery", 900),
  rule("unknown-state", 900),
  rule("poisoned", 60),
  // The tick tells of it by itself: a daemon may be what it lacks.
  { kind: "watchdog", page: false, afterMs: 0, urgent: false },
  // Whoever took an agent down knows it.
  { kind: "unattended", page: false, afterMs: 0, urgent: false },
  { kind: "*", page: false, afterMs: 0, urgent: false },
];

export const pagedKinds: readonly string[] = defaultPageRules.map(({ kind }) => kind).concat("findings");

export function pageRules(tables: readonly Readonly<Record<string, unknown>>[]): readonly PageRule[] {
  return [...tables.map(ownersRule), ...defaultPageRules];
}

const keys = ["kind", "page", "after_seconds", "urgent"];

function ownersRule(table: Readonly<Record<string, unknown>>, index: number): PageRule {
  const refuse = (problem: string): Refusal =>
    new Refusal("config.malformed", `page.rules, table ${index + 1}: ${problem}`, { table: index + 1 });
  const unknown = Object.keys(table).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw refuse(`there is no ${unknown}`);
  const { kind, page = true, after_seconds: after = 0, urgent = false } = table;
  if (typeof kind !== "string" || !pagedKinds.includes(kind))
    throw refuse(`kind must be one of ${pagedKinds.join(", ")}`);
  if (typeof page !== "boolean" || typeof urgent !== "boolean") throw refuse("page and urgent must be true or false");
  if (typeof after !== "number" || !(after >= 0 && after <= 604_800))
    throw refuse("after_seconds must be a number of seconds, at most a week");
  return { kind, page, afterMs: after * 1_000, urgent };
}

/** The rule for a kind. */
export function ruleFor(kind: string, rules: readonly PageRule[]): PageRule | undefined {
  return rules.find((one) => one.kind === kind || one.kind === "*");
}
