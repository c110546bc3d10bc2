// `state/owned/<pid>.json`: processes that the owner's own commands or the ticker started and let go of (a restart outlives the tick that
// began it). Nothing leads from them to the owner any more, so constel notes them, sealed.

import { listTrusted, readTrusted, removeTrusted, writeTrusted } from "../../files/trusted-files.ts";
import type { Liveness, ProcessMark } from "../../ports/machine.ts";
import { inHome } from "../../settings/paths.ts";
import type { IsGenuine, Seal } from "./launch-files.ts";

/** Those that have ended are forgotten on the way. */
export function noteOwned(home: string, started: ProcessMark, seal: Seal, liveness: Liveness): void {
  for (const [name, mark] of listOwned(home, () => true))
    if (mark === undefined || liveness.isProvenDead(mark)) removeTrusted(home, `${inHome.owned}/${name}`);
  const { pid, token } = started;
  writeTrusted(home, `${inHome.owned}/${pid}.json`, `${seal(JSON.stringify({ pid, token }))}\n`);
}

export function readOwned(home: string, isGenuine: IsGenuine): readonly ProcessMark[] {
  return listOwned(home, isGenuine).flatMap(([, mark]) => mark ?? []);
}

function listOwned(home: string, isGenuine: IsGenuine): (readonly [string, ProcessMark | undefined])[] {
  return listTrusted(home, inHome.owned).map((name) => {
    const text = readTrusted(home, `${inHome.owned}/${name}`)?.toString("utf8").trim() ?? "";
    return [name, isGenuine(text) ? parse(text) : undefined] as const;
  });
}

function parse(text: string): ProcessMark | undefined {
  try {
    const { pid, token } = JSON.parse(text) as Partial<ProcessMark>;
    return typeof pid === "number" && typeof token === "string" ? { pid, token } : undefined;
  } catch {
    return undefined;
  }
}
