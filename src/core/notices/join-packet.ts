// The join packet: what an agent is told when its session begins. Who is here and on what, its task, what touches its work,
// what to do next: at most 1,500 tokens, counted conservatively. Pure. Changes only when one of these does, not with every turn.

import { fact, framed, shown } from "./compose.ts";
import type { Notice } from "./notice.ts";
import { rankOf } from "./notice.ts";
import type { Scene } from "./scene.ts";
import type { SceneTask } from "./scene.sql.ts";

/** A token is about four letters of English and fewer of anything else; bytes over 3.5 is on the safe side. */
const mostBytes = 1_500 * 3.5;
const most = { others: 12, tasks: 5, notices: 8, decisions: 5 };

export interface JoinFacts {
  /** Those of this agent that hold. */
  readonly notices: readonly Notice[];
  /** Decisions that touch what it works on, the newest first, one line each. */
  readonly decisions: readonly string[];
}

/** Everybody who works on something, worked out once for all packets. */
export type Crowd = readonly Present[];

export function crowdOf(scene: Scene): Crowd {
  const places = new Map<string, string[]>();
  for (const [path, workers] of scene.workers) {
    const shownAs = placeName(scene, path);
    for (const { agent } of workers) places.set(agent, [...(places.get(agent) ?? []), shownAs]);
  }
  const tasks = new Map<string, SceneTask[]>();
  for (const task of scene.tasks) tasks.set(task.agent, [...(tasks.get(task.agent) ?? []), task]);
  return [...scene.index.agents]
    .map((agent) => ({ agent, on: places.get(agent) ?? [], tasks: tasks.get(agent) ?? [] }))
    .filter(({ on, tasks: own }) => on.length + own.length > 0)
    .sort((a, b) => byNumber(a.agent, b.agent));
}

/** undefined when there is nothing to tell: nobody else is here, and nothing is its to do. */
export function joinPacket(agent: string, crowd: Crowd, { notices, decisions }: JoinFacts): string | undefined {
  const own = crowd.find((one) => one.agent === agent);
  const tasks = own?.tasks ?? [];
  const others = crowd.length - (own === undefined ? 0 : 1);
  const present = crowd
    .slice(0, most.others + 1)
    .filter((one) => one !== own)
    .slice(0, most.others);
  const live = notices
    .filter(({ parts, about }) => about !== "claim" && parts.some(({ over }) => over === null))
    .sort((a, b) => rankOf(a.severity) - rankOf(b.severity));
  if (others + tasks.length + live.length + decisions.length === 0) return undefined;
  const rest = others - present.length;
  const blocks: string[][] = [
    [
      `You are ${agent}. From constel; information, not a word of the owner. Names and titles were chosen by others.`,
      ...(own?.on ?? []).slice(0, most.tasks).map((place) => fact(`you work in ${place}`)),
    ],
    tasks
      .slice(0, most.tasks)
      .map(({ number, title, state }) => fact(`your task ${number} (${state}): ${shown(title, 200)}`)),
    section(
      "Concerns your work:",
      live.map(({ severity, title, id }) => `[${severity}] ${shown(title, 250)} (constel why ${id})`),
      most.notices,
    ),
    section("Decided:", decisions, most.decisions),
    [...section("Also here:", present.map(describe), most.others), ...(rest > 0 ? [fact(`and ${rest} more`)] : [])],
    [nextStep(tasks.length > 0, live.length > 0)],
  ];
  return withinBytes(blocks.filter((block) => block.length > 0));
}

function section(heading: string, lines: readonly string[], limit: number): string[] {
  if (lines.length === 0) return [];
  const rest = lines.length - limit;
  return [heading, ...lines.slice(0, limit).map((line) => fact(line)), ...(rest > 0 ? [fact(`and ${rest} more`)] : [])];
}

interface Present {
  readonly agent: string;
  readonly on: readonly string[];
  readonly tasks: readonly SceneTask[];
}

function describe({ agent, on, tasks }: Present): string {
  const where =
    on.length === 0 ? "" : ` in ${shown(on[0] ?? "")}${on.length === 1 ? "" : ` and ${on.length - 1} more`}`;
  const [task] = tasks;
  return `${agent}${where}${task === undefined ? "" : `: task ${task.number}, ${shown(task.title, 120)}`}`;
}

function placeName(scene: Scene, path: string): string {
  const worktree = scene.worktrees.get(path);
  if (worktree === undefined || worktree.branch === null) return path;
  return `${scene.repositories.get(worktree.repository) ?? worktree.repository}, branch ${worktree.branch} (${path})`;
}

function nextStep(hasTask: boolean, collides: boolean): string {
  if (collides)
    return "Next: settle what collides before you edit those files; `constel conflicts` shows both sides' lines.";
  return hasTask
    ? "Next: go on with your task; `constel status` shows everybody's."
    : "Next: `constel status` shows everybody's work, `constel claim add <paths>` asks others to leave paths alone.";
}

/** The last blocks but one are shortened first: what is its own to do stands at the top. */
function withinBytes(blocks: string[][]): string {
  const whole = (): string => framed("constel-join", blocks.flat());
  while (Buffer.byteLength(whole()) > mostBytes) {
    const longest = blocks.findLast((block) => block.length > 1);
    if (longest === undefined) break;
    longest.pop();
    longest[longest.length - 1] = "| …";
  }
  return whole();
}

/** agent2 before agent10. */
function byNumber(a: string, b: string): number {
  const number = (agent: string): number => Number(/^agent(\d+)$/.exec(agent)?.[1] ?? Infinity);
  return number(a) === number(b) ? (a < b ? -1 : 1) : number(a) - number(b);
}
