// The kinds of field that operations take. Each door reads a kind in its own way: on the command line `3` is agent3 and `2h` is a span of time.

import { z } from "zod";
import { agentIdPattern } from "./agent-id.ts";
import { farAgentPattern } from "./far-agent.ts";
import type { FieldKind } from "./outline.ts";

/** The kind of a field where its shape alone does not tell it. */
export const fieldKinds = z.registry<{ readonly kind: FieldKind }>();

function as<Shape extends z.ZodType>(kind: FieldKind, shape: Shape): Shape {
  fieldKinds.add(shape, { kind });
  return shape;
}

export const agentField = as("agent", z.string().regex(agentIdPattern, "must be an agent's id, such as agent1"));

/** An agent here, or one of another constellation. */
export const addresseeField = as(
  "agent",
  z
    .string()
    .regex(
      new RegExp(`${agentIdPattern.source}|${farAgentPattern.source}`),
      "must be an agent's id, such as agent1, or agent1@desk for one of the peer desk",
    ),
);

export const taskField = as("task", z.number().int().min(1).max(999_999_999));

/** A span of time in milliseconds. */
export const spanField = (leastMs: number, mostMs: number) => as("span", z.number().int().min(leastMs).max(mostMs));

/** A path, which a door makes absolute where its caller stands. */
export const pathField = as("path", z.string().startsWith("/", "must be an absolute path").max(4_096));

/** The same, where one from the root directory is understood too. */
export const placeField = as("path", z.string().min(1).max(4_096));

/** A watched repository: its identity, its name, or a path in it. */
export const repositoryField = as("repository", z.string().min(1).max(4_096));

/** At most so many rows. */
export const limitField = (most: number, usual: number) =>
  z.number().int().min(1).max(most).default(usual).describe("How many at most");

/** Something by its id, or the end of it. */
export const idField = z.string().min(4).max(100);
