// The skills of a constellation: to be given a task, and what its agents declare that they can do.

import { type A2aSkill, taskSkill } from "../../protocol/a2a.ts";
import { forModelInline } from "../../protocol/safe-text.ts";
import type { ReadContext } from "../context.ts";
import { declaredCapabilities } from "./a2a.sql.ts";

const mostSkills = 100;

export async function skillsHere({ store }: Pick<ReadContext, "store">): Promise<A2aSkill[]> {
  const byName = new Map<string, string[]>();
  for (const { agent, value } of await declaredCapabilities(store.db, store.constellation)) {
    const name = forModelInline(value).trim();
    if (name !== "" && name !== taskSkill && !/\s/.test(name)) byName.set(name, [...(byName.get(name) ?? []), agent]);
  }
  const declared = [...byName].slice(0, mostSkills).map(([id, agents]) => ({
    id,
    name: id,
    description: `A task for an agent that can ${id}: ${agents.join(", ")}.`,
    tags: [id],
  }));
  const general = {
    id: taskSkill,
    name: "Work on a repository",
    description: "A change to the code is made by an agent, checked by the gate, and landed by the owner.",
    tags: ["code"],
  };
  return [general, ...declared];
}

/** The agents that declare it, or undefined for a skill that is everybody's. */
export async function agentsWith(
  { store }: Pick<ReadContext, "store">,
  skill: string,
): Promise<readonly string[] | undefined> {
  if (skill === taskSkill) return undefined;
  const rows = await declaredCapabilities(store.db, store.constellation);
  return rows.filter(({ value }) => value === skill).map(({ agent }) => agent);
}
