// How agents at work fare, as things that need the owner; and the word to whoever gave the work to one that fell silent.

import { isWorkingAgent } from "../../protocol/agent-id.ts";
import type { Deliver } from "../../ports/deliver.ts";
import type { HookRecord } from "../../ports/runtime.ts";
import type { AgentNow } from "../agents/agent.ts";
import { healthOf, type HealthRules, type WorkInHand } from "../agents/health.ts";
import type { Need } from "../agents/needs.ts";
import type { ReadContext } from "../context.ts";
import { pathPattern } from "../findings/path-pattern.ts";
import { lastRead, type TaskInHand, tasksInHand, whoGave, workOf } from "./owner.sql.ts";

export async function healthNeeds(
  { store: { db, constellation } }: ReadContext,
  agents: readonly AgentNow[],
  rules: HealthRules,
  hooksOf: (agent: AgentNow) => readonly HookRecord[],
): Promise<Need[]> {
  const inHand = Map.groupBy(await tasksInHand(db, constellation), ({ agent }) => agent);
  const needs: Need[] = [];
  for (const agent of agents) {
    if (agent.wanted !== "up" || (agent.state !== "busy" && agent.state !== "idle")) continue;
    const task = inHand.get(agent.agent)?.find(({ brief }) => brief === "delivered");
    const look = {
      state: agent.state,
      hooks: hooksOf(agent),
      read: await lastRead(db, constellation, agent.agent, agent.launched_ms),
      work: task === undefined ? undefined : await workInHand({ db, constellation }, task),
    };
    const next = `constel agent show ${agent.agent}`;
    for (const { kind, says, sinceMs } of healthOf(look, rules)) {
      const key = `${kind}:${agent.agent}`;
      needs.push({ key, kind, agent: agent.agent, says: `${agent.agent} ${says}`, since_ms: sinceMs, next });
    }
  }
  return needs;
}

async function workInHand(
  { db, constellation }: Pick<ReadContext["store"], "db" | "constellation">,
  { number, sinceMs }: TaskInHand,
): Promise<WorkInHand> {
  const { scope, places, changedMs } = await workOf(db, constellation, number);
  const patterns = (JSON.parse(scope) as string[]).map(patternOf);
  return {
    task: number,
    sinceMs,
    inScope: patterns.length === 0 ? undefined : (path) => patterns.some((fits) => fits(path)),
    workspaces: places,
    changedMs,
  };
}

/** A directory stands for all that is in it, with or without a slash behind it. */
function patternOf(path: string): (path: string) => boolean {
  const plain = path.replace(/^\.\//, "").replace(/(?<![/*])[/*]+$/, "");
  const fits = pathPattern(path.replace(/^\.\//, ""));
  return (one) => plain === "" || one === plain || one.startsWith(`${plain}/`) || fits(one);
}

/** The kinds of need in which an agent is silent about the work that it has. */
const silent: ReadonlySet<string> = new Set(["stopped", "hung"]);

/** Tells an agent that gave work to another which fell silent, once for each stop. `told` holds the letters that were put; the same letter is one message. */
export async function tellGivers(
  { store: { db, constellation } }: ReadContext,
  needs: readonly Need[],
  deliver: Pick<Deliver, "put">,
  told: Set<string>,
): Promise<void> {
  const due = needs.filter(({ kind }) => silent.has(kind));
  if (due.length === 0) return;
  const inHand = Map.groupBy(await tasksInHand(db, constellation), ({ agent }) => agent);
  for (const { key, agent, says } of due) {
    if (agent === null) continue;
    for (const { number } of inHand.get(agent) ?? []) {
      const id = `silent:${number}:${key}`;
      if (told.has(id)) continue;
      told.add(id);
      const giver = await whoGave(db, constellation, number);
      if (giver === undefined || giver === agent || !isWorkingAgent(giver)) continue;
      const text = `You gave task ${number} to ${agent}, which has fallen silent: ${says}\nLook: constel task show ${number}; ask: constel channel send ${agent} --task ${number} …; take it back: constel task update ${number} --release`;
      deliver.put({ id, to: giver, kind: "silent", task: number, text });
    }
  }
}
