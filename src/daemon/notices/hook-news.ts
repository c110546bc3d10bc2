// What agents' hooks left since the last look that matters for notices: which items they told, and which files were edited. What
// was said before the daemon came is past, unless a hook took an item up whose record is still to be found.

import { isAbsolute, join } from "node:path";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { isSealed, sealedBy } from "../../host/keys/seals.ts";
import { inHome } from "../../settings/paths.ts";
import { realPathOf } from "./real-path.ts";

export interface HookNews {
  readonly agent: string;
  readonly event: string;
  readonly atMs: number;
  readonly told: readonly string[];
  /** An absolute path. */
  readonly edited?: string;
}

const mostBytes = 1024 * 1024;
/** Reading a file is a tool call too, and makes nobody a worker. */
const editing = /edit|write|patch|replace|create|delete|move/i;

export class HookNewsReader {
  readonly #home: string;
  /** By the file itself, whatever it is called: one that is set aside keeps its place. */
  #offsets: ReadonlyMap<number, number> | undefined;
  readonly #awaits: (agent: string) => boolean;

  /** `awaits`: whether a record of the agent's may be in its file from before. */
  constructor(home: string, awaits: (agent: string) => boolean) {
    this.#home = home;
    this.#awaits = awaits;
  }

  read(): HookNews[] {
    using directory = TrustedDirectory.open(this.#home, inHome.hooks, { create: true });
    const news: HookNews[] = [];
    const offsets = new Map<number, number>();
    // Those set aside (`agent1.1.jsonl`) first: somebody may have been about to write to one.
    for (const name of directory.list().sort()) {
      const agent = /^(agent[a-z0-9]{1,32})(?:\.1)?\.jsonl$/.exec(name)?.[1];
      if (agent === undefined) continue;
      const { size, ino } = directory.stat(name) ?? { size: 0, ino: 0 };
      const isPast = this.#offsets === undefined && !this.#awaits(agent);
      let from = this.#offsets?.get(ino) ?? (isPast ? size : 0);
      if (from > size) from = 0; // another file in its place
      while (from < size) {
        const bytes = directory.readFrom(name, from, mostBytes);
        const end = bytes.lastIndexOf(0x0a) + 1;
        if (bytes.length === 0 || (end === 0 && bytes.length < mostBytes)) break;
        for (const line of bytes.subarray(0, end).toString("utf8").split("\n")) {
          const one = newsIn(agent, line, this.#home);
          if (one !== undefined) news.push(one);
        }
        from += end === 0 ? bytes.length : end;
        if (bytes.length < mostBytes) break;
      }
      offsets.set(ino, from);
    }
    this.#offsets = offsets;
    return news;
  }
}

function newsIn(agent: string, line: string, home: string): HookNews | undefined {
  // Most lines are of no interest, and parsing is what costs.
  if (!line.includes('"told"') && !line.includes('"tool-ended"')) return undefined;
  let record: Readonly<Record<string, unknown>>;
  try {
    record = JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined; // half a line of a process that died
  }
  const { event, at, told, tool, file, cwd } = record;
  if (typeof event !== "string" || typeof at !== "number" || !Number.isFinite(at)) return undefined;
  const isOwn = Array.isArray(told) && (!isSealed(home, agent) || sealedBy(home, line, [agent]) !== undefined);
  // Whoever has a key seals its lines: one without is somebody else's, and proves nothing.
  const ids = isOwn ? told.filter((id) => typeof id === "string").slice(0, 100) : [];
  const isEdit = event === "tool-ended" && typeof file === "string" && (typeof tool !== "string" || editing.test(tool));
  const path = !isEdit ? undefined : isAbsolute(file) ? file : typeof cwd === "string" ? join(cwd, file) : undefined;
  if (ids.length === 0 && path === undefined) return undefined;
  return {
    agent,
    event: event.slice(0, 50),
    atMs: Math.floor(at),
    told: ids,
    ...(path === undefined ? {} : { edited: realPathOf(path) }),
  };
}
