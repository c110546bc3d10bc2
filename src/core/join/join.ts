// The join packet for whoever asks for one: notices are brought up to date first, so that a session which only just said where it
// works is told of the same things as one that has been there for an hour.

import type { Context } from "../context.ts";
import { listAgents } from "../agents/queries.ts";
import { knotsOf } from "../findings/knots.ts";
import { listFindings } from "../findings/queries.ts";
import { liveNoticesOf } from "../notices/queries.ts";
import { reviewNotices } from "../notices/review-notices.ts";
import { type Guest, readScene } from "../notices/scene.ts";
import { listAll } from "../tasks/queries.ts";
import { readJoinFacts } from "./facts.ts";
import { concernsIn, fitted, type Packet, packetFor } from "./packet.ts";

export async function joinPacket(
  context: Context,
  input: { readonly path?: string | undefined; readonly root: string; readonly guests: readonly Guest[] },
): Promise<Packet> {
  const { actor: agent, constellation, clock } = context;
  const scene = await readScene(context, input);
  await reviewNotices(context, scene);
  const facts = await readJoinFacts(context, scene);
  const isTold = scene.index.agents.has(agent);
  const me = isTold ? (await listAgents(context)).agents.find((one) => one.agent === agent) : undefined;
  const [task] = isTold ? (await listAll(context, { all: false, agent, limit: 1 })).tasks : [];
  const place = input.path === undefined ? undefined : facts.placeOf(input.path);
  const concerns = isTold
    ? concernsIn(await liveNoticesOf(context, agent), clock.nowMs())
    : await findingsAt(context, place?.path);
  return fitted(
    packetFor(facts, {
      agent,
      constellation,
      path: input.path,
      concerns,
      brief: task?.brief ?? null,
      messages: me?.messages.waiting ?? 0,
    }),
  );
}

/** Notices are for agents. Somebody else, such as the owner, is shown what collides where they stand. */
async function findingsAt(context: Context, worktree: string | undefined): Promise<Packet["findings"]> {
  if (worktree === undefined) return [];
  const { findings } = await listFindings(context, { all: false, limit: 10_000 });
  const here = findings.filter(({ ours, theirs }) => ours.worktree === worktree || theirs.worktree === worktree);
  return knotsOf(here).map(({ first: { id, severity, kind, action }, title }) => ({
    id,
    notice: null,
    severity,
    kind,
    title,
    action,
  }));
}
