// git for repositories we make and change: the hardened runner of host/git, but writing durably, and, where the true origin
// is asked, with the user's own settings and protocols. What a workspace's own configuration says starts no program:
// the guards are on the command line, and commands that could meet a filter or hook are not run on what an agent touched.

import { basename, dirname } from "node:path";
import type { TrustedPlace } from "../../files/trusted-place.ts";
import type { Processes } from "../../ports/machine.ts";
import { Git, type GitCall, GitFailure, type GitOptions } from "../git/git.ts";

export interface WorkGitOptions {
  readonly processes: Processes;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What lies below it is reached without following links. */
  readonly home?: string;
}

const minutes = 60_000;

// The observing runner writes hastily into a directory that can be made again. Here it is somebody's work.
const durable = ["-c", "core.fsync=committed,loose-object,reference", "-c", "core.looseCompression=1"];

// Set back to git's own defaults for talking to the origin, so that the user's settings count again.
const transport = [
  "protocol.allow=user",
  "protocol.ext.allow=never",
  "protocol.file.allow=always",
  "protocol.ssh.allow=always",
  "protocol.https.allow=always",
  "protocol.http.allow=always",
  "protocol.git.allow=always",
];

/** What steers ssh and credentials, which the user set for their own git. */
const transportVariables = [
  "SSH_AUTH_SOCK",
  "SSH_AGENT_PID",
  "GIT_SSH",
  "GIT_SSH_COMMAND",
  "GIT_ASKPASS",
  "SSL_CERT_FILE",
];

export class WorkGit {
  readonly #git: Git;
  readonly #options: WorkGitOptions;
  readonly processes: Processes;

  constructor(options: WorkGitOptions) {
    this.#options = options;
    this.processes = options.processes;
    this.#git = new Git({ ...options, deadlineMs: 10 * minutes } satisfies GitOptions);
  }

  get reading(): Git {
    return this.#git;
  }

  get environment(): WorkGitOptions["environment"] {
    return this.#options.environment;
  }

  /** A directory of ours, seen from the home when it is below it, else from the directory above. */
  placeOf(directory: string): TrustedPlace {
    const { home } = this.#options;
    if (home !== undefined && directory.startsWith(`${home}/`))
      return { root: home, relative: directory.slice(home.length + 1) };
    return { root: dirname(directory), relative: basename(directory) };
  }

  try(call: GitCall) {
    return this.#git.try({ ...call, args: [...durable, ...call.args] });
  }

  async text(call: GitCall): Promise<string> {
    return Buffer.from(await this.bytes(call))
      .toString("utf8")
      .replace(/\n$/, "");
  }

  async bytes(call: GitCall): Promise<Uint8Array> {
    const outcome = await this.try(call);
    if (outcome.code !== 0 || outcome.truncated || outcome.timedOut) throw new GitFailure(call.args, outcome);
    return outcome.stdout;
  }

  /** A file of git's output, of whatever size. */
  async toFile(call: GitCall, path: string): Promise<void> {
    const outcome = await this.tryToFile(call, path);
    if (outcome.code !== 0) throw new GitFailure(call.args, outcome);
  }

  async tryToFile(call: GitCall, path: string) {
    const command = this.#git.command(call.args, call);
    return this.processes.run(["sh", "-c", 'out=$1; shift; exec "$@" > "$out"', "sh", path, ...command], {
      ...(call.stdin === undefined ? {} : { stdin: call.stdin }),
      env: this.#git.variables(call),
      deadlineMs: 10 * minutes,
    });
  }

  /**
   * Talks to another repository, in a git directory whose configuration we wrote ourselves. The guards that silence ssh and
   * credential helpers are not given, so that what the user set for their own git holds.
   */
  async talk(call: GitCall) {
    const variables = this.#git.variables({ ...call, withUserConfig: true });
    delete variables["GIT_ALLOW_PROTOCOL"];
    for (const name of transportVariables) {
      const value = this.#options.environment[name];
      if (value !== undefined) variables[name] = value;
    }
    const guards = [
      "core.hooksPath=/dev/null",
      "core.fsmonitor=false",
      "gc.auto=0",
      "maintenance.auto=false",
      ...transport,
    ];
    const options = [...guards.flatMap((guard) => ["-c", guard]), ...durable];
    return this.processes.run(["git", "--no-pager", ...options, ...call.args], {
      ...(call.cwd === undefined ? {} : { cwd: call.cwd }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
      env: { ...variables, GIT_SSH_COMMAND: variables["GIT_SSH_COMMAND"] ?? "ssh -o BatchMode=yes" },
      deadlineMs: call.deadlineMs ?? 2 * minutes,
    });
  }
}
