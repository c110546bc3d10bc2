// Runs git so that nothing of the observed repository, of the user's settings or of the caller's environment can make it
// run another program, take a lock, ask a question or page. Every git that sensing starts goes through here or, for the
// long-lived one in blobs.ts, takes its command line and environment from here.

import { join } from "node:path";
import { Outage } from "../../protocol/errors.ts";
import type { Processes, RunOutcome } from "../../ports/machine.ts";
import type { Enclose } from "../../ports/confinement.ts";
import { encloseGit } from "./repository/enclose-git.ts";
import { findPipe } from "./find-pipe.ts";
import { withUmask } from "./repository/open-as.ts";

export interface GitOptions {
  readonly processes: Processes;
  /** From the caller's environment: PATH to find git, HOME for the user's own ignore file. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly deadlineMs?: number;
  /** Ends what is under way, the long-lived ones too. */
  readonly signal?: AbortSignal;
  /** For what is done in a confined agent's own place. */
  readonly enclose?: Enclose | undefined;
}

export interface GitCall {
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly stdin?: string | Uint8Array;
  /** GIT_DIR and its relatives; nothing else of git is in the environment. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Read the user's global and system configuration: only for listing it. */
  readonly withUserConfig?: boolean;
  /** Paths among the arguments are patterns; otherwise each is one path, whatever characters it has. */
  readonly withPatterns?: boolean;
  /** May write what it learnt into the index: only ever one of ours. */
  readonly keepsIndex?: boolean;
  /** The mask for files that git writes: they are as open as this lets them be (open-as.ts). Without it, as closed as ours. */
  readonly umask?: number | undefined;
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
  /** Output past this many bytes ends it. */
  readonly maxOutputBytes?: number;
}

/** A git command that ended badly. Callers decide what it means; unhandled it is an outage. */
export class GitFailure extends Outage {
  readonly outcome: RunOutcome;

  constructor(args: readonly string[], outcome: RunOutcome) {
    const said = outcome.stderr.trim().slice(0, 500);
    const why = outcome.waitedForPipe
      ? `waited for a named pipe that stands where a file should be${said === "" ? "" : `: ${said}`}`
      : outcome.timedOut
        ? "took longer than its deadline"
        : outcome.truncated
          ? "wrote more than the limit"
          : `ended with ${outcome.code ?? outcome.signal}${said === "" ? "" : `: ${said}`}`;
    super("git", args.slice(0, 2).join(" "), why, { mayRetry: outcome.timedOut });
    this.name = "GitFailure";
    this.outcome = outcome;
  }
}

// Settings that name programs, or make git start one, switched off on the command line, which outranks every file.
const guards = [
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "core.hooksPath=/dev/null",
  "core.pager=cat",
  "core.editor=false",
  "core.askPass=false",
  "core.sshCommand=false",
  "core.gitProxy=false",
  "core.alternateRefsCommand=false",
  "core.safecrlf=false",
  "core.splitIndex=false",
  "credential.helper=",
  "diff.external=",
  "diff.ignoreSubmodules=dirty",
  "submodule.recurse=false",
  "protocol.allow=never",
  "gc.auto=0",
  "maintenance.auto=false",
  "advice.addEmbeddedRepo=false",
];

// Our object directory can be made again at any time: speed counts there, not size or safety against a power cut.
// Over 1,225 merges this halved the time of git merge-tree.
const hasty = ["core.looseCompression=0", "core.createObject=rename", "core.fsync=none"];

/** A repository of 100,000 files that nobody looked at for long takes some ten seconds. */
const signalOf = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });

const defaultDeadlineMs = 30_000;

export class Git {
  readonly #options: GitOptions;
  readonly #userEnvironment: Readonly<Record<string, string>>;

  constructor(options: GitOptions) {
    this.#options = options;
    const kept: Record<string, string> = {};
    for (const name of ["PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR"]) {
      const value = options.environment[name];
      if (value !== undefined) kept[name] = value;
    }
    this.#userEnvironment = kept;
  }

  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  get home(): string | undefined {
    return this.#userEnvironment["HOME"];
  }

  /** Returns the path where git looks for the user's own attributes, whatever the settings say. */
  get userAttributes(): string | undefined {
    const { XDG_CONFIG_HOME: config, HOME: home } = this.#userEnvironment;
    if (config !== undefined && config !== "") return join(config, "git", "attributes");
    return home === undefined ? undefined : join(home, ".config", "git", "attributes");
  }

  command(args: readonly string[], options: { withPatterns?: boolean | undefined } = {}): [string, ...string[]] {
    const literal = options.withPatterns ? [] : ["--literal-pathspecs"];
    return ["git", "--no-pager", ...literal, ...[...guards, ...hasty].flatMap((guard) => ["-c", guard]), ...args];
  }

  variables(call: Pick<GitCall, "variables" | "withUserConfig" | "keepsIndex">): Record<string, string> {
    return {
      ...this.#userEnvironment,
      LC_ALL: "C",
      GIT_OPTIONAL_LOCKS: call.keepsIndex ? "1" : "0",
      GIT_TERMINAL_PROMPT: "0",
      GIT_ATTR_NOSYSTEM: "1",
      // A partial clone would fetch what is missing, by a program of its remote's choice. The first is for git 2.44 and
      // later; the second outranks every setting in every version.
      GIT_NO_LAZY_FETCH: "1",
      GIT_ALLOW_PROTOCOL: "none",
      GIT_TRACE2: "0",
      GIT_TRACE2_EVENT: "0",
      GIT_TRACE2_PERF: "0",
      ...(call.withUserConfig ? {} : { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" }),
      ...call.variables,
    };
  }

  /** The outcome, whatever it is. */
  async try(call: GitCall): Promise<RunOutcome> {
    const env = this.variables(call);
    const command = await encloseGit(this.#options.enclose, this.command(call.args, call), { ...call, env });
    const outcome = await this.#options.processes.run(withUmask(command, call.umask), {
      ...(call.cwd === undefined ? {} : { cwd: call.cwd }),
      ...(call.stdin === undefined ? {} : { stdin: call.stdin }),
      ...signalOf(call.signal ?? this.#options.signal),
      env,
      deadlineMs: call.deadlineMs ?? this.#options.deadlineMs ?? defaultDeadlineMs,
      maxOutputBytes: call.maxOutputBytes ?? 256 * 1024 * 1024,
      endsAtPipe: true,
    });
    if (outcome.waitedForPipe !== true) return outcome;
    const { GIT_DIR, GIT_WORK_TREE } = call.variables ?? {};
    const pipe = findPipe([call.cwd, GIT_WORK_TREE, GIT_DIR].filter((place) => place !== undefined));
    return { ...outcome, stderr: pipe ?? "" };
  }

  /** The outcome of a command that came to its own end, however it ended; one that was ended before has said nothing. */
  async hear(call: GitCall): Promise<RunOutcome> {
    const outcome = await this.try(call);
    if (outcome.code === null || outcome.timedOut) throw new GitFailure(call.args, outcome);
    return outcome;
  }

  /** The output of a command that succeeded. */
  async bytes(call: GitCall): Promise<Uint8Array> {
    return outputOf(call, await this.try(call));
  }

  /** The same as text, without the newline at its end. */
  async text(call: GitCall): Promise<string> {
    return asText(await this.bytes(call));
  }

  /** The same of a question that git may answer with no: then undefined. */
  async ask(call: GitCall): Promise<string | undefined> {
    return answerOf(call, await this.try(call));
  }
}

export function outputOf({ args }: GitCall, outcome: RunOutcome): Uint8Array {
  if (outcome.code !== 0 || outcome.truncated || outcome.timedOut) throw new GitFailure(args, outcome);
  return outcome.stdout;
}

/**
 * `rev-parse -q --verify`, `merge-base`, `symbolic-ref -q` and `cat-file -e` end with 1 to say no. A git that was killed, or could not read the
 * repository, said neither: to take that for no would be to know something that nobody looked at.
 */
export function answerOf(call: GitCall, outcome: RunOutcome): string | undefined {
  if (hasComplained(outcome)) throw new GitFailure(call.args, outcome);
  return outcome.code === 1 && !outcome.timedOut ? undefined : asText(outputOf(call, outcome));
}

/**
 * Of a commit that it cannot read git says so, and goes on as if there were none before it: what it then finds is not the answer. That a
 * place to borrow objects from is gone it says too, and that alone does no harm.
 */
export const hasComplained = ({ stderr }: RunOutcome): boolean =>
  /^(error|fatal): .*\b(could not (read|parse)|unable to (read|unpack)|bad object|corrupt|inflate)/im.test(stderr);

const asText = (output: Uint8Array): string => Buffer.from(output).toString("utf8").replace(/\n$/, "");
