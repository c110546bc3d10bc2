// Sessions that people started themselves, one file each (`state/guests/<agent>.json`), written by the session's own hooks
// (doors/hook/guest.ts). A guest is only ever seen: nothing is wanted of it, and nothing of it is started or ended. What stands in the file
// is the session's own word, so it names no path of ours and no other process is touched because of it.

import { isGuestId } from "../../protocol/agent-id.ts";
import type { ProcessMark } from "../../ports/machine.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { absentAsUndefined } from "../../files/problems.ts";
import { removeTrusted, writeTrusted } from "../../files/trusted-files.ts";
import { inHome } from "../../settings/paths.ts";

export interface Guest {
  readonly agent: string;
  readonly runtime: string;
  /** The program's own name for the session. */
  readonly session: string;
  /** Of the agent program: its number, and what tells it from a later one. */
  readonly process: ProcessMark;
  readonly cwd: string;
  readonly startedAt: number;
  /** Nothing lay ready for it when it started: nobody knew of it then. */
  readonly isUngreeted?: boolean;
}

const longestBytes = 16 * 1024;

export function writeGuest(home: string, guest: Guest): void {
  writeTrusted(home, fileOf(guest.agent), `${JSON.stringify(guest)}\n`, { sync: false });
}

export function removeGuest(home: string, agent: string): boolean {
  return removeTrusted(home, fileOf(agent));
}

/** Every guest whose file can be read and says what it must. */
export function readGuests(home: string): readonly Guest[] {
  const found = absentAsUndefined(() => {
    using directory = TrustedDirectory.open(home, inHome.guests);
    return directory.list().flatMap((name) => guestIn(directory, name) ?? []);
  });
  return (found ?? []).sort((a, b) => a.startedAt - b.startedAt || (a.agent < b.agent ? -1 : 1));
}

function guestIn(directory: TrustedDirectory, name: string): Guest | undefined {
  const agent = name.replace(/\.json$/, "");
  if (!isGuestId(agent) || name === agent) return undefined;
  try {
    const given = JSON.parse(directory.read(name, { maxBytes: longestBytes })?.toString("utf8") ?? "") as unknown;
    return guestFrom(agent, given);
  } catch {
    return undefined; // damaged, a link, or half written by hand
  }
}

function guestFrom(agent: string, given: unknown): Guest | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const { runtime, session, process: mark, cwd, startedAt, isUngreeted } = given as Record<string, unknown>;
  if (typeof runtime !== "string" || !/^[a-z]{1,20}$/.test(runtime)) return undefined;
  if (typeof session !== "string" || session.length > 200) return undefined;
  if (typeof cwd !== "string" || !cwd.startsWith("/") || cwd.length > 4096) return undefined;
  if (typeof startedAt !== "number" || !Number.isSafeInteger(startedAt)) return undefined;
  const { pid, token } = (mark ?? {}) as Record<string, unknown>;
  if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid < 1 || typeof token !== "string") return undefined;
  const greeting = isUngreeted === true ? { isUngreeted } : {};
  return { agent, runtime, session, process: { pid, token: token.slice(0, 100) }, cwd, startedAt, ...greeting };
}

const fileOf = (agent: string): string => `${inHome.guests}/${agent}.json`;
