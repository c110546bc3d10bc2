// Brings the stored notices up to what should be known now. Reads first and writes only when something differs, in one
// transaction that decides once more from what is stored then.

import { isGuestId } from "../../protocol/agent-id.ts";
import { makeId } from "../../protocol/ids.ts";
import { wakeForNotices } from "../workers/wake.ts";
import type { Context } from "../context.ts";
import { noLongerWatched } from "../findings/apply-findings.ts";
import { isMove } from "../findings/lifecycle.ts";
import type { Notice } from "./notice.ts";
import { endedFindings, evidenceOf, liveNotices, liveTellings, putNotices, tellableFindings } from "./notices.sql.ts";
import { type End, reconcile } from "./rules.ts";
import type { Scene } from "./scene.ts";
import { isOpen } from "./telling.ts";
import { concernsOneSide, wantedFor } from "./want.ts";

/** Undefined where nobody can tell. */
type ConversationOf = (agent: string) => string | undefined;

type Reader = Pick<Context["store"], "db">;

export async function reviewNotices(
  context: Pick<Context, "store" | "constellation" | "random" | "clock">,
  scene: Scene,
  conversationOf: ConversationOf = () => undefined,
): Promise<void> {
  const { store } = context;
  const first = await changesIn(context, store, scene, context.clock.nowMs(), conversationOf);
  if (first.changed.length === 0) return;
  await store.write(async (tx) => {
    const { changed, stored } = await changesIn(context, tx, scene, tx.nowMs, conversationOf);
    const known = new Set(stored.map(({ id }) => id));
    await putNotices(tx, changed, (id) => !known.has(id));
    await wakeForNotices(tx, context.constellation, changed);
    const before = new Map(stored.map(({ id, state }) => [id, state]));
    for (const { id, agent, state, handled_by: by } of changed) {
      if (state !== "handled" || before.get(id) === "handled") continue;
      await tx.record({ type: "notice.handled", subject: `notice:${id}`, actor: "daemon", data: { agent, by } });
    }
  });
}

async function changesIn(
  { constellation, random }: Pick<Context, "constellation" | "random">,
  { db }: Reader,
  scene: Scene,
  nowMs: number,
  conversationOf: ConversationOf,
): Promise<{ changed: Notice[]; stored: Notice[] }> {
  const findings = await tellableFindings(db, constellation);
  const oneSided = findings.filter(concernsOneSide).map(({ id }) => id);
  const wanted = wantedFor(scene, findings, await evidenceOf(db, oneSided));
  const stored = await liveNotices(db, constellation);
  const pending = new Set(
    (await liveTellings(db, constellation))
      .filter(isOpen)
      .flatMap(({ covers }) => covers.map(({ notice, source }) => `${notice} ${source}`)),
  );
  const open = new Set(findings.map(({ id }) => id));
  const sources = stored.flatMap(({ parts }) => parts.map(({ source }) => source)).filter((one) => !open.has(one));
  const ended = await endedFindings(db, [...new Set(sources.filter((one) => one.startsWith("fnd_")))]);
  const endOf = (agent: string, source: string): End => {
    if (open.has(source)) return { why: `${agent} works elsewhere now`, isSaid: false };
    if (source.startsWith("clm_")) {
      const isHeld = scene.claims.some(({ id, isExclusive }) => id === source && isExclusive);
      return isHeld
        ? { why: `${agent} works elsewhere now`, isSaid: false }
        : { why: "the claim has ended", isSaid: true };
    }
    const end = ended.get(source);
    if (end === undefined) return { why: "it is over", isSaid: true };
    const words = end.why === null ? "" : `: ${end.why}`;
    // Nobody knows whether it is still so; that it is no problem would be a lie.
    if (end.why === noLongerWatched) return { why: end.why, isSaid: false };
    // It goes on, as a finding of its own.
    if (end.state === "closed" && end.why !== null && isMove(end.why)) return { why: end.why, isSaid: false };
    if (end.state === "dismissed") return { why: `dismissed${words}`, isSaid: true };
    const own = end.closedBy.find((path) => scene.workers.get(path)?.some((one) => one.agent === agent) === true);
    const byItself = own === undefined ? undefined : `its own change in ${own} closed ${source}`;
    return { why: end.why ?? "it is over", isSaid: true, byItself };
  };
  const changed = reconcile({
    stored,
    wanted,
    endOf,
    conversationOf,
    isAway: (agent) => isGuestId(agent) && !scene.index.agents.has(agent),
    isPending: (notice, source) => pending.has(`${notice} ${source}`),
    constellation,
    nowMs,
    newId: () => makeId("ntc", nowMs, random.bytes(10)),
  });
  return { changed, stored };
}
