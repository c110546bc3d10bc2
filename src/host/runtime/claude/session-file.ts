// Reads what a running Claude Code says about itself in `<config>/sessions/<pid>.json`. The file is not documented, so it settles what hooks
// cannot know (a dialog answered, Esc pressed) and proves nothing. It outlives a killed program: the pid is checked.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Evidence, type HookRecord, idleWithShell, type LiveSession } from "../../../ports/runtime.ts";
import { asNumber, asText, bytesFrom, parseObject } from "../json-lines.ts";
import { isAlive } from "../alive.ts";
import { configHome } from "./transcript.ts";

/** `gone`: its file is there and its process is not. */
export function ownWord(
  session: LiveSession,
  hooks: readonly HookRecord[],
  env: Readonly<Record<string, string>>,
): NonNullable<Evidence["own"]> | "gone" | undefined {
  // Its numbers of processes are those of its sandbox, and say nothing here.
  if (session.launch.ownFiles !== undefined) return undefined;
  const wanted = new Set(hooks.map((hook) => hook.session));
  for (const id of [session.sessionId, session.launch.sessionId, session.launch.resume])
    if (id !== undefined) wanted.add(id);
  let gone = false;
  for (const name of sessionFiles(join(configHome(env), "sessions"))) {
    const file = parseObject(bytesFrom(name, 0).toString("utf8"));
    const pid = asNumber(file?.["pid"]);
    if (file === undefined || pid === 0 || asNumber(file["startedAt"]) < session.sinceMs) continue;
    if (!(session.pid === pid || wanted.has(asText(file["sessionId"]) ?? ""))) continue;
    if (!isAlive(pid)) {
      gone = true;
      continue;
    }
    const status = asText(file["status"]);
    const at = asNumber(file["statusUpdatedAt"]);
    if (status === "waiting") return { state: "waiting", says: `waits: ${asText(file["waitingFor"]) ?? "?"}`, at };
    if (status === "busy") return { state: "busy", says: "the program says it is busy", at };
    if (status === "idle") return { state: "idle", says: "the program says it is idle", at };
    if (status === "shell") return { state: "idle", says: idleWithShell, at };
  }
  return gone ? "gone" : undefined;
}

function sessionFiles(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith(".json"))
      .map((name) => join(directory, name));
  } catch {
    return []; // no session has run yet
  }
}
