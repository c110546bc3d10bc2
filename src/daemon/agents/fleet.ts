// All agents of this home in the daemon's mind. A sweep reads the launch files, lists all terminals in one question, and asks
// the runtimes only of those that show a sign of change; their screens come from one more question. What it finds is written
// when it differs from what was written last.

import type { AgentSighting } from "../../core/agents/agent.ts";
import { seeAgents } from "../../core/agents/see.ts";
import { lastWords } from "../../floor/restart/sign-of-life.ts";
import { systemLiveness } from "../../host/process/liveness.ts";
import { screenOf, terminalPane } from "../../host/tmux/terminal-pane.ts";
import type { Clock } from "../../ports/machine.ts";
import type {
  Evidence,
  LastWords,
  LiveSession,
  Pane,
  PushInbox,
  Runtime,
  RuntimeMachine,
} from "../../ports/runtime.ts";
import type { Screen, Terminal, Terminals } from "../../ports/terminal.ts";
import type { Store } from "../../store/open.ts";
import { Launches } from "./launches.ts";
import { FollowedAgent } from "./followed-agent.ts";
import { hasMarker } from "../../floor/markers/marker-files.ts";
import { markers } from "../../floor/markers/markers.ts";

export interface FleetParts {
  readonly home: string;
  readonly clock: Clock;
  readonly store: Store;
  readonly machine: RuntimeMachine;
  readonly runtimeNamed: (name: string) => Runtime | undefined;
  /** The one long-lived client of a tmux server. */
  readonly terminalsOn: (socket: string) => Terminals;
  readonly pushInbox?: (agent: string) => PushInbox | undefined;
  /** The store for the last words of idle agents. */
  readonly words?: Map<string, LastWords>;
  readonly log: (line: string) => void;
}

/** Of these the words change all the time (each tool that begins or ends): they are worth a write this often. */
const restless: ReadonlySet<string> = new Set(["busy", "hung"]);
const wordsEveryMs = 30_000;

export class Fleet {
  readonly #parts: FleetParts;
  readonly #launches: Launches;
  readonly #members = new Map<string, FollowedAgent>();
  readonly #written = new Map<string, { readonly key: string; readonly says: string; readonly atMs: number }>();
  readonly #complained = new Set<string>();

  constructor(parts: FleetParts) {
    this.#parts = parts;
    this.#launches = new Launches(parts.home);
  }

  members(): readonly FollowedAgent[] {
    return [...this.#members.values()];
  }

  member(agent: string): FollowedAgent | undefined {
    return this.#members.get(agent);
  }

  /** The session as its runtime is given it. */
  session(member: FollowedAgent, pane?: Pane): LiveSession {
    const { launch } = member;
    const push = this.#parts.pushInbox?.(launch.agent);
    const pid = launch.leader?.pid ?? member.terminal?.pid;
    return {
      launch: launch.launch,
      sinceMs: launch.sinceMs,
      ...(launch.sessionId === undefined ? {} : { sessionId: launch.sessionId }),
      ...(pid === undefined ? {} : { pid }),
      ...(pane === undefined ? {} : { pane }),
      ...(push === undefined ? {} : { push }),
    };
  }

  pane(member: FollowedAgent): Pane {
    return terminalPane(this.#parts.terminalsOn(member.launch.tmuxSocket), member.agent);
  }

  /** One look at all of them. Answers whose state changed. */
  async sweep(): Promise<FollowedAgent[]> {
    this.#takeLaunches();
    const terminals = await this.#listTerminals();
    const due = this.members().filter((member) =>
      member.notice(member.launch, terminals.get(member.launch.tmuxSocket)?.get(member.agent), this.#now()),
    );
    await this.#observe(due);
    await this.#readWords();
    const before = new Map(this.members().map((member) => [member, member.seen.state]));
    for (const member of this.members()) {
      member.isQuarantined = !member.isAlive && hasMarker(this.#parts.home, markers.crashloop(member.agent));
    }
    for (const member of this.members()) {
      member.judge(this.#now());
      if (member.lastWords === undefined) this.#parts.words?.delete(member.agent);
      else this.#parts.words?.set(member.agent, member.lastWords);
    }
    await this.#write();
    return this.members().filter((member) => before.get(member) !== member.seen.state);
  }

  /** A program that was there at the last sweep has ended. Asks the kernel only, so it may be asked often. */
  hasLostLeader(): boolean {
    return this.members().some(({ isAlive, launch }) => {
      const { leader } = launch;
      return isAlive && leader !== undefined && systemLiveness.isProvenDead(leader);
    });
  }

  /** Somebody has died, and with what it ended will be known at one of the next looks. */
  awaitsEnds(): boolean {
    const atMs = this.#parts.clock.monotonicMs();
    return this.members().some((member) => member.awaitsEnd(atMs));
  }

  #takeLaunches(): void {
    const launches = this.#launches.read();
    const there = new Set(launches.map(({ agent }) => agent));
    for (const agent of this.#members.keys()) if (!there.has(agent)) this.#members.delete(agent);
    for (const launch of launches) {
      const known = this.#members.get(launch.agent);
      if (known !== undefined && known.launch.sinceMs === launch.sinceMs && known.launch.runtime === launch.runtime) {
        known.launch = launch;
      } else this.#members.set(launch.agent, new FollowedAgent(launch, this.#parts.runtimeNamed(launch.runtime)));
    }
  }

  /** By socket, then by name. A server is only asked when something may live there. */
  async #listTerminals(): Promise<Map<string, Map<string, Terminal>>> {
    const sockets = new Set(
      this.members().flatMap(({ launch, terminal }) =>
        launch.wanted === "down" && terminal === undefined ? [] : [launch.tmuxSocket],
      ),
    );
    const found = new Map<string, Map<string, Terminal>>();
    for (const socket of sockets) {
      const listed = await this.#parts.terminalsOn(socket).list();
      found.set(socket, new Map(listed.map((terminal) => [terminal.name, terminal])));
    }
    return found;
  }

  async #observe(due: readonly FollowedAgent[]): Promise<void> {
    const screens = await this.#capture(due);
    await Promise.all(
      due.map(async (member) => {
        const screen = screens.get(member);
        const evidence = await this.#ask(member, screen);
        member.observed(evidence, screen?.hash ?? "", this.#now());
      }),
    );
  }

  /** Until two looks agree; from then on a dead terminal shows the same for ever. */
  async #readWords(): Promise<void> {
    const ended = this.members().filter(({ hasUnreadWords }) => hasUnreadWords);
    if (ended.length === 0) return;
    const screens = await this.#capture(ended);
    for (const member of ended) member.readWords(lastWords(screens.get(member)?.text ?? ""));
  }

  async #capture(due: readonly FollowedAgent[]): Promise<Map<FollowedAgent, Screen>> {
    const screens = new Map<FollowedAgent, Screen>();
    for (const [socket, members] of Map.groupBy(due, ({ launch }) => launch.tmuxSocket)) {
      const captured = await this.#parts.terminalsOn(socket).captureMany(members.map(({ agent }) => agent));
      for (const member of members) {
        const screen = captured.get(member.agent);
        if (screen !== undefined) screens.set(member, screen);
      }
    }
    return screens;
  }

  /** Undefined when the runtime could not be asked; that is said once. */
  async #ask(member: FollowedAgent, screen: Screen | undefined): Promise<Evidence | undefined> {
    const { runtime, terminal } = member;
    if (runtime === undefined || terminal === undefined) return undefined;
    const seen = screenOf(terminal, screen?.text ?? "");
    const pane: Pane = { ...this.pane(member), capture: () => Promise.resolve(seen) };
    const session = this.session(member, pane);
    try {
      const evidence = await runtime.observe(session, this.#parts.machine);
      member.transcript = await runtime.transcript(session, this.#parts.machine);
      this.#complained.delete(member.agent);
      return evidence;
    } catch (cause) {
      if (!this.#complained.has(member.agent)) this.#parts.log(`looking at ${member.agent}: ${String(cause)}`);
      this.#complained.add(member.agent);
      return undefined;
    }
  }

  async #write(): Promise<void> {
    const atMs = this.#parts.clock.monotonicMs();
    const changed: { sighting: AgentSighting; key: string }[] = [];
    for (const member of this.members()) {
      if (member.awaitsEnd(atMs)) continue;
      const sighting = member.sighting();
      const { seen, ...rest } = sighting;
      const key = JSON.stringify([seen.state, seen.untilMs, rest]);
      const before = this.#written.get(member.agent);
      const newWords =
        before?.says !== seen.says && (!restless.has(seen.state) || atMs - (before?.atMs ?? 0) >= wordsEveryMs);
      if (before?.key !== key || newWords) changed.push({ sighting, key });
    }
    if (changed.length === 0) return;
    await seeAgents(
      this.#parts.store,
      changed.map(({ sighting }) => sighting),
    );
    for (const { sighting, key } of changed) {
      this.#written.set(sighting.agent, { key, says: sighting.seen.says, atMs });
    }
  }

  #now(): { nowMs: number; monotonicMs: number } {
    const { clock } = this.#parts;
    return { nowMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
  }
}
