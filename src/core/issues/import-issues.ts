// Making tasks of a repository's open issues, once or from now on. Asked again for the same label, the follow that is there goes on.

import { Refusal } from "../../protocol/errors.ts";
import { makeId } from "../../protocol/ids.ts";
import type { IssueFollowsTable } from "../../store/tables/issues.ts";
import { withoutPassword } from "../../ports/forge.ts";
import { importTasks, refuseUnlessRepository, wasImported } from "../tasks/create.ts";
import { whileHolding } from "../tasks/landing/harvest-lease.ts";
import type { TaskContext } from "../tasks/task-context.ts";
import { issueKey } from "./issue.ts";
import { followsOf } from "./issues.sql.ts";
import { lookAtFollow, taskOf } from "./take-in.ts";
import { titleOf } from "./text.ts";

export interface ImportWish {
  readonly origin: string;
  readonly label?: string | undefined;
  readonly root: string;
  readonly repository?: string | undefined;
  readonly follow: boolean;
  readonly dry_run: boolean;
}

export interface Imported {
  readonly from: string;
  readonly created: number[];
  readonly known: number;
  readonly waiting: number;
  readonly follow: string | null;
  readonly issues: { number: number; title: string; url: string; is_known: boolean }[];
}

export async function importIssues(context: TaskContext, wish: ImportWish): Promise<Imported> {
  const { forges } = context.machine;
  const { label } = wish;
  if (wish.follow && label === undefined)
    throw new Refusal("issue.no-filter", "every issue would become work for agents, whoever opens it", {});
  if (wish.repository !== undefined) await refuseUnlessRepository(context, wish.repository);
  const origin = withoutPassword(wish.origin);
  const place = forges.placeOf(origin);
  const forge = forges.open(place);
  const from = `${place.repository} on ${place.host}`;
  if (wish.follow && label !== undefined && !wish.dry_run) {
    const follow = await followOnce(context, { ...wish, origin, label });
    // The daemon's own round may be looking at this moment: then it has taken them, or is about to.
    const held = await whileHolding(context, `issues ${context.constellation}`, () =>
      lookAtFollow(context, follow, { place, forge }),
    );
    const { found, created, waiting } = held?.value ?? { found: [], created: [], waiting: 0 };
    const known = found.length - created.length - waiting;
    return { from, created: [...created], known, waiting, follow: follow.id, issues: [] };
  }
  const found = [...(await forge.issues({ label, state: "open" }))].sort((a, b) => a.number - b.number);
  if (wish.dry_run) {
    const issues: Imported["issues"] = [];
    for (const one of found) {
      const key = issueKey(place, one.number);
      const is_known = await wasImported(context, key);
      issues.push({ number: one.number, title: titleOf(one), url: one.url, is_known });
    }
    const known = issues.filter((one) => one.is_known).length;
    return { from, created: [], known, waiting: 0, follow: null, issues };
  }
  const { root, repository } = wish;
  const tasks = found.map((one) => taskOf(context, place, one));
  const { created, known } = await importTasks(context, { root, repository, tasks });
  return { from, created, known, waiting: 0, follow: null, issues: [] };
}

async function followOnce(
  { store, constellation, random, actor }: TaskContext,
  { origin, label, root, repository }: ImportWish & { readonly label: string },
): Promise<IssueFollowsTable> {
  return await store.write(async (tx) => {
    const open = await followsOf(tx.db, constellation, false);
    const known = open.find((one) => one.origin === origin && one.label === label && one.root === root);
    if (known !== undefined) return known;
    const row: IssueFollowsTable = {
      id: makeId("fol", tx.nowMs, random.bytes(10)),
      constellation,
      origin,
      label,
      root,
      repository: repository ?? null,
      waiting: 0,
      outages: 0,
      retry_ms: null,
      waits_for: null,
      looked_ms: null,
      created_by: actor,
      created_ms: tx.nowMs,
      ended_ms: null,
    };
    await tx.insert("issue_follows", row);
    await tx.record({ type: "issue.followed", subject: `follow:${row.id}`, actor, data: { origin, label } });
    return row;
  });
}
