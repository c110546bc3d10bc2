// The join packet: what an agent that begins to work should know, small enough to be read at every start. One composition for every
// door: MCP answers it as it is, hooks print it as text (packet-text.ts). Pure; it decides what is left out.

import { askerNamed } from "../../protocol/authority.ts";
import type { registerSession } from "../../protocol/operations/join.ts";
import type { OutputOf } from "../../protocol/operation.ts";
import { cutText } from "../notices/cut.ts";
import { type Notice, rankOf } from "../notices/notice.ts";
import type { JoinFacts, Place, Present } from "./facts.ts";

export type Packet = OutputOf<typeof registerSession>;

/** So many of each, and so long. */
const most = { agents: 12, findings: 6, claims: 5, held: 5, decisions: 8, memories: 6 };
const longest = 160;
/** 1,500 tokens of some three and a half characters. */
const mostChars = 5_250;

export interface Joining {
  readonly agent: string;
  readonly constellation: string;
  /** The path where it says that it works. Default: the one where it is known to. */
  readonly path?: string | undefined;
  /** Those of this agent that hold and may be heard of. */
  readonly concerns: Packet["findings"];
  /** Of its first task, where that is known. */
  readonly brief?: string | null;
  readonly messages?: number;
}

export function packetFor(facts: JoinFacts, joining: Joining): Packet {
  const { agent, concerns, messages = 0 } = joining;
  const own = facts.byName.get(agent);
  const said = joining.path === undefined ? undefined : facts.placeOf(joining.path);
  const here = said ?? own?.places[0];
  const [task] = own?.tasks ?? [];
  const isOurs = scopeOf(here, own);
  const others = othersFor(facts, agent, here);
  const claims = facts.claims.filter(({ holder, repository }) => holder !== agent && repository === here?.repository);
  const held = facts.claims.filter(({ holder }) => holder === agent);
  const decisions = facts.decisions.filter(isOurs);
  const memories = facts.memories.filter(
    (one) =>
      isOurs(one) &&
      one.holdsAt(here?.path) &&
      (one.audience === "everybody" || one.audience === agent || agent === "owner"),
  );
  const present = facts.crowd.length - (own === undefined ? 0 : 1);
  return {
    you: agent,
    role: askerNamed(agent).role,
    constellation: joining.constellation,
    worktree: here?.path ?? null,
    branch: shortOrNull(here?.branch),
    repository: shortOrNull(here?.name),
    task:
      task === undefined
        ? null
        : { number: task.number, state: task.state, title: short(task.title), brief: joining.brief ?? null },
    agents: others.map(describe),
    findings: concerns.slice(0, most.findings).map((one) => ({
      ...one,
      title: short(one.title),
      action: short(one.action),
    })),
    claims: claims.slice(0, most.claims).map((claim) => ({ ...described(claim), holder: claim.holder })),
    held: held.slice(0, most.held).map(described),
    decisions: decisions.slice(0, most.decisions).map(({ id, title, owner_verified }) => ({
      id,
      title: short(title),
      owner_verified,
    })),
    memories: memories.slice(0, most.memories).map(({ id, text, by }) => ({ id, text: short(text), by })),
    messages: { waiting: messages },
    left_out: leftOut({
      worktrees: own?.places.filter(({ path }) => path !== here?.path).length ?? 0,
      tasks: (own?.tasks.length ?? 0) - 1,
      agents: present - others.length,
      findings: concerns.length - most.findings,
      claims: claims.length - most.claims,
      held: held.length - most.held,
      decisions: decisions.length - most.decisions,
      memories: memories.length - most.memories,
    }),
    next: nextSteps({ waiting: messages, findings: concerns.length, task: task?.number, state: task?.state }),
  };
}

/** Takes the last entry from the list that takes the most room, until all of it fits. */
export function fitted(packet: Packet): Packet {
  const lists = { ...pick(packet) };
  const leftOut = { ...packet.left_out };
  const size = (value: unknown): number => JSON.stringify(value).length;
  const now = (): Packet => ({ ...packet, ...lists, left_out: leftOut });
  while (size(now()) > mostChars) {
    const [name] = (Object.keys(lists) as ListName[]).sort((a, b) => size(lists[b]) - size(lists[a]));
    if (name === undefined || lists[name].length === 0) break;
    Object.assign(lists, { [name]: lists[name].slice(0, -1) });
    leftOut[name] = (leftOut[name] ?? 0) + 1;
  }
  return now();
}

/**
 * Returns those of an agent's notices that a packet names: they hold, are about a finding, and have held for as long as their kind must.
 * The worst come first.
 */
export function concernsIn(notices: readonly Notice[], nowMs: number): Packet["findings"] {
  return notices
    .filter(({ about }) => about === "finding")
    .flatMap((notice) => {
      const first = notice.parts.find(({ over, heardFromMs }) => over === null && heardFromMs <= nowMs);
      if (first === undefined) return [];
      const { id, severity, kind, title } = notice;
      return [{ id: first.source, notice: id, severity, kind, title, action: first.action }];
    })
    .sort((a, b) => rankOf(a.severity) - rankOf(b.severity));
}

type ListName = keyof typeof most;

const pick = ({ agents, findings, claims, held, decisions, memories }: Packet): Pick<Packet, ListName> => ({
  agents,
  findings,
  claims,
  held,
  decisions,
  memories,
});

const described = ({ id, patterns, reason }: JoinFacts["claims"][number]) => ({
  id,
  paths: patterns.slice(0, 5).map(short),
  reason: short(reason),
});

/** Those in the same repository first. Looks at no more of a crowd than it shows. */
function othersFor({ byRepository, crowd }: JoinFacts, agent: string, here: Place | undefined): readonly Present[] {
  const near = here === undefined ? [] : (byRepository.get(here.repository) ?? []).slice(0, most.agents + 1);
  const some = new Set([...near, ...crowd.slice(0, most.agents * 2 + 2)]);
  return [...some].filter((one) => one.agent !== agent).slice(0, most.agents);
}

function describe({ agent, state, places, tasks }: Present): Packet["agents"][number] {
  const [place] = places;
  const [task] = tasks;
  return {
    agent,
    state,
    task: task === undefined ? null : `${task.number}: ${short(task.title)}`,
    repository: shortOrNull(place?.name),
    branch: shortOrNull(place?.branch),
  };
}

/**
 * Returns a function that tells whether something holds here. If it names no repository or task, it holds for every one. An agent that
 * works nowhere in particular may be asked to work anywhere.
 */
function scopeOf(here: Place | undefined, own: Present | undefined) {
  const repositories = new Set([here, ...(own?.places ?? [])].flatMap((place) => place?.repository ?? []));
  const tasks = new Set(own?.tasks.map(({ number }) => number));
  return ({ repository, task }: { readonly repository: string | null; readonly task: number | null }): boolean =>
    (repository === null || repositories.size === 0 || repositories.has(repository)) &&
    (task === null || tasks.has(task));
}

function nextSteps(about: {
  readonly waiting: number;
  readonly findings: number;
  readonly task: number | undefined;
  readonly state: string | undefined;
}): string[] {
  const steps: string[] = [];
  if (about.waiting > 0) steps.push("Read your messages: sync.");
  if (about.findings > 0) steps.push("Settle what collides before you edit those files.");
  if (about.task === undefined) steps.push("You have no task. Ask the root (agent0), or look at what can be started.");
  else if (about.state === "ready") steps.push(`Task ${about.task} is ready; it lands when it is harvested.`);
  else steps.push(`Work on task ${about.task}; when it is committed, mark it ready.`);
  return steps;
}

const leftOut = (counts: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

const shortOrNull = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : short(text);

const short = (text: string): string => cutText(text, longest);
