// The daemon: running, or cleanly not running.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { inHome } from "../../settings/paths.ts";
import { removeTrusted } from "../../files/trusted-files.ts";
import { messageOf, Refusal } from "../../protocol/errors.ts";
import { counted } from "../../protocol/counted.ts";
import { type SensingState, totals, uncheckedName } from "../../protocol/sensing-state.ts";
import { lastDaemonFailure } from "../daemon-failure.ts";
import type { Check, CheckResult } from "./check.ts";

export const daemonChecks: readonly Check[] = [
  {
    code: "daemon",
    async look({ home, daemonNow, daemonIsOlder, daemonProblems, daemonSensing, daemonLockHeld }) {
      const seen = await daemonNow();
      if (seen === "out of reach") {
        return [
          {
            code: "daemon",
            state: "broken",
            saw: "it cannot be reached from here, so whether it runs is not known",
            means: "A sandbox, or the rights of this account, keep this command from the daemon's socket.",
            mend: "Run `constel doctor` outside of the sandbox.",
          },
        ];
      }
      if (seen === "answers") {
        const beside = [...((await daemonIsOlder()) ? [older] : []), ...sight(await daemonSensing())];
        const problems = await daemonProblems();
        if (problems.length === 0) return [{ code: "daemon", state: "well", saw: "it answers" }, ...beside];
        const failing = problems.map(({ loop, problem }): CheckResult => ({
          code: "daemon",
          state: "broken",
          saw: `it answers, but its loop ${loop} fails: ${problem}`,
          means:
            loop === "observe"
              ? "Repositories are not looked at: no collision is foreseen."
              : "That part is not working.",
          mend: "Look at `constel daemon logs`; after `constel daemon stop` the next command starts it again.",
        }));
        return [...failing, ...beside];
      }
      if (daemonLockHeld()) {
        return [
          {
            code: "daemon",
            state: "broken",
            saw: "a process holds the daemon's lock but does not answer",
            means: "It is starting or stopping, or it hangs.",
            mend: "Look at `constel daemon logs`; if that does not change, `constel daemon stop` ends it, and the next command starts it again.",
          },
        ];
      }
      const stale = [inHome.socket, inHome.daemonInfo].filter(
        (name) => lstatSync(join(home, name), { throwIfNoEntry: false }) !== undefined,
      );
      const failure = lastDaemonFailure(home);
      if (failure !== undefined) {
        return [
          {
            code: "daemon",
            state: "broken",
            saw: `it is not running, and could not when it was last started: ${messageOf(failure)}`,
            means: "What needs it does not work: no collision is foreseen, no task is given out, nobody is woken.",
            mend: failure instanceof Refusal ? failure.hint : "Fix what it names, then run `constel daemon start`.",
          },
        ];
      }
      if (stale.length === 0)
        return [{ code: "daemon", state: "well", saw: "it is not running; it starts when it is needed" }];
      return [
        {
          code: "daemon",
          state: "note",
          saw: `leftovers of a daemon that was killed: ${stale.join(", ")}`,
          means: "Harmless: the next start replaces them.",
          mend: "Nothing to do; `constel doctor --fix` removes them.",
          fix() {
            for (const name of stale) removeTrusted(home, name);
            return `removed ${stale.join(", ")}`;
          },
        },
      ];
    },
  },
];

const older: CheckResult = {
  code: "daemon.sources",
  state: "note",
  saw: "constel's own sources were changed since the daemon began",
  means: "It goes on with what it has loaded, and loads the rest from what is there now.",
  mend: "`constel daemon stop`; the next command starts it from what is there now. Agents go on.",
};

/** What ran over its budget, each by itself: silence about it proves nothing. */
function unchecked(sensing: SensingState | undefined): CheckResult[] {
  return (sensing?.unchecked ?? []).map((one) => ({
    code: "sense.unchecked",
    state: "broken",
    saw: `${uncheckedName(one)} is not checked: ${one.why}`,
    means: "Collisions that only show there are not found. Everything else is looked at.",
    mend: "Make it simpler, or give it more: `constel config set sense.hold_seconds …`, `sense.memory_mb …`.",
  }));
}

const sight = (sensing: SensingState | undefined): CheckResult[] => [...unchecked(sensing), ...watches(sensing)];

/** How changes in worktrees are heard of. */
function watches(sensing: SensingState | undefined): CheckResult[] {
  if (sensing === undefined || sensing.repositories.length === 0) return [];
  const { watched, polled, poll_ms: everyMs } = totals(sensing);
  const { used, most } = sensing.watches;
  const code = "sense.watches";
  const saw = `${counted(watched, "worktree")} watched, with ${used} of at most ${most} watches; ${polled} polled`;
  if (polled === 0 || everyMs === null) return [{ code, state: "well", saw }];
  return [
    {
      code,
      state: "note",
      saw: `${saw}, each every ${Math.ceil(everyMs / 1000)} s or sooner`,
      means: "An edit that no agent's hook tells of is seen that much later there.",
      mend: "Nothing to do. For more watches: `constel config set sense.watches …`, up to a twentieth of the system's fs.inotify.max_user_watches.",
    },
  ];
}
