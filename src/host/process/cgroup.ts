// A control group of one agent's own, where Linux lets us make one (cgroup v2, writable): nothing that starts inside can
// leave it by forking, forgetting its parent or clearing its environment. Where there is none, undefined, and the other
// ways of finding a tree must do.

import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { anAgentId } from "../../protocol/agent-id.ts";
import { Outage, systemCode } from "../../protocol/errors.ts";

/** The end of a path whose last group is an agent's. */
const ofAnAgent = new RegExp(`/[^/]+-${anAgentId}$`);

export interface CgroupView {
  /** The processes in it now, in groups below it too. */
  pids(): readonly number[];
}

export class Cgroup implements CgroupView {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Makes it, or takes the one that is there. */
  static make(name: string): Cgroup | undefined {
    if (!/^[A-Za-z0-9_-]{1,100}$/.test(name)) throw new Error(`not a name for a control group: ${name}`);
    const parent = ownGroup();
    if (parent === undefined) return undefined;
    const path = join(parent, name);
    try {
      mkdirSync(path);
    } catch (cause) {
      if (systemCode(cause) !== "EEXIST") return undefined; // read-only, not delegated to us, or no cgroup at all
    }
    return new Cgroup(path);
  }

  /** One that was made earlier, by its path; whether it still is there shows when it is used. */
  static at(path: string): Cgroup {
    return new Cgroup(path);
  }

  /** The command line that runs a command inside. When it cannot enter, it runs outside rather than not at all. */
  command(command: readonly string[]): [string, ...string[]] {
    const script = 'echo $$ 2>/dev/null >"$0" || :; exec "$@"';
    return ["/bin/sh", "-c", script, join(this.path, "cgroup.procs"), ...command];
  }

  pids(): readonly number[] {
    return pidsBelow(this.path);
  }

  /** Lets go of those that are still in it: they go on in the group around it. */
  release(): void {
    for (const pid of this.pids()) {
      try {
        writeFileSync(join(this.path, "..", "cgroup.procs"), String(pid));
      } catch (cause) {
        if (systemCode(cause) !== "ESRCH") throw new Outage("release", `${pid} from ${this.path}`, cause);
      }
    }
  }

  /** False while something still runs in it, and for a moment after it ended. */
  remove(): boolean {
    try {
      removeBelow(this.path);
      return true;
    } catch (cause) {
      const code = systemCode(cause);
      if (code === "ENOENT") return true;
      if (code === "EBUSY" || code === "ENOTEMPTY") return false;
      throw new Outage("remove", this.path, cause);
    }
  }
}

/** The directory of the group we are in, in the second version's hierarchy. */
function ownGroup(): string | undefined {
  try {
    const mount = readFileSync("/proc/self/mountinfo", "utf8")
      .split("\n")
      .find((line) => line.includes(" - cgroup2 "))
      ?.split(" ")[4];
    const own = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1];
    // An agent may start another: their groups stand side by side, or ending one would end the other.
    return mount === undefined || own === undefined ? undefined : join(mount, own.replace(ofAnAgent, ""));
  } catch {
    return undefined; // no /proc: not Linux
  }
}

function pidsBelow(path: string): number[] {
  let listed: string;
  try {
    listed = readFileSync(join(path, "cgroup.procs"), "utf8");
  } catch (cause) {
    if (systemCode(cause) === "ENOENT" || systemCode(cause) === "ENODEV") return [];
    throw new Outage("read", path, cause);
  }
  const here = listed.split("\n").filter(Boolean).map(Number);
  return [...here, ...groupsBelow(path).flatMap(pidsBelow)];
}

function removeBelow(path: string): void {
  for (const group of groupsBelow(path)) removeBelow(group);
  rmdirSync(path);
}

function groupsBelow(path: string): string[] {
  const entries = readdirSync(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(path, entry.name));
}
