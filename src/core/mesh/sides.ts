// Work that owners share, over the mesh: each constellation tells its peers what it shares, and a root passes on to each sibling what the others told it,
// because siblings have no line to each other. Objects come from the origin; where it takes none, they are asked for (side-objects.ts).

import { createHash } from "node:crypto";
import type { OthersSide } from "../../ports/sides.ts";
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
/** Of one repository, of all siblings. */
const mostPassedOn = 100;

const readWords = (data: string) => readBody(rowShapes.side, JSON.parse(data));

/** All that is said of one repository begins so. */
const keysOf = (repository: string): string => `${createHash("sha256").update(repository).digest("hex").slice(0, 16)} `;

export interface SideRow {
  readonly subject: "side";
  readonly key: string;
  readonly data: Words;
}

/** What a peer is told of the work that is shared here, and by a root, of what its other siblings share. */
export async function sidesToTell({ store, clock, constellation }: MeshContext, to: Peer): Promise<SideRow[]> {
  const rows: SideRow[] = [];
  for (const { repository, sides } of await published(store)) {
    const own = sides.map(wordsOf);
    const refs = new Set(own.map(({ ref }) => ref));
    const passedOn =
      to.is === "root" ? [] : await ofOthers(store.db, constellation, { repository, to, nowMs: clock.nowMs() });
    for (const data of [...own, ...passedOn.filter(({ ref }) => !refs.has(ref))]) {
      const of = data.of === null ? "" : ` ${data.of}`;
      rows.push({ subject: "side", key: `${keysOf(repository)}${data.key}${of}`, data });
    }
  }
  return rows;
}

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

async function ofOthers(
  db: MeshContext["store"]["db"],
  constellation: string,
  { repository, to, nowMs }: { readonly repository: string; readonly to: Peer; readonly nowMs: number },
): Promise<Words[]> {
  const said = await saidRows(db, constellation, { subject: "side", begins: keysOf(repository), most: mostPassedOn });
  return said.flatMap((row) => {
    const words = readWords(row.data);
    // What was passed on to us is not passed on again.
    if (row.peer === to.peer || words.of !== null || words.repository !== repository) return [];
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
  const said = await saidRows(db, constellation, { subject: "side", begins: keysOf(repository), most: 2 * most });
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
