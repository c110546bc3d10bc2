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
    async look({ home, daemonNow, daemonIsForeign, daemonProblems, daemonSensing, daemonOpen, daemonLockHeld }) {
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
      if (seen === "outdated") return [outdated];
      if (seen === "answers") {
        const foreign = await daemonIsForeign();
        if (foreign !== undefined) return [otherInstallation(foreign)];
        const sensing = await daemonSensing();
        // Without a repository nothing was compared.
        const open = sensing === undefined || sensing.repositories.length === 0 ? [] : await daemonOpen();
        const beside = [...sight(sensing), ...incomplete(open)];
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

const outdated: CheckResult = {
  code: "daemon.build",
  state: "note",
  saw: "it is from before an update of constel",
  means: "The next command that needs it replaces it. Agents, messages and whoever waits go on.",
  mend: "Nothing to do; `constel daemon start` does it now.",
};

const otherInstallation = (place: string): CheckResult => ({
  code: "daemon.build",
  state: "broken",
  saw: `it is another build of constel, started from ${place}`,
  means: "Two installations share this home. Commands of this one change nothing while that daemon runs.",
  mend: "`constel daemon stop` lets the next command start this build; or use the program that daemon was started from.",
});

/** Lists what ran over its budget, each by itself: silence about it proves nothing. */
function unchecked(sensing: SensingState | undefined): CheckResult[] {
  return (sensing?.unchecked ?? []).map((one) => ({
    code: "sense.unchecked",
    state: "broken",
    saw: `${uncheckedName(one)} is not checked: ${one.why}`,
    means: "Collisions that only show there are not found. Everything else is looked at.",
    mend: "Make it simpler, or give it more: `constel config set sense.hold_seconds …`, `sense.memory_mb …`.",
  }));
}

/** Collisions that nobody looked for are no silence: what a comparison was not asked stands beside what is well. */
function incomplete(open: readonly string[]): CheckResult[] {
  const [first] = open;
  if (first === undefined) return [];
  const more = open.length === 1 ? "" : ` (and ${open.length - 1} more)`;
  return [
    {
      code: "sense.incomplete",
      state: "note",
      saw: `not everything was compared: ${first}${more}`,
      means: "Collisions that only show there are not found. Everything else is looked at.",
      mend: "`constel conflicts` names each with its reason.",
    },
  ];
}

const sight = (sensing: SensingState | undefined): CheckResult[] => [...unchecked(sensing), ...watches(sensing)];

/** Says how the daemon hears of changes in worktrees. */
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
      mend: "Nothing to do. For more watches: `constel config set sense.watches …`, up to a quarter of the system's fs.inotify.max_user_watches.",
    },
  ];
}
