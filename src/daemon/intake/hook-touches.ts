// Passes on to sensing what agents' hooks say of files: the worktree an agent works in is observed from its first word on, and an edit is
// looked at at once instead of at the next poll. Hooks only append a line and know nothing of this.

import { isAbsolute, join } from "node:path";
import { agentOfFile } from "../../protocol/agent-id.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { HookRecord } from "../../ports/runtime.ts";
import { inHome } from "../../settings/paths.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { tidyHooks } from "../agents/tidy-hooks.ts";
import type { LoopParts } from "../loops/loop-parts.ts";
import type { Round } from "../loops/react.ts";

const mostBytes = 1024 * 1024;
const tidyEveryMs = 10_000;
/** The interval between looks at files that the watch says nothing of. */
export const unwatchedEveryMs = 5_000;

export function hookTouchesLoop(parts: LoopParts): Round {
  const { settings, store, clock, random, sensing, log } = parts;
  const { home } = settings;
  const context = { store, clock, random, constellation: store.constellation, actor: "daemon" };
  const limits = { maxBytes: settings.config["logs.max_bytes"], keepDays: settings.config["logs.keep_days"] };
  const offsets = new Map<string, number>();
  const introduced = new Set<string>();
  let isFirst = true;
  let tidiedMs = -Infinity;
  /** The time when all files were last read to their end. */
  let readMs = -Infinity;

  async function passOn(agent: string, record: HookRecord): Promise<void> {
    const { cwd } = record;
    if (cwd === undefined || !isAbsolute(cwd)) return;
    if (!introduced.has(`${agent} ${cwd}`)) {
      introduced.add(`${agent} ${cwd}`);
      try {
        await sensing.add(context, { path: cwd, agent, isOwnersWord: false });
      } catch (cause) {
        if (!(cause instanceof Refusal)) throw cause; // no repository there: nothing to observe
      }
    }
    const files = record.files ?? (record.file === undefined ? [] : [record.file]);
    if (record.event !== "tool-ended" || files.length === 0) return;
    const touched = files.map((file) => (isAbsolute(file) ? file : join(cwd, file)));
    await sensing.touch(agent, { path: cwd, files: touched, wait: false });
  }

  return {
    directories: () => [join(home, inHome.hooks)],
    async round(_, isQuiet = false) {
      if (isQuiet && clock.monotonicMs() - readMs < unwatchedEveryMs) return undefined;
      readMs = -Infinity;
      let isWhole = true;
      const startedMs = clock.monotonicMs();
      using directory = TrustedDirectory.open(home, inHome.hooks, { create: true });
      // Those set aside (`agent1.1.jsonl`) first: somebody may have been about to write to one.
      for (const name of directory.list().sort()) {
        const agent = agentOfFile(name, ".1.jsonl", ".jsonl");
        if (agent === undefined) continue;
        const size = directory.stat(name)?.size ?? 0;
        // Records from before the daemon came are past: the first look at every worktree sees their edits anyway.
        const from = offsets.get(name) ?? (isFirst ? size : 0);
        const start = from > size ? 0 : from;
        const bytes = size === start ? Buffer.alloc(0) : directory.readFrom(name, start, mostBytes);
        if (bytes.length === mostBytes) isWhole = false;
        const end = bytes.lastIndexOf(0x0a) + 1;
        offsets.set(name, start + (end === 0 && bytes.length === mostBytes ? bytes.length : end));
        for (const line of bytes.subarray(0, end).toString("utf8").split("\n")) {
          const record = recordIn(line);
          if (record !== undefined)
            await passOn(agent, record).catch((cause: unknown) => log(`hook of ${agent}: ${String(cause)}`));
        }
      }
      isFirst = false;
      if (isWhole) readMs = startedMs;
      if (clock.monotonicMs() - tidiedMs >= tidyEveryMs) {
        tidyHooks(directory, offsets, { home, nowMs: clock.settledMs(), ...limits });
        tidiedMs = clock.monotonicMs();
      }
      return undefined;
    },
  };
}

function recordIn(line: string): HookRecord | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as HookRecord;
  } catch {
    return undefined; // half a line of a process that died
  }
}
