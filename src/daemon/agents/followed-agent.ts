// One agent as the daemon has it in mind between looks: what was launched, what its terminal, hooks and transcript looked like
// last, and what that was judged to be.

import { statSync } from "node:fs";
import type { AgentSighting, Seen } from "../../core/agents/agent.ts";
import { seenFrom } from "../../core/agents/rules.ts";
import { earlierHookFile, hookFile } from "../../host/runtime/hook-records.ts";
import type { AgentLaunch } from "../../ports/agent-launch.ts";
import type { AgentStatus, Evidence, LastWords, Runtime } from "../../ports/runtime.ts";
import type { Terminal } from "../../ports/terminal.ts";

/** After news the state may still settle (a queued turn, a terminal that lags behind its hooks): looked at again until then. */
const settleMs = 3000;
const settleEveryMs = 500;
/** A screen that moves without other news: an agent at work draws all the time. */
const activityEveryMs = 2000;
const busyActivityEveryMs = 5000;
/** Without any sign, so that nothing we do not watch (a program's own state file) goes unseen for ever. */
const seldomMs = 120_000;
/** The time until it is known how a program ended: on a busy machine tmux may take this long to count its children. */
const endCountedMs = 5000;
/** Runtimes call a program that shows nothing `starting` for this long. */
const startingMs = 90_000;

export class FollowedAgent {
  launch: AgentLaunch;
  readonly runtime: Runtime | undefined;
  terminal: Terminal | undefined;
  seen: Seen = { state: "unknown", on: "nothing", says: "not looked at yet" };
  /** On the monotonic clock: since when it was seen in this state, by this daemon. */
  seenSinceMs = 0;
  /** On the monotonic clock: when anything about it last changed. */
  newsMs = 0;
  /** The reason why its messages wait. */
  mailHeld: string | null = null;
  transcript: string | undefined;
  sessionId: string | undefined;
  /** The program's last words on the screen. Undefined until a dead one was looked at. */
  words: string | undefined;
  /** Two looks found the same: a terminal may still be drawing when its program has ended. */
  #wordsStay = false;
  /** The watchdog has given it up. */
  isQuarantined = false;
  #status: AgentStatus | undefined;
  #observedMs = -Infinity;
  #signs = "";
  #activityMs = 0;
  #screenHash = "";
  /** On the wall clock: when its hooks last told something. */
  #hookedMs = 0;
  /** On the wall clock. */
  #movedMs: number;

  constructor(launch: AgentLaunch, runtime: Runtime | undefined) {
    this.launch = launch;
    this.runtime = runtime;
    this.sessionId = startedWith(launch);
    this.#movedMs = launch.sinceMs;
  }

  get agent(): string {
    return this.launch.agent;
  }

  /** Returns how its last turn ended, while it is idle. */
  get lastWords(): LastWords | undefined {
    return this.seen.state === "idle" ? this.#status?.words : undefined;
  }

  get isAlive(): boolean {
    return this.terminal !== undefined && !this.terminal.dead;
  }

  /**
   * Ended by itself before any hook of it told something, and nobody has read yet what it said. What stands on the
   * screen of one that has worked is its work, not why it ended.
   */
  get hasUnreadWords(): boolean {
    const { terminal } = this;
    const isRefused =
      terminal?.dead === true && terminal.exitStatus !== undefined && this.#hookedMs < this.launch.sinceMs;
    return isRefused && !this.#wordsStay;
  }

  readWords(words: string): void {
    this.#wordsStay = words === this.words;
    this.words = words;
  }

  /** Looks at sizes and times only. True when the runtime should be asked. */
  notice(launch: AgentLaunch, terminal: Terminal | undefined, now: { nowMs: number; monotonicMs: number }): boolean {
    this.launch = launch;
    this.terminal = terminal;
    const { home } = launch.launch;
    const hooks = signOf(hookFile(home, launch.agent));
    // A program that holds its hook file open goes on writing to it after it was set aside.
    const earlier = signOf(earlierHookFile(home, launch.agent));
    const transcript = this.transcript === undefined ? noFile : signOf(this.transcript);
    const outside = [terminal?.pid, terminal?.dead, terminal?.title].join("\t");
    const signs = [outside, hooks.sign, earlier.sign, transcript.sign].join("\t");
    const isNews = signs !== this.#signs;
    this.#signs = signs;
    this.#movedMs = Math.max(this.#movedMs, hooks.mtimeMs, earlier.mtimeMs, transcript.mtimeMs);
    this.#hookedMs = Math.max(hooks.mtimeMs, earlier.mtimeMs);
    if (isNews) this.newsMs = now.monotonicMs;
    if (!this.isAlive) return false;
    if (isNews) return true;
    const idleMs = now.monotonicMs - this.#observedMs;
    if (now.monotonicMs - this.newsMs < settleMs && idleMs >= settleEveryMs) return true;
    const everyMs = this.seen.state === "busy" ? busyActivityEveryMs : activityEveryMs;
    // Activity is known to the second: what came in the second of the last look may have come after it.
    if ((terminal?.lastActivityMs ?? 0) >= this.#activityMs && idleMs >= everyMs) return true;
    return idleMs >= seldomMs || this.#isDue(now.nowMs);
  }

  observed(evidence: Evidence | undefined, screenHash: string, now: { nowMs: number; monotonicMs: number }): void {
    this.#observedMs = now.monotonicMs;
    this.#activityMs = Math.floor(now.nowMs / 1000) * 1000;
    if (screenHash !== this.#screenHash) {
      // At the first look it is not known when it changed; when output last came is the best that is.
      this.#movedMs = Math.max(
        this.#movedMs,
        this.#screenHash === "" ? (this.terminal?.lastActivityMs ?? 0) : now.nowMs,
      );
      this.#screenHash = screenHash;
    }
    this.#status = evidence === undefined ? undefined : this.runtime?.status(evidence);
    const spoke = evidence?.hooks.findLast((hook) => hook.inSubagent !== true);
    this.sessionId = spoke?.session ?? startedWith(this.launch);
  }

  /** Judges anew: time alone may change the answer. */
  judge(now: { nowMs: number; monotonicMs: number }): void {
    const seen = seenFrom({
      nowMs: now.nowMs,
      wanted: this.launch.wanted,
      launchedMs: this.launch.sinceMs,
      terminal: this.terminal === undefined ? "none" : this.terminal.dead ? "dead" : "alive",
      ended: this.terminal,
      words: this.words,
      status: this.#status,
      quietMs: now.nowMs - this.#movedMs,
    });
    if (seen.state !== this.seen.state || this.seenSinceMs === 0) this.seenSinceMs = now.monotonicMs;
    const isLeft = seen.state === "dead" && this.isQuarantined && this.launch.wanted === "up";
    this.seen = isLeft ? { ...seen, says: `quarantined after 5 restarts in 10 minutes; ${seen.says}` } : seen;
  }

  /**
   * Dead, and with what it ended is not known yet: a look may fall between the end of the process, the closing of its terminal
   * and the moment when tmux has its exit status. What is written now would stay on the timeline without it.
   */
  awaitsEnd(monotonicMs: number): boolean {
    const { seen, terminal, launch } = this;
    if (seen.state !== "dead" || terminal === undefined || launch.wanted === "down") return false;
    if (terminal.exitStatus !== undefined || terminal.exitSignal !== undefined) return false;
    return monotonicMs - this.seenSinceMs < endCountedMs;
  }

  sighting(): AgentSighting {
    const { launch, seen } = this;
    return {
      agent: launch.agent,
      role: launch.role,
      runtime: launch.runtime,
      wanted: launch.wanted,
      seen,
      launchedMs: launch.sinceMs,
      because: launch.because,
      sessionId: this.sessionId,
      cwd: launch.launch.cwd,
      model: launch.launch.model,
      account: launch.launch.account?.name,
      ended:
        seen.state === "dead"
          ? { exitStatus: this.terminal?.exitStatus, exitSignal: this.terminal?.exitSignal }
          : undefined,
      mailHeld: this.mailHeld,
    };
  }

  #isDue(nowMs: number): boolean {
    if (this.seen.state === "limited") return (this.seen.untilMs ?? Infinity) <= nowMs;
    return this.seen.state === "starting" && nowMs - this.launch.sinceMs > startingMs;
  }
}

/** The conversation that the launch asked for; a program that makes up its own names it in its first hook. */
const startedWith = ({ sessionId, launch }: AgentLaunch): string | undefined => sessionId ?? launch.resume;

const noFile = { sign: "", mtimeMs: 0 };

function signOf(path: string): { readonly sign: string; readonly mtimeMs: number } {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? noFile : { sign: `${stat.size}:${stat.mtimeMs}`, mtimeMs: stat.mtimeMs };
}
