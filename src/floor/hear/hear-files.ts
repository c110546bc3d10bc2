// Holds what each agent is to hear next, one file an agent (`state/hear/<agent>/next.json`), written by two: notices about findings, and
// messages to sessions that have no other way in. Each replaces its own part and leaves the other's. Only the daemon writes, so reading and
// replacing need no lock; hooks read (doors/hook/) and make the told marks beside it. It can all be made again, so nothing is synced.
//
// Whoever can write to the home could lay words there that an agent would take for constel's. So the file names its agent and carries
// constel's seal; what has none, or is another agent's, is nothing to say, and is written anew.

import { hearItem, isHearFor, longestHearBytes, parseHear } from "../../protocol/hear.ts";
import type { Hear, HearItem } from "../../protocol/hear.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { createTrusted, listTrusted, removeTrusted } from "../../files/trusted-files.ts";
import type { HearDesk } from "../../ports/hear-desk.ts";
import { absentAsUndefined } from "../../files/problems.ts";
import type { SealedHome } from "../../ports/keys.ts";
import { inHome } from "../../settings/paths.ts";
import { agentOfFile, isAgentId } from "../../protocol/agent-id.ts";

/** The writer of the items: each part writes its own and leaves the other as it is. */
export type HearPart = "notices" | "messages";

/** In a directory of its agent's own, which is all of this that a confined agent sees: the file itself is replaced each time. */
const placeOf = (agent: string): string => `${inHome.hear}/${agent}`;
const fileName = "next.json";
const marksOf = (agent: string): string => `${agent}.told`;

export function readHear(place: SealedHome, agent: string): Hear | undefined {
  const text = textOf(place, agent);
  return text === undefined ? undefined : parseHear(text);
}

/** The items of one part. */
export function readHearPart(place: SealedHome, agent: string, part: HearPart): readonly HearItem[] {
  return partsIn(textOf(place, agent))[part];
}

/**
 * Replaces one part. `join` replaces the join packet; left out, it stays; null takes it away. The file is gone when nothing is left,
 * and is not touched when nothing changes.
 */
export function writeHear(
  place: SealedHome,
  agent: string,
  part: HearPart,
  items: readonly HearItem[],
  join?: string | null,
): void {
  const before = textOf(place, agent);
  const parts = { ...partsIn(before), [part]: items };
  const packet =
    join === undefined ? (before === undefined ? undefined : parseHear(before)?.join) : (join ?? undefined);
  const kept = [
    ...parts.notices.map((item) => ({ ...item, part: "notices" })),
    ...parts.messages.map((item) => ({ ...item, part: "messages" })),
  ];
  const after =
    kept.length === 0 && packet === undefined
      ? undefined
      : `${place.seal(JSON.stringify({ version: 1, for: agent, ...(packet === undefined ? {} : { join: packet }), items: kept }))}\n`;
  if (after === undefined) {
    absentAsUndefined(() => {
      using directory = TrustedDirectory.open(place.home, placeOf(agent));
      directory.remove(fileName);
    });
    return;
  }
  if (after === before) return;
  using directory = TrustedDirectory.open(place.home, placeOf(agent), { create: true });
  directory.write(fileName, after, { sync: false });
}

export interface ToldMark {
  readonly id: string;
  readonly atMs: number;
}

/** Items whose mark a hook has made: it printed them, or died before it could. */
export function toldMarks(home: string, agent: string): readonly ToldMark[] {
  const found = absentAsUndefined(() => {
    using marks = TrustedDirectory.open(home, `${inHome.hear}/${marksOf(agent)}`);
    return marks.list().map((id) => ({ id, atMs: marks.stat(id)?.mtimeMs ?? 0 }));
  });
  return (found ?? []).sort((a, b) => a.atMs - b.atMs);
}

/** After its item is gone, or is offered under another id. */
export function removeToldMarks(home: string, agent: string, ids: readonly string[]): void {
  if (ids.length === 0) return;
  absentAsUndefined(() => {
    using marks = TrustedDirectory.open(home, `${inHome.hear}/${marksOf(agent)}`);
    for (const id of ids) marks.remove(id);
  });
}

/** Undefined when there is none that is constel's. */
function textOf(place: SealedHome, agent: string): string | undefined {
  const text = absentAsUndefined(() => {
    using directory = TrustedDirectory.open(place.home, placeOf(agent));
    return directory.read(fileName, { maxBytes: longestHearBytes })?.toString("utf8");
  });
  return text !== undefined && isHearFor(agent, text) && place.isGenuine(text.trim()) ? text : undefined;
}

function partsIn(text: string | undefined): Record<HearPart, readonly HearItem[]> {
  const parts: Record<HearPart, HearItem[]> = { notices: [], messages: [] };
  if (text === undefined) return parts;
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return parts; // damaged: both parts are written anew
  }
  const items = (given as { items?: unknown } | null)?.items;
  for (const one of Array.isArray(items) ? (items as unknown[]) : []) {
    const item = hearItem(one);
    if (item === undefined) continue;
    parts[(one as { part?: unknown }).part === "messages" ? "messages" : "notices"].push(item);
  }
  return parts;
}

const plainName = /^[A-Za-z0-9_-]{1,100}$/;

/** The notices' part, written only when it differs, and the marks beside it. */
export class HearFiles implements HearDesk {
  readonly #sealed: SealedHome;
  /** The content that lies there, by agent; read once from the disk, where another daemon may have left it. */
  #lies: Map<string, string> | undefined;

  constructor(sealed: SealedHome) {
    this.#sealed = sealed;
  }

  marks(agent: string): ReadonlyMap<string, number> {
    const marks = new Map<string, number>();
    const place = this.#marksOf(agent);
    const names = listTrusted(this.#sealed.home, place);
    if (names.length === 0) return marks;
    using directory = TrustedDirectory.open(this.#sealed.home, place);
    for (const name of names) {
      const stat = plainName.test(name) ? directory.stat(name) : undefined;
      if (stat !== undefined) marks.set(name, stat.mtimeMs);
    }
    return marks;
  }

  marked(): ReadonlySet<string> {
    const names = listTrusted(this.#sealed.home, inHome.hear);
    return new Set(names.flatMap((name) => agentOfFile(name, ".told") ?? []));
  }

  claim(agent: string, item: string): boolean {
    return createTrusted(this.#sealed.home, `${this.#marksOf(agent)}/${item}`, "daemon");
  }

  forget(agent: string, item: string): void {
    removeTrusted(this.#sealed.home, `${this.#marksOf(agent)}/${item}`);
  }

  lay(agent: string, hear: Hear | undefined): void {
    const lies = (this.#lies ??= this.#read());
    // Under another key, what lies there is nobody's.
    const text = hear === undefined ? undefined : this.#sealed.seal(JSON.stringify(hear));
    if (lies.get(agent) === text) return;
    writeHear(this.#sealed, agent, "notices", hear?.items ?? [], hear?.join ?? null);
    if (text === undefined) lies.delete(agent);
    else lies.set(agent, text);
  }

  laid(): readonly string[] {
    return [...(this.#lies ??= this.#read()).keys()];
  }

  /** Files left by another daemon may differ from the next ones in form alone: then they are written once more. */
  #read(): Map<string, string> {
    const names = listTrusted(this.#sealed.home, inHome.hear);
    return new Map(names.filter(isAgentId).map((agent) => [agent, ""]));
  }

  #marksOf(agent: string): string {
    return `${inHome.hear}/${agent}.told`;
  }
}
