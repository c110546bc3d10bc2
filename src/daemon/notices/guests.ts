// The sessions that people started themselves, as their hooks registered them: `state/guests/<agent>.json`.

import { listTrusted, readTrusted } from "../../files/trusted-files.ts";
import type { Guest } from "../../core/notices/scene.ts";
import { realPathOf } from "./real-path.ts";
import { inHome } from "../../settings/paths.ts";

export function readGuests(home: string): Guest[] {
  return listTrusted(home, inHome.guests).flatMap((name): Guest[] => {
    const agent = /^(agentg[a-z0-9]{1,31})\.json$/.exec(name)?.[1];
    if (agent === undefined) return [];
    try {
      const given = JSON.parse(readTrusted(home, `${inHome.guests}/${name}`)?.toString() ?? "") as {
        runtime?: unknown;
        cwd?: unknown;
      } | null;
      const { runtime, cwd } = given ?? {};
      return typeof runtime === "string" && typeof cwd === "string" ? [{ agent, runtime, cwd: realPathOf(cwd) }] : [];
    } catch {
      return []; // being written, or gone in between
    }
  });
}
