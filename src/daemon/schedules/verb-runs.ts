// Verbs of schedules, each in a process of its own that outlives the daemon. Its mark, `state/firings/<name>.json`, is made by the
// process itself and cannot be made twice, so a verb runs once however often it is begun; how it ended is written there too.

import { join } from "node:path";
import { listTrusted, readTrusted, removeTrusted } from "../../files/trusted-files.ts";
import { markOf, systemLiveness } from "../../host/process/liveness.ts";
import { ownCommand, ownEnvironment } from "../../host/process/own-command.ts";
import type { ProcessMark } from "../../ports/machine.ts";
import type { VerbLook, VerbRuns } from "../../ports/schedules.ts";
import { type FiringMark, firingName, readMark } from "../../protocol/firing-mark.ts";
import { readEnv } from "../../settings/env.ts";
import { inHome } from "../../settings/paths.ts";
import type { Settings } from "../../settings/settings.ts";

export interface OwnVerbs extends VerbRuns {
  /** The processes that this daemon started for schedules: what they ask is asked for the owner, who made the schedule. */
  processes(): readonly ProcessMark[];
}

export function verbRuns({ home, root }: Pick<Settings, "home" | "root">): OwnVerbs {
  const started = new Map<string, ProcessMark>();
  /** Begun by this daemon and not seen yet: its mark takes a moment. */
  const begun = new Map<string, Bun.Subprocess>();
  const markLeft = (key: string): FiringMark | undefined => {
    const text = readTrusted(home, join(inHome.firings, `${firingName(key)}.json`))?.toString("utf8");
    return text === undefined ? undefined : readMark(text);
  };
  return {
    begin(key, words) {
      if (markLeft(key) !== undefined || begun.get(key)?.exitCode === null) return;
      const { CONSTEL_AGENT: _, AGENT_N: __, ...env } = ownEnvironment(readEnv());
      const command = [...ownCommand(), "firing", key, "--home", home, "--root", root, "--", ...words];
      const child = Bun.spawn(command, {
        cwd: root,
        env,
        stdin: "ignore",
        stdout: "ignore",
        stderr: "ignore",
        detached: true,
      });
      child.unref();
      begun.set(key, child);
      const mark = markOf(child.pid);
      if (mark !== undefined) started.set(key, mark);
    },
    look(key): VerbLook {
      const mark = markLeft(key);
      if (mark === undefined) return { state: begun.get(key)?.exitCode === null ? "running" : "none" };
      begun.delete(key);
      if (mark.exit !== undefined) return { state: "ended", exit: mark.exit, says: mark.says ?? "" };
      return { state: systemLiveness.isProvenDead(mark) ? "lost" : "running" };
    },
    end(key) {
      const mark = markLeft(key);
      if (mark === undefined || mark.exit !== undefined || systemLiveness.isProvenDead(mark)) return;
      try {
        process.kill(mark.pid, "SIGTERM");
      } catch {
        // it has just ended
      }
    },
    sweep(open) {
      const kept = new Set(open.map((key) => `${firingName(key)}.json`));
      for (const name of listTrusted(home, inHome.firings).filter((one) => !kept.has(one))) {
        const mark = readMark(readTrusted(home, join(inHome.firings, name))?.toString("utf8") ?? "");
        const isOver = mark === undefined || mark.exit !== undefined || systemLiveness.isProvenDead(mark);
        if (isOver) removeTrusted(home, join(inHome.firings, name));
      }
    },
    processes: () => [...started.values()],
    forget(key) {
      begun.delete(key);
      started.delete(key);
      removeTrusted(home, join(inHome.firings, `${firingName(key)}.json`));
    },
  };
}
