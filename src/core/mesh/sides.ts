// Work that owners share, over the mesh: each constellation tells its peers what it shares, and a root passes on to each sibling what the others told it,
// because siblings have no line to each other. Objects come from the origin; where it takes none, they are asked for (side-objects.ts).

import { createHash } from "node:crypto";
import { type OthersSide, sideLimits } from "../../ports/sides.ts";
import { readBody } from "../../protocol/mesh-bodies.ts";
import { rowShapes } from "../../protocol/mesh-rows.ts";
import type { MeshRowsTable } from "../../store/tables/mesh-items.ts";
import type { SharedSidesTable } from "../../store/tables/sharing.ts";
import type { Store } from "../../store/open.ts";
import { published } from "../sharing/published.ts";
import type { MeshContext, Peer } from "./mesh-context.ts";
import { saidRows } from "./mesh.sql.ts";

type Words = ReturnType<typeof readWords>;
type Known = MeshRowsTable & { readonly known_ms: number | null };

/** What a line says every ten seconds while it stands has not come for so long. */
const silentMs = 3 * 60_000;
/** Of one repository, of each peer: one that says more keeps nobody else's work from being known. */
const mostOfOne = sideLimits.own;

const readWords = (data: string) => readBody(rowShapes.side, JSON.parse(data));

/** All that is said of one repository begins so. */
const keysOf = (repository: string): string => `${createHash("sha256").update(repository).digest("hex").slice(0, 16)} `;

const ofRepository = (repository: string) => ({ subject: "side", begins: keysOf(repository), mostOfOne });

export interface SideRow {
  readonly subject: "side";
  readonly key: string;
  readonly data: Words;
}

/** All that a peer may be told of one repository. Looked up once for all peers. */
export interface SharedWork {
  readonly repository: string;
  readonly own: readonly Words[];
  /** As a root passes them on: what siblings told us of themselves. */
  readonly ofSiblings: readonly Words[];
}

export async function sharedWork({ store, clock, constellation }: MeshContext): Promise<SharedWork[]> {
  const work: SharedWork[] = [];
  for (const { repository, sides } of await published(store)) {
    const own = sides.map(wordsOf);
    const refs = new Set(own.map(({ ref }) => ref));
    const theirs = await ofSiblings(store.db, constellation, repository, clock.nowMs());
    work.push({ repository, own, ofSiblings: theirs.filter(({ ref }) => !refs.has(ref)) });
  }
  return work;
}

/** What a peer is told of the work that is shared here, and by a root, of what its other siblings share. */
export const sidesToTell = (work: readonly SharedWork[], to: Peer): SideRow[] =>
  work.flatMap(({ repository, own, ofSiblings: theirs }) => {
    const passedOn = to.is === "root" ? [] : theirs.filter(({ of }) => of !== to.peer);
    return [...own, ...passedOn].map((data): SideRow => {
      const of = data.of === null ? "" : ` ${data.of}`;
      return { subject: "side", key: `${keysOf(repository)}${data.key}${of}`, data };
    });
  });

function wordsOf(row: SharedSidesTable): Words {
  const { repository, key, ref, commit_id: commit, route, detail, branch, agent, task, machine } = row;
  return {
    repository,
    key,
    ref,
    commit,
    route: route as Words["route"],
    detail: detail?.slice(0, 500) ?? null,
    branch: branch?.slice(0, 1_000) ?? null,
    agent,
    task: task?.slice(0, 400) ?? null,
    machine,
    of: null,
    silent_since_ms: null,
  };
}

async function ofSiblings(
  db: MeshContext["store"]["db"],
  constellation: string,
  repository: string,
  nowMs: number,
): Promise<Words[]> {
  const said = await saidRows(db, constellation, ofRepository(repository));
  return said.flatMap((row) => {
    const words = readWords(row.data);
    // What was passed on to us is not passed on again.
    if (words.of !== null || words.repository !== repository) return [];
    const knownMs = row.known_ms ?? row.heard_ms;
    return [{ ...words, of: row.peer, silent_since_ms: nowMs - knownMs > silentMs ? knownMs : null }];
  });
}

/** A side that a root passed on is named by both. No peer's name holds a space. */
const passedOnBy = " by ";
const nameOf = (teller: string, of: string | null): string => (of === null ? teller : `${of}${passedOnBy}${teller}`);
export const isOfItself = (name: string): boolean => !name.includes(passedOnBy);
/** The peer to which we have a line. */
export const tellerOf = (name: string): string => name.split(passedOnBy).at(-1) ?? name;

/** What peers told us of one repository; what they passed on comes after what they said of themselves. */
export async function sidesOverMesh(
  { db, constellation }: Pick<Store, "db" | "constellation">,
  repository: string,
  most: number,
): Promise<OthersSide[]> {
  const said = await saidRows(db, constellation, ofRepository(repository));
  const sides = said.flatMap((row) => {
    const words = readWords(row.data);
    return words.repository === repository ? [asSide(row, words)] : [];
  });
  const own = sides.filter((side) => isOfItself(side.constellation));
  return [...own, ...sides.filter((side) => !own.includes(side))].slice(0, most);
}

function asSide(row: Known, data: Words): OthersSide {
  const { key, ref, commit, route, detail, branch, agent, task, machine, of, silent_since_ms: silent } = data;
  const heardMs = silent ?? row.known_ms ?? row.heard_ms;
  const words = { branch, agent, task, machine };
  return { constellation: nameOf(row.peer, of), key, ref, commit, route, detail, words, atMs: row.heard_ms, heardMs };
}
