// One round of sharing: what others need of the work on this machine goes out, what is no longer wanted is taken away, and the work of others comes in.
// What is shared stands in rows; everything here can be done twice.

import { messageOf } from "../../protocol/errors.ts";
import { sideRef } from "../../protocol/elsewhere.ts";
import {
  type OthersSide,
  type OwnSide,
  type PublishedSide,
  sideLimits,
  type SideObjects,
  type SideRecord,
  type SideRoute,
  type SideSource,
  type SideToTake,
  type TakenSide,
} from "../../ports/sides.ts";
import type { SharedRepositoriesTable, SharedSidesTable } from "../../store/tables/sharing.ts";
import type { Context } from "../context.ts";
import { HeardOthers, keyOf, sideToTake } from "./rules.ts";
import { sharedRepositories, sidesOf, updateShared, workWords } from "./sides.sql.ts";

export interface SharingParts {
  readonly context: Pick<Context, "store" | "clock">;
  readonly record: SideRecord;
  readonly sources: readonly SideSource[];
  /** False while nobody could know of what is shared: nothing is sent then. */
  readonly reachesAnybody: () => Promise<boolean>;
  readonly objects: SideObjects;
  /** As others are to know it. */
  readonly machine: string;
  /** Another number when those who look at repositories began anew, and have forgotten what they took in. */
  readonly lookedAnew: () => number;
}

/** An origin that takes no private refs is tried again after so long. */
const refusedForMs = 10 * 60_000;
/** What was taken in is taken in again after so long, though nothing has changed: objects may have been let go. */
const againMs = 60_000;

type Shared = SharedRepositoriesTable;

export class SharingRound {
  readonly #parts: SharingParts;
  readonly #heard = new HeardOthers();
  readonly #refused = new Map<string, number>();
  readonly #taken = new Map<string, { readonly state: string; readonly atMs: number }>();

  constructor(parts: SharingParts) {
    this.#parts = parts;
  }

  /** Answers how many repositories are shared. */
  async round(signal: AbortSignal): Promise<number> {
    const { store } = this.#parts.context;
    const all = await sharedRepositories(store.db, store.constellation);
    for (const shared of all) {
      if (signal.aborted) break;
      let problem: string | null;
      try {
        problem = shared.wanted === "shared" ? await this.#share(shared) : await this.#withdraw(shared);
      } catch (cause) {
        problem = messageOf(cause);
      }
      await this.#note(shared, problem);
    }
    return all.length;
  }

  async #note({ repository, problem: before, wanted }: Shared, problem: string | null): Promise<void> {
    if (problem === before || (wanted !== "shared" && problem === null)) return;
    const { store } = this.#parts.context;
    const cut = problem?.replaceAll("\0", "").toWellFormed().slice(0, 500) ?? null;
    if (cut === before) return;
    await store.write((tx) => updateShared(tx, store.constellation, repository, { problem: cut }));
  }

  /** Takes away all that was published, at the origin first: its refs are known from the rows alone. */
  async #withdraw({ repository }: Shared): Promise<string | null> {
    const { context, record, objects } = this.#parts;
    const { db, constellation } = context.store;
    const refs = (await sidesOf(db, constellation, repository)).filter(({ route }) => route === "origin");
    const pushed =
      refs.length === 0 ? [] : await objects.push(repository, { put: [], remove: refs.map(({ ref }) => ref) });
    // Nobody looks at the repository any more, so nobody can reach its origin: the rows go, and with them what others compare.
    const left = pushed?.find(({ why }) => why !== null);
    if (left !== undefined) return `not taken away from the origin yet: ${left.why}`;
    await objects.take(repository, []);
    await record.withdraw(repository);
    this.#taken.delete(repository);
    return null;
  }

  async #share(shared: Shared): Promise<string | null> {
    const { repository } = shared;
    if (!(await this.#parts.reachesAnybody())) return null;
    const out = await this.#send(shared);
    return (await this.#takeIn(repository, await this.#others(repository))) ?? out;
  }

  /** Each with the way on which it came; one that came on two ways counts once, and ours that came back not at all. */
  async #others(repository: string): Promise<Coming[]> {
    const { context, sources } = this.#parts;
    const known = new Set(
      (await sidesOf(context.store.db, context.store.constellation, repository)).map(({ ref }) => ref),
    );
    const coming: Coming[] = [];
    for (const source of sources)
      for (const side of await source.others(repository, sideLimits.others)) {
        if (known.has(side.ref)) continue;
        known.add(side.ref);
        coming.push({ side, source });
      }
    return coming.slice(0, sideLimits.others);
  }

  async #send({ repository, mark }: Shared): Promise<string | null> {
    const { context, record, objects } = this.#parts;
    const { db, constellation } = context.store;
    const own = await objects.own(repository);
    if (own === undefined) return null;
    const before = new Map((await sidesOf(db, constellation, repository)).map((row) => [row.key, row]));
    const words = await workWords(db, constellation, repository);
    const sides = own.slice(0, sideLimits.own).map((side) => {
      const key = keyOf(mark, side.worktree);
      const { agent = null, task = null } = words.get(side.worktree) ?? {};
      const told = { branch: side.branch?.toWellFormed() ?? null, agent, task, machine: this.#parts.machine };
      return { side, key, ref: sideRef(constellation, key), words: told, before: before.get(key) };
    });
    const moved = sides.filter(({ side, before: known }) => side.heldBack === null && known?.commit_id !== side.commit);
    const kept = new Set(sides.filter(({ side }) => side.heldBack === null).map(({ key }) => key));
    const gone = [...before.values()].filter(({ key, route }) => route === "origin" && !kept.has(key));
    // The names come first: whatever ends us from here on, the next daemon knows which refs to take away.
    const fresh = moved.filter(({ before: known }) => known === undefined || known.route !== "origin");
    if (fresh.length > 0) {
      const known = sides.filter(({ before: row }) => row !== undefined).map((one) => asPublished(one, one.before));
      const coming = fresh.map((one) => ({
        ...asPublished(one, undefined),
        route: "origin" as const,
        detail: "it is being sent",
      }));
      const keys = new Set(coming.map(({ key }) => key));
      const leaving = gone.map((row) => asKept(row));
      await record.publish(repository, [...known.filter(({ key }) => !keys.has(key)), ...coming, ...leaving]);
    }
    const sent = await this.#push(repository, moved, gone);
    const published: PublishedSide[] = [];
    for (const one of sides) published.push(await this.#published(repository, one, sent.get(one.ref)));
    // A ref that could not be taken away is tried again: its row stays, and offers nothing.
    const stuck = gone.filter(({ ref }) => sent.get(ref) !== null);
    const offered = new Set(published.map(({ key }) => key));
    published.push(...stuck.filter(({ key }) => !offered.has(key)).map((row) => asKept(row)));
    await record.publish(repository, published);
    const why = published.find(({ detail }) => detail !== null)?.detail ?? null;
    return why === null ? null : `not sent: ${why}`;
  }

  /** By ref: null when it is as wanted at the origin, else why not. */
  async #push(
    repository: string,
    moved: readonly { readonly ref: string; readonly side: OwnSide }[],
    gone: readonly SharedSidesTable[],
  ): Promise<Map<string, string | null>> {
    const { objects, context } = this.#parts;
    const nowMs = context.clock.monotonicMs();
    const isRefused = nowMs < (this.#refused.get(repository) ?? -Infinity);
    const put = isRefused ? [] : moved.map(({ ref, side }) => ({ ref, commit: side.commit }));
    const remove = gone.map(({ ref }) => ref);
    const pushed = put.length + remove.length === 0 ? [] : await objects.push(repository, { put, remove });
    const said = new Map((pushed ?? []).map(({ ref, why }) => [ref, why]));
    if (put.some(({ ref }) => (said.get(ref) ?? null) !== null)) this.#refused.set(repository, nowMs + refusedForMs);
    if (isRefused) for (const { ref } of moved) said.set(ref, "the origin takes no private refs");
    return said;
  }

  async #published(repository: string, one: Sending, sent: string | null | undefined): Promise<PublishedSide> {
    const { side, before } = one;
    if (side.heldBack !== null)
      return {
        ...asPublished(one, undefined),
        route: "nowhere",
        detail: `${one.words.branch ?? "a worktree"}: ${side.heldBack}`,
      };
    // Not asked: it is as it was.
    if (sent === undefined) return asPublished(one, before);
    if (sent === null) return { ...asPublished(one, undefined), commit: side.commit, route: "origin" };
    const { objects, record } = this.#parts;
    const made = await objects.bundle(repository, side);
    if (made === undefined || "why" in made)
      return { ...asPublished(one, undefined), route: "nowhere", detail: made?.why ?? sent };
    await record.bring(repository, one.key, Buffer.from(made.content, "base64"));
    return { ...asPublished(one, undefined), commit: side.commit, route: "bundle" };
  }

  async #takeIn(repository: string, others: readonly Coming[]): Promise<string | null> {
    const { context, objects, lookedAnew } = this.#parts;
    const now = { wallMs: context.clock.nowMs(), monotonicMs: context.clock.monotonicMs() };
    const problems: string[] = [];
    const wanted: SideToTake[] = [];
    for (const { side } of others) {
      const one = sideToTake(side, this.#heard.ageMs(side.constellation, side.heardMs, now));
      if (!("why" in one)) wanted.push(one);
    }
    const state = JSON.stringify([lookedAnew(), wanted]);
    const last = this.#taken.get(repository);
    if (last?.state === state && now.monotonicMs - last.atMs < againMs) return null;
    let taken = await objects.take(repository, wanted);
    if (taken === undefined) return null;
    const bundled = new Map<string, string>();
    for (const { ref } of taken.filter(isLacking)) {
      const coming = others.find(({ side }) => side.ref === ref && side.route === "bundle");
      const bundle = await coming?.source.bundle(repository, coming.side, sideLimits.bundleBytes);
      if (bundle !== undefined) bundled.set(ref, Buffer.from(bundle).toString("base64"));
    }
    if (bundled.size > 0) {
      const again = wanted.map((one) => {
        const bundle = bundled.get(one.ref);
        return bundle === undefined ? one : { ...one, bundle };
      });
      taken = (await objects.take(repository, again)) ?? [];
    }
    for (const one of taken) {
      const label = wanted.find(({ ref }) => ref === one.ref)?.label ?? one.ref;
      if (one.kind !== "taken") problems.push(`${label} was not compared: ${one.why}`);
    }
    // What did not come whole is asked for again in the next round.
    if (taken.every(({ kind }) => kind !== "lacking")) this.#taken.set(repository, { state, atMs: now.monotonicMs });
    return problems.length === 0 ? null : problems.slice(0, 3).join("; ");
  }
}

const isLacking = ({ kind }: TakenSide): boolean => kind === "lacking";

interface Coming {
  readonly side: OthersSide;
  readonly source: SideSource;
}

interface Sending {
  readonly side: OwnSide;
  readonly key: string;
  readonly ref: string;
  readonly words: PublishedSide["words"];
  readonly before: SharedSidesTable | undefined;
}

function asPublished({ key, ref, words }: Sending, before: SharedSidesTable | undefined): PublishedSide {
  const route = (before?.route ?? "nowhere") as SideRoute;
  return { key, ref, commit: before?.commit_id ?? null, route, detail: before?.detail ?? null, words };
}

/** A ref that is to go: its name is kept until it has gone. */
function asKept({ key, ref, branch, agent, task, machine }: SharedSidesTable): PublishedSide {
  const words = { branch, agent, task, machine };
  return { key, ref, commit: null, route: "origin", detail: "it is being taken away", words };
}
