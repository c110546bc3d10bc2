// The daemon: running, or cleanly not running.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { inHome } from "../../settings/paths.ts";
import { removeTrusted } from "../../files/trusted-files.ts";
import type { Check } from "./check.ts";

export const daemonChecks: readonly Check[] = [
  {
    code: "daemon",
    async look({ home, daemonAnswers, daemonProblems, daemonLockHeld }) {
      if (await daemonAnswers()) {
        const problems = await daemonProblems();
        if (problems.length === 0) return [{ code: "daemon", state: "well", saw: "it answers" }];
        return problems.map(({ loop, problem }) => ({
          code: "daemon",
          state: "broken",
          saw: `it answers, but its loop ${loop} fails: ${problem}`,
          means:
            loop === "observe"
              ? "Repositories are not looked at: no collision is foreseen."
              : "That part stands still.",
          mend: "Look at `constel daemon logs`; `constel daemon stop` and the next command start it anew.",
        }));
      }
      if (daemonLockHeld()) {
        return [
          {
            code: "daemon",
            state: "broken",
            saw: "a process holds the daemon's lock but does not answer",
            means: "It is starting or stopping, or it hangs.",
            mend: "Look at `constel daemon logs`; if it stays so, end the process named in state/daemon.json.",
          },
        ];
      }
      const stale = [inHome.socket, inHome.daemonInfo].filter(
        (name) => lstatSync(join(home, name), { throwIfNoEntry: false }) !== undefined,
      );
      if (stale.length === 0)
        return [{ code: "daemon", state: "well", saw: "it does not run; it starts when it is needed" }];
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
