// Confines agents' programs with sandbox-exec, on macOS. Nobody of ours has tried it on a Mac: so it is tried there, at each start, that a
// hidden file cannot be read and a named one can, and where that fails the start is refused.

import type { Confinement } from "../../ports/confinement.ts";
import { messageOf } from "../../protocol/errors.ts";
import type { Shown } from "./bubblewrap-arguments.ts";
import { type BubblewrapOptions, linkedHome, shownTo } from "./bubblewrap.ts";
import { sandboxProfile } from "./sandbox-profile.ts";

const program = "/usr/bin/sandbox-exec";
const probeMs = 10_000;
/** Besides those that every system has. */
const sharedPlaces = ["/Users", "/private/tmp", "/private/var/tmp", "/private/var/folders", "/private/var/run"];

export function sandboxExec(options: BubblewrapOptions): Confinement {
  let works: Promise<string | undefined> | undefined;
  return {
    problem: async (home) => linkedHome(home) ?? (await (works ??= tryIt(options))),
    command(plan, argv) {
      const shown = shownTo({ ...plan, hides: [...plan.hides, ...sharedPlaces] }, options.self);
      // Nothing is laid over anything, so what is temporary goes among the agent's own files.
      const own = shown.writes.find((path) => path.includes("/state/runtime/")) ?? shown.cwd;
      const set = Object.entries({ ...shown.set, TMPDIR: own }).map(([name, value]) => `${name}=${value}`);
      const environment = ["/usr/bin/env", ...shown.unset.flatMap((name) => ["-u", name]), ...set];
      return [program, "-p", sandboxProfile(shown), ...environment, ...argv];
    },
  };
}

/** With files that every Mac has: one that is hidden, one that is named inside a hidden place, and a place where anybody may write. */
const probe: Shown = {
  hides: ["/private/etc"],
  reads: ["/private/etc/shells"],
  writes: [],
  covers: [],
  links: [],
  closed: "/private/tmp",
  cwd: "/",
  unset: [],
  set: {},
};
const script = `cat /private/etc/shells || exit 2; cat /private/etc/hosts && exit 3
made=/private/tmp/constel-$$; if : >"$made"; then rm "$made"; exit 4; fi; exit 0`;

async function tryIt({ processes, env }: BubblewrapOptions): Promise<string | undefined> {
  try {
    const command = [program, "-p", sandboxProfile(probe), "/bin/sh", "-c", script];
    const { code, stderr } = await processes.run(command, { env, deadlineMs: probeMs });
    if (code === 0) return undefined;
    return `sandbox-exec does not keep files apart here (it ended with ${code}: ${stderr.trim().slice(0, 200)})`;
  } catch (cause) {
    return `sandbox-exec could not be tried: ${messageOf(cause)}`;
  }
}
