// The join packet: what an agent that begins to work should know, small enough to be read at every start. It decides what
// to leave out; how it is shown is for the doors.

import { askerNamed } from "../../protocol/authority.ts";
import type { registerSession } from "../../protocol/operations/join.ts";
import type { OutputOf } from "../../protocol/operation.ts";
import { listAgents } from "../agents/queries.ts";
import { listClaims } from "../claims/claim.ts";
import type { Context } from "../context.ts";
import { list as listDecisions } from "../decisions/decision.ts";
import { listFindings } from "../findings/queries.ts";
import { recall } from "../memory/memory.ts";
import { listAll } from "../tasks/queries.ts";
import { listRepositories } from "../worktrees/list.ts";

type Packet = OutputOf<typeof registerSession>;

/** So many of each, and so long. */
const most = { agents: 12, findings: 6, claims: 5, decisions: 8, memories: 6 };
const longest = 160;
/** 1,500 tokens of some three and a half characters. */
const mostChars = 5_250;

export async function joinPacket(context: Context, input: { readonly path?: string | undefined }): Promise<Packet> {
  const { actor, constellation } = context;
  const { repositories } = await listRepositories(context);
  const here = placeOf(repositories, actor, input.path);
  const { agents } = await listAgents(context);
  const branchOf = new Map(
    repositories.flatMap(({ repository, worktrees }) =>
      worktrees.flatMap(({ agent, branch }) => (agent === null ? [] : [[agent, { repository, branch }] as const])),
    ),
  );
  const isHere = (agent: string): boolean => branchOf.get(agent)?.repository === here?.repository;
  const others = agents
    .filter(({ agent, wanted }) => agent !== actor && wanted === "up")
    .sort((a, b) => Number(isHere(b.agent)) - Number(isHere(a.agent)));
  const me = agents.find(({ agent }) => agent === actor);
  const [task] = (await listAll(context, { all: false, agent: actor, limit: 1 })).tasks;
  const findings = await findingsAt(context, here?.path);
  const { claims } = await listClaims(context, {});
  const foreign = claims.filter(({ holder, repository }) => holder !== actor && repository === here?.repository);
  const scope = here === undefined ? {} : { repository: here.repository };
  const decisions = await listDecisions(context, { states: ["active"], limit: most.decisions, ...scope });
  const memories = await recall(context, { pinned: true, limit: most.memories, ...scope });
  const waiting = me?.messages.waiting ?? 0;
  return fitted({
    you: actor,
    role: askerNamed(actor).role,
    constellation,
    worktree: here?.path ?? null,
    branch: here?.branch ?? null,
    repository: here?.name ?? null,
    task:
      task === undefined
        ? null
        : { number: task.number, state: task.state, title: short(task.title), brief: task.brief },
    agents: others.slice(0, most.agents).map(({ agent, state, task: ofAgent }) => ({
      agent,
      state,
      task: ofAgent,
      branch: branchOf.get(agent)?.branch ?? null,
    })),
    findings: findings.slice(0, most.findings).map(({ id, severity, kind, title, action }) => ({
      id,
      severity,
      kind,
      title: short(title),
      action: short(action),
    })),
    claims: foreign.slice(0, most.claims).map(({ id, holder, paths, reason }) => ({
      id,
      holder,
      paths: paths.slice(0, 5).map(short),
      reason: short(reason),
    })),
    decisions: decisions.decisions.map(({ id, title, owner_verified }) => ({
      id,
      title: short(title),
      owner_verified,
    })),
    memories: memories.memories.map(({ id, text, by }) => ({ id, text: short(text), by })),
    messages: { waiting },
    left_out: leftOut({
      agents: others.length - most.agents,
      findings: findings.length - most.findings,
      claims: foreign.length - most.claims,
      decisions: decisions.total - most.decisions,
      memories: memories.total - most.memories,
    }),
    next: nextSteps({ waiting, findings: findings.length, task: task?.number, state: task?.state }),
  });
}

/** What takes the most room loses its last entry, until all of it fits. */
function fitted(packet: Packet): Packet {
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

type ListName = keyof typeof most;

const pick = ({ agents, findings, claims, decisions, memories }: Packet): Pick<Packet, ListName> => ({
  agents,
  findings,
  claims,
  decisions,
  memories,
});

type Repositories = Awaited<ReturnType<typeof listRepositories>>["repositories"];

interface Place {
  readonly repository: string;
  readonly name: string;
  readonly path: string;
  readonly branch: string | null;
}

/** The worktree that holds the path, else the one that this agent works in. */
function placeOf(repositories: Repositories, agent: string, path: string | undefined): Place | undefined {
  const all = repositories.flatMap(({ repository, name, worktrees }) =>
    worktrees.map((one) => ({ repository, name, path: one.path, branch: one.branch, agent: one.agent })),
  );
  const holds = all
    .filter((one) => path !== undefined && (path === one.path || path.startsWith(`${one.path}/`)))
    .sort((a, b) => b.path.length - a.path.length);
  return holds[0] ?? all.find((one) => one.agent === agent);
}

async function findingsAt(context: Context, worktree: string | undefined) {
  if (worktree === undefined) return [];
  const { findings } = await listFindings(context, { all: false, limit: 10_000 });
  return findings.filter(({ ours, theirs }) => ours.worktree === worktree || theirs.worktree === worktree);
}

function nextSteps(about: {
  readonly waiting: number;
  readonly findings: number;
  readonly task: number | undefined;
  readonly state: string | undefined;
}): string[] {
  const steps: string[] = [];
  if (about.waiting > 0) steps.push("Read your messages: sync.");
  if (about.findings > 0) steps.push("Look at the findings before you edit those files.");
  if (about.task === undefined) steps.push("You have no task. Ask the root (agent0), or look at what can be started.");
  else if (about.state === "ready") steps.push(`Task ${about.task} is ready; it lands when it is harvested.`);
  else steps.push(`Work on task ${about.task}; when it is committed, mark it ready.`);
  return steps;
}

const leftOut = (counts: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

const short = (text: string): string => (text.length <= longest ? text : `${text.slice(0, longest - 1)}…`);
