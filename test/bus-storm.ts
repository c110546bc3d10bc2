// Agents that send each other messages while senders, receivers and the daemon are killed at each of their steps in turn and
// started again, and an account of what each agent saw. Kills are by step and count, not by time, so the storm is the same on
// a slow machine. Some of the agents are fed by the daemon through a terminal; the others fetch their messages themselves.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deliverySteps } from "../src/daemon/agents/delivery-steps.ts";
import { takeInSteps } from "../src/daemon/intake/take-in-file.ts";
import { receiveSteps, sendSteps } from "../src/floor/bus/kill-points.ts";
import { seededRandom } from "../src/ports/fake-clock.ts";
import { programs, startChild } from "./bus-kit.ts";
import { projectTop } from "./kit/home.ts";
import { ScriptAgents } from "./kit/script-agents.ts";

export interface StormOptions {
  readonly agents: number;
  readonly messagesEach: number;
  /** Senders and receivers that end themselves at a step; after so many the rest run to their end. */
  readonly kills: number;
  readonly receiversEach: number;
  readonly seed: number;
  /** With a daemon: how many of the agents it feeds, and which share of the messages goes to those, as one in so many. */
  readonly daemon?: { readonly feeds: number; readonly oneIn: number };
}

export interface StormAccount {
  readonly sent: number;
  readonly lost: string[];
  readonly seenTwice: string[];
  readonly outOfOrder: string[];
  readonly kills: number;
  /** Steps at which nobody died. */
  readonly unvisited: string[];
  /** Messages of which the table does not have exactly one row with the right final state. */
  readonly misreported: string[];
}

/** The daemon takes messages in, and is itself the receiver of those it feeds. */
const daemonSteps = [...takeInSteps, ...deliverySteps, ...receiveSteps];

/** Half of the agents as commands go, half as processes that live long. */
const wayOf = (name: string): { BUS_DIRECTLY: string } => ({ BUS_DIRECTLY: String(Number(name.slice(5)) % 2) });

export async function storm(options: StormOptions): Promise<StormAccount> {
  await using at = new ScriptAgents();
  const notes = join(at.top, "notes");
  mkdirSync(notes);
  const random = seededRandom(options.seed);
  const names = Array.from({ length: options.agents }, (_, index) => `agent${index}`);
  const { feeds = 0, oneIn = 1 } = options.daemon ?? {};
  const fed = names.slice(options.agents - feeds);
  const lives = new Lives(random, options.kills);

  for (const name of fed) await at.start(name);
  const fetching = names.filter((name) => !fed.includes(name));
  const spread = [options.messagesEach, options.agents, feeds, oneIn].map(String);
  const senders = names.map((name) =>
    lives.live("sender", sendSteps, options.messagesEach / 8, (env) =>
      startChild(programs.stormChild, ["send", at.home, notes, name, ...spread], { env: { ...env, ...wayOf(name) } }),
    ),
  );
  const receivers = fetching.flatMap((name) =>
    Array.from({ length: options.receiversEach }, () =>
      lives.live("receiver", receiveSteps, options.messagesEach / 20, (env) =>
        startChild(programs.stormChild, ["receive", at.home, notes, name], { env: { ...env, ...wayOf(name) } }),
      ),
    ),
  );
  const wanted = names.flatMap((name) =>
    Array.from({ length: options.messagesEach }, (_, index) => `${name}-${index}`),
  );
  const allSeen = (): boolean => new Set(names.flatMap((name) => idsSeenBy(at, notes, name))).size === wanted.length;
  const daemon = options.daemon === undefined ? Promise.resolve() : killDaemonInTurn(at, lives, allSeen);
  await Promise.all(senders);
  writeFileSync(join(notes, "stop"), "");
  await Promise.all([...receivers, daemon]);
  const misreported = options.daemon === undefined ? [] : await misreportedIn(at, wanted, fed);
  const steps = [
    ...sendSteps.map((step) => `sender ${step}`),
    ...receiveSteps.map((step) => `receiver ${step}`),
    ...(options.daemon === undefined ? [] : daemonSteps.map((step) => `daemon ${step}`)),
  ];
  const unvisited = steps.filter((step) => !lives.diedAt.has(step));
  return { ...accountOf(at, notes, names, wanted), kills: lives.kills, unvisited, misreported };
}

type Child = Bun.Subprocess<"ignore", "pipe", "pipe">;

/** Children that are started again whenever they were killed, each time to die at the next step of their kind. */
class Lives {
  kills = 0;
  readonly diedAt = new Set<string>();
  readonly #random: ReturnType<typeof seededRandom>;
  readonly #most: number;
  readonly #running = new Set<Child>();
  readonly #turns = new Map<string, number>();

  constructor(random: ReturnType<typeof seededRandom>, most: number) {
    this.#random = random;
    this.#most = most;
  }

  /** Runs a child to its end, again and again while it is killed. */
  async live(
    kind: string,
    steps: readonly string[],
    often: number,
    start: (env: Record<string, string>) => Child,
  ): Promise<void> {
    for (;;) {
      const dies = this.kills < this.#most || steps.some((step) => !this.diedAt.has(`${kind} ${step}`));
      const { step, env } = this.nextDeath(kind, steps, often);
      const child = start(dies ? env : {});
      this.#running.add(child);
      const [complaint] = await Promise.all([new Response(child.stderr).text(), child.exited]);
      const isTaken = !this.#running.delete(child);
      if (child.signalCode !== "SIGKILL") {
        if (child.exitCode !== 0) throw new Error(`a ${kind} ended with ${child.exitCode}: ${complaint}`);
        return;
      }
      this.kills += 1;
      if (!isTaken) this.diedAt.add(`${kind} ${step}`);
      // One in three takes another with it, wherever that one is: between steps too.
      if (dies && this.#random.fraction() < 1 / 3) this.#takeOne();
    }
  }

  nextDeath(kind: string, steps: readonly string[], often: number): { step: string; env: Record<string, string> } {
    const turn = this.#turns.get(kind) ?? 0;
    this.#turns.set(kind, turn + 1);
    const unvisited = steps.filter((step) => !this.diedAt.has(`${kind} ${step}`));
    const choice = unvisited.length > 0 ? unvisited : steps;
    // There is one daemon, and the messages may be through before it has died everywhere: what it comes to at once goes first.
    const step = choice[kind === "daemon" ? 0 : turn % choice.length] ?? "";
    return { step, env: { CONSTEL_KILL_AT: `${step}:${1 + Math.floor(this.#random.fraction() * often)}` } };
  }

  #takeOne(): void {
    const victim = [...this.#running][Math.floor(this.#random.fraction() * this.#running.size)];
    if (victim === undefined) return;
    this.#running.delete(victim);
    victim.kill("SIGKILL");
  }
}

/** The real daemon, killed at each of its steps in turn, and once more when all messages are with their agents. */
async function killDaemonInTurn(at: ScriptAgents, lives: Lives, allSeen: () => boolean): Promise<void> {
  while (!allSeen()) {
    // The first time it comes to that step: the messages may be through before it has died at all of them otherwise.
    const { step, env } = lives.nextDeath("daemon", daemonSteps, 1);
    await using daemon = new StormDaemon(at, lives.diedAt.has(`daemon ${step}`) ? {} : env); // each step once
    while (daemon.runs && !allSeen()) await Bun.sleep(250);
    if (daemon.runs) return;
    await daemon.ended();
    lives.diedAt.add(`daemon ${step}`);
  }
}

class StormDaemon {
  readonly #child: Bun.Subprocess<"ignore", "ignore", "pipe">;
  readonly #complaint: Promise<string>;

  constructor(at: ScriptAgents, env: Readonly<Record<string, string>> = {}) {
    this.#child = Bun.spawn([join(projectTop, "bin/constel"), "daemon", "run"], {
      cwd: at.top,
      // Long enough that an agent on a busy machine has surely read what was typed to it.
      env: { ...at.env, CONSTEL_DELIVERY_DOUBT_MS: "3000", ...env },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    this.#complaint = new Response(this.#child.stderr).text();
  }

  get runs(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** As killed: any other end is a bug. */
  async ended(): Promise<void> {
    if (this.#child.signalCode !== "SIGKILL") throw new Error(`the daemon ended by itself: ${await this.#complaint}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }
}

/** Returns the messages that the table has wrongly, once a daemon that nobody kills had the time to look at everything. */
async function misreportedIn(at: ScriptAgents, wanted: readonly string[], fed: readonly string[]): Promise<string[]> {
  await using daemon = new StormDaemon(at);
  let left = wrongRows(at, wanted, fed);
  let lastProgressMs = performance.now();
  while (left.length > 0 && performance.now() - lastProgressMs < givenUpAfterMs) {
    if (!daemon.runs) throw new Error("the last daemon ended");
    await Bun.sleep(200);
    const now = wrongRows(at, wanted, fed);
    if (now.length !== left.length) lastProgressMs = performance.now();
    left = now;
  }
  return left;
}

/** Longer than the daemon takes to look at everything anew, a killed one's doubts included. */
const givenUpAfterMs = 20_000;

function wrongRows(at: ScriptAgents, wanted: readonly string[], fed: readonly string[]): string[] {
  const finals = new Map<string, string>(wanted.map((id) => [id, ""]));
  for (const { id, receiver, state } of at.query("select message_id as id, receiver, state from messages")) {
    if (state === "duplicate") continue; // sent again by a sender that died before it noted that it had sent it
    // Of one whose receiver died before it could ack, the agent's own record proves that it was delivered.
    const isRight = state === "delivered" || (state === "acked" && !fed.includes(String(receiver)));
    finals.set(String(id), `${finals.get(String(id)) ?? "a stranger, "}${isRight ? "right" : `${state} `}`);
  }
  return [...finals].filter(([, state]) => state !== "right").map(([id, state]) => `${id}: ${state || "not there"}`);
}

function idsSeenBy(at: ScriptAgents, notes: string, name: string): string[] {
  const path = join(notes, `seen-${name}`);
  const fetched = existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  return [...fetched, ...at.heard(name).map(({ id }) => id)];
}

function accountOf(
  at: ScriptAgents,
  notes: string,
  names: readonly string[],
  wanted: readonly string[],
): Pick<StormAccount, "sent" | "lost" | "seenTwice" | "outOfOrder"> {
  const seenTwice: string[] = [];
  const outOfOrder: string[] = [];
  const seenAnywhere = new Set<string>();
  for (const name of names) {
    const last = new Map<string, number>();
    for (const id of idsSeenBy(at, notes, name)) {
      const [sender = "", index = ""] = id.split("-");
      if (seenAnywhere.has(id)) seenTwice.push(`${name} ${id}`);
      seenAnywhere.add(id);
      if (Number(index) < (last.get(sender) ?? -1)) outOfOrder.push(`${name} ${id}`);
      last.set(sender, Number(index));
    }
  }
  return { sent: wanted.length, lost: wanted.filter((id) => !seenAnywhere.has(id)), seenTwice, outOfOrder };
}
