// git for repositories we make and change: the hardened runner of host/git, but writing durably, and, where the true origin
// is asked, with the user's own settings and protocols. What a workspace's own configuration says starts no program:
// the guards are on the command line, and commands that could meet a filter or hook are not run on what an agent touched.

import { basename, dirname } from "node:path";
import type { TrustedPlace } from "../../files/trusted-place.ts";
import type { Enclose } from "../../ports/confinement.ts";
import type { Processes } from "../../ports/machine.ts";
import { answerOf, Git, type GitCall, GitFailure, type GitOptions, outputOf } from "../git/git.ts";
import { encloseGit } from "../git/repository/enclose-git.ts";
import { umaskFor } from "../git/repository/open-as.ts";
import { anothersIn, notARepository } from "../git/repository/locate.ts";
import { talk } from "../git/talk.ts";

export interface WorkGitOptions {
  readonly processes: Processes;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What lies below it is reached without following links. */
  readonly home?: string;
  /** For the commands that a repository names. */
  readonly enclose?: Enclose | undefined;
}

const minutes = 60_000;

// The observing runner writes hastily into a directory that can be made again. Here it is somebody's work.
const durable = ["-c", "core.fsync=committed,loose-object,reference", "-c", "core.looseCompression=1"];

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

  get enclose(): Enclose | undefined {
    return this.#options.enclose;
  }

  /** A directory of ours, seen from the home when it is below it, else from the directory above. */
  placeOf(directory: string): TrustedPlace {
    const { home } = this.#options;
    if (home !== undefined && directory.startsWith(`${home}/`))
      return { root: home, relative: directory.slice(home.length + 1) };
    return { root: dirname(directory), relative: basename(directory) };
  }

  try(call: GitCall) {
    const umask = umaskFor(call.variables?.["GIT_DIR"]);
    return this.#git.try({ umask, ...call, args: [...durable, ...call.args] });
  }

  async text(call: GitCall): Promise<string> {
    return Buffer.from(await this.bytes(call))
      .toString("utf8")
      .replace(/\n$/, "");
  }

  async bytes(call: GitCall): Promise<Uint8Array> {
    return outputOf(call, await this.try(call));
  }

  /** Undefined when git said no. */
  async ask(call: GitCall): Promise<string | undefined> {
    return answerOf(call, await this.try(call));
  }

  /** Clones a repository of this machine. One of another account's is cloned where the user's own settings call it safe. */
  async cloneFrom(source: string, into: string, options: readonly string[]): Promise<void> {
    const args = ["-c", "protocol.file.allow=always", "clone", "-q", ...options, "--template=", "--", source, into];
    const call = { args, variables: { GIT_ALLOW_PROTOCOL: "file" } };
    const plain = await this.try(call);
    const outcome = anothersIn(plain.stderr) === undefined ? plain : await this.try({ ...call, withUserConfig: true });
    const anothers = anothersIn(outcome.stderr);
    if (anothers !== undefined)
      throw notARepository(source, { reason: `${anothers} belongs to another account`, anothers });
    if (outcome.code !== 0 || outcome.timedOut) throw new GitFailure(["clone"], outcome);
  }

  /** A file of git's output, of whatever size. */
  async toFile(call: GitCall, path: string): Promise<void> {
    const outcome = await this.tryToFile(call, path);
    if (outcome.code !== 0) throw new GitFailure(call.args, outcome);
  }

  async tryToFile(call: GitCall, path: string) {
    const env = this.#git.variables(call);
    const plain = this.#git.command(call.args, call);
    const command = await encloseGit(this.#options.enclose, plain, { ...call, env });
    return this.processes.run(["sh", "-c", 'out=$1; shift; exec "$@" > "$out"', "sh", path, ...command], {
      ...(call.stdin === undefined ? {} : { stdin: call.stdin }),
      env,
      deadlineMs: 10 * minutes,
    });
  }

  /**
   * Talks to another repository, in a git directory whose configuration we wrote ourselves. The guards that silence ssh and
   * credential helpers are not given, so that what the user set for their own git holds.
   */
  async talk(call: GitCall) {
    return talk(this.#git, this.#options, { ...call, args: [...durable, ...call.args] });
  }
}
