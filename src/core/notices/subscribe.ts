// Records what an agent asks to hear of (paths, topics, services) and what it can do (capabilities): all of it said at once, in the place of
// what it said before. An agent speaks for itself; the owner and the root for anybody.

import { Refusal } from "../../protocol/errors.ts";
import { askerNamed, owner } from "../../protocol/authority.ts";
import type { SubscriptionsTable } from "../../store/tables/notices.ts";
import type { Context, ReadContext } from "../context.ts";
import { findRepository } from "../worktrees/register.ts";
import type { Subscription } from "./address.ts";
import { replaceSubscriptions, subscriptionRows } from "./notices.sql.ts";

export interface SubscriptionWish {
  readonly agent?: string | undefined;
  /** Of `paths`; every repository when it is not named. */
  readonly repository?: string | undefined;
  readonly paths: readonly string[];
  readonly topics: readonly string[];
  readonly services: readonly string[];
  readonly capabilities: readonly string[];
}

export async function subscribe(
  context: Context,
  wish: SubscriptionWish,
): Promise<{ agent: string; subscriptions: number; before: number }> {
  const { store, constellation, actor } = context;
  const agent = wish.agent ?? actor;
  if (agent === owner.name) throw new Refusal("usage.missing-argument", "name the agent that subscribes", {});
  if (askerNamed(actor).role === "clone" && actor !== agent)
    throw new Refusal("notice.not-yours", `${actor} cannot subscribe for ${agent}`, { actor, agent });
  const repository = wish.repository === undefined ? "" : (await findRepository(context, wish.repository)).identity;
  return await store.write(async (tx) => {
    const rowsOf = (what: string, values: readonly string[], of = ""): SubscriptionsTable[] =>
      [...new Set(values)].map((value) => ({
        constellation,
        agent,
        what,
        repository: of,
        value: value.replaceAll("\0", "").toWellFormed(),
        made_ms: tx.nowMs,
      }));
    const rows = [
      ...rowsOf("path", wish.paths, repository),
      ...rowsOf("topic", wish.topics),
      ...rowsOf("service", wish.services),
      ...rowsOf("capability", wish.capabilities),
    ];
    const { before } = await replaceSubscriptions(tx, constellation, agent, rows);
    return { agent, subscriptions: rows.length, before };
  });
}

export async function listSubscriptions({ store }: ReadContext, input: { readonly agent?: string | undefined }) {
  const rows = await subscriptionRows(store.db, store.constellation);
  const subscriptions = rows
    .filter(({ agent }) => input.agent === undefined || agent === input.agent)
    .map(({ agent, what, value, repository, made_ms }) => ({
      agent,
      what: what as Subscription["what"],
      value,
      repository: repository === "" ? null : repository,
      made_ms: Number(made_ms),
    }));
  return { subscriptions };
}
