// Decides who should know of something, and why: one pure function over an index that is built once. The one who caused it is never told. An
// agent that several rules name is told once, with all the reasons.

import type { Reason } from "./notice.ts";
import { PathRules } from "./path-rules.ts";
import type { Workers } from "./workers.ts";

/** The subject of something, as far as routing goes. */
export interface Addressed {
  /** The one who did it; nobody tells them what they did themselves. */
  readonly causedBy?: string | null | undefined;
  readonly recipients?: readonly string[] | undefined;
  /** The task it is about: its owner should know. */
  readonly task?: number | undefined;
  /** The worktrees of a finding. */
  readonly sides?: readonly string[] | undefined;
  readonly repository?: string | undefined;
  /** From the top of the repository. */
  readonly paths?: readonly string[] | undefined;
  readonly topics?: readonly string[] | undefined;
  readonly services?: readonly string[] | undefined;
  /** For agents that have this capability, for a review or a hand-off. */
  readonly capability?: string | undefined;
}

export interface Addressee {
  readonly agent: string;
  readonly reasons: readonly Reason[];
}

export interface Subscription {
  readonly agent: string;
  readonly what: "path" | "topic" | "service" | "capability";
  /** Of a path; empty for every repository. */
  readonly repository: string;
  readonly value: string;
}

export interface RoutingFacts {
  /** Every agent that can be told something. */
  readonly agents: Iterable<string>;
  readonly workers: Workers;
  readonly tasks: readonly { readonly number: number; readonly agent: string }[];
  readonly claims: readonly {
    readonly holder: string;
    readonly repository: string;
    readonly patterns: readonly string[];
  }[];
  readonly subscriptions: readonly Subscription[];
}

export interface RoutingIndex {
  readonly agents: ReadonlySet<string>;
  readonly workers: Workers;
  readonly owners: ReadonlyMap<number, string>;
  /** By repository; under the empty name those that hold for every one. */
  readonly paths: ReadonlyMap<string, PathRules>;
  readonly named: Readonly<Record<"topic" | "service" | "capability", ReadonlyMap<string, readonly string[]>>>;
}

export function buildIndex(facts: RoutingFacts): RoutingIndex {
  const paths = new Map<string, PathRules>();
  const rulesOf = (repository: string): PathRules => {
    const rules = paths.get(repository) ?? new PathRules();
    paths.set(repository, rules);
    return rules;
  };
  for (const { holder, repository, patterns } of facts.claims) {
    rulesOf(repository).add({ agent: holder, rule: "claim holder" }, patterns);
  }
  const named = { topic: new Map<string, string[]>(), service: new Map(), capability: new Map() };
  for (const { agent, what, repository, value } of facts.subscriptions) {
    if (what === "path") {
      rulesOf(repository).add({ agent, rule: "subscriber" }, [value]);
      continue;
    }
    const byName: Map<string, string[]> = named[what];
    const here = byName.get(value);
    if (here === undefined) byName.set(value, [agent]);
    else here.push(agent);
  }
  return {
    agents: new Set(facts.agents),
    workers: facts.workers,
    owners: new Map(facts.tasks.map(({ number, agent }) => [number, agent])),
    paths,
    named,
  };
}

/** Nobody needs more reasons than these for one thing. */
const mostReasons = 8;

export function address(index: RoutingIndex, about: Addressed): Addressee[] {
  const found = new Map<string, Reason[]>();
  const add = (agent: string, rule: string, fact: string): void => {
    if (agent === about.causedBy || !index.agents.has(agent)) return;
    const reasons = found.get(agent);
    if (reasons === undefined) found.set(agent, [{ rule, fact }]);
    else if (reasons.length < mostReasons && !reasons.some((one) => one.rule === rule && one.fact === fact))
      reasons.push({ rule, fact });
  };
  for (const agent of about.recipients ?? []) add(agent, "explicit recipient", "it was named");
  const owner = about.task === undefined ? undefined : index.owners.get(about.task);
  if (owner !== undefined) add(owner, "task owner", `task ${about.task} is its`);
  for (const worktree of about.sides ?? []) {
    for (const { agent, because } of index.workers.get(worktree) ?? []) {
      add(agent, "side of the finding", `${worktree} is one side, and ${because}`);
    }
  }
  for (const repository of new Set([about.repository ?? "", ""])) {
    const rules = index.paths.get(repository);
    if (rules === undefined) continue;
    // Rules remember the last directory.
    for (const path of about.paths?.toSorted() ?? []) {
      for (const { agent, rule, shown } of rules.matching(path)) add(agent, rule, `${path} is in ${shown}`);
    }
  }
  addNamed("topic", about.topics ?? [], (topic) => `it subscribed to the topic ${topic}`);
  addNamed("service", about.services ?? [], (service) => `it subscribed to the service ${service}`);
  const wanted = about.capability === undefined ? [] : [about.capability];
  addNamed("capability", wanted, (capability) => `it can do ${capability}`);
  return [...found].map(([agent, reasons]) => ({ agent, reasons }));

  function addNamed(what: keyof RoutingIndex["named"], names: readonly string[], fact: (name: string) => string): void {
    const rule = what === "capability" ? "capability" : "subscriber";
    for (const name of names) for (const agent of index.named[what].get(name) ?? []) add(agent, rule, fact(name));
  }
}
