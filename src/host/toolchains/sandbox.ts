// Compilers read what others wrote, and their own faults are not ours to know. Where bubblewrap is there they run inside it: without a
// network, with the machine read-only but for their scratch place, apart from all other processes. Where it is not, they run as they are, and
// `doctor` says so.

import type { Processes } from "../../ports/machine.ts";
import { messageOf } from "../../protocol/errors.ts";
import { apart as together, machine } from "../confine/bubblewrap-arguments.ts";

export interface Sandbox {
  /** Says why compilers run without it. Undefined when they run inside. */
  problem(): Promise<string | undefined>;
  /** The command that runs this one inside, standing at `cwd`, with leave to write to `writes` only. */
  around(command: readonly string[], place: { readonly cwd: string; readonly writes: readonly string[] }): string[];
}

const probeMs = 10_000;

/** Nothing is left when the first process ends, and nobody outside can be seen, signalled or spoken to. */
const apart = [...together, "--unshare-net", "--new-session", ...machine];

/** Whether it works on this machine does not change while the program runs. */
const tried = new Map<string, Promise<string | undefined>>();

/** `program` is bubblewrap as the owner's PATH has it; undefined when it has none. */
export function openSandbox(program: string | undefined, processes: Processes): Sandbox {
  return {
    problem: () => {
      if (program === undefined) return Promise.resolve("bubblewrap (`bwrap`) is not on the PATH");
      const known = tried.get(program) ?? tryIt(program, processes);
      tried.set(program, known);
      return known;
    },
    around: (command, { cwd, writes }) => [
      program ?? "bwrap",
      ...apart,
      ...[...new Set(writes)].flatMap((path) => ["--bind", path, path]),
      "--chdir",
      cwd,
      "--",
      ...command,
    ],
  };
}

async function tryIt(program: string, processes: Processes): Promise<string | undefined> {
  try {
    const outcome = await processes.run([program, ...apart, "--", "/bin/sh", "-c", ":"], {
      env: { PATH: "/usr/bin:/bin" },
      deadlineMs: probeMs,
    });
    if (outcome.code === 0) return undefined;
    const said = outcome.stderr.trim().split("\n").at(-1) ?? "";
    return `bubblewrap cannot make a sandbox here (${said === "" ? `it ended with ${outcome.code}` : said})`;
  } catch (cause) {
    return `bubblewrap could not be tried: ${messageOf(cause)}`;
  }
}
