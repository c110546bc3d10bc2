// Does what the daemon does about agents by itself: sees how they are, brings them their messages, counts what they use. The three loops
// share one fleet and wake each other.

import { join } from "node:path";
import { reactions } from "../../core/reactions.ts";
import { allPrices } from "../../core/costs/owner-prices.ts";
import { briefKind } from "../../core/agents/take-brief.ts";
import { briefArrived, standingOfBrief } from "../../core/tasks/assigning/arrival.ts";
import { inheritedEnvironment } from "../../floor/agents/agent-environment.ts";
import type { Bus } from "../../floor/bus/bus.ts";
import { pushInbox } from "../../floor/push/push-inbox.ts";
import { busTrust } from "../../host/keys/bus-trust.ts";
import { agentTrees } from "../../host/process/agent-trees.ts";
import { childEnvironment } from "../../host/process/child-environment.ts";
import { ownCommand, ownEnvironment } from "../../host/process/own-command.ts";
import { systemLiveness } from "../../host/process/liveness.ts";
import { systemProcesses } from "../../host/process/run.ts";
import { runtimeNamed } from "../../host/runtime/all.ts";
import { TmuxTerminals } from "../../host/tmux/tmux-terminals.ts";
import { constellationHolder } from "../../ports/keys.ts";
import { briefSender } from "../../ports/deliver.ts";
import type { RuntimeMachine } from "../../ports/runtime.ts";
import type { Terminals } from "../../ports/terminal.ts";
import { readEnv } from "../../settings/env.ts";
import { budgetIn } from "../../settings/agents-budget.ts";
import type { Settings } from "../../settings/settings.ts";
import { inHome } from "../../settings/paths.ts";
import type { LoopParts } from "../loops/loop-parts.ts";
import { makeTrustedDirectory } from "../../files/trusted-files.ts";
import type { Round } from "../loops/react.ts";
import { Deliveries } from "./deliveries.ts";
import { Elsewhere } from "./go-on-elsewhere.ts";
import { Fleet } from "./fleet.ts";
import { TickerKeeper } from "./keep-ticker.ts";
import { QuickReturn } from "./quick-return.ts";
import { Reaper } from "./reap-dead.ts";
import { tellToGoOn } from "./go-on.ts";
import { StoppableClock } from "./inject.ts";
import { UsageAccount } from "./usage.ts";

const soonMs = reactions.agents.everyMs;
/** While nothing changes, sweeps come ever less often, down to this. */
const seldomMs = 5000;
/** The kernel is asked this often whether a program has ended: it costs next to nothing, and a death is seen in two seconds. */
const leadersMs = 1000;
/** Hooks of many agents at work come in bursts; one look answers for all of them. */
const gapMs = 100;
/** The remains of a dead program have nothing to save that a few seconds would not do for. */
const reapGraceMs = 3000;

export function agentLoops(parts: LoopParts): Readonly<Record<"agents" | "deliver" | "usage", Round>> {
  const { store, clock, random, log } = parts;
  const { home, config } = parts.settings;
  const stopping = new AbortController();
  const env = inheritedEnvironment(childEnvironment(readEnv()), home);
  const machine: RuntimeMachine = {
    processes: systemProcesses,
    clock: new StoppableClock(clock, stopping.signal),
    env,
  };
  const servers = new Map<string, Terminals>();
  const wakes: Record<"agents" | "deliver", () => void> = { agents: () => {}, deliver: () => {} };
  const terminalsOn = (socket: string): Terminals => {
    let terminals = servers.get(socket);
    if (terminals === undefined) {
      terminals = new TmuxTerminals({ socket, env, clock, lockPath: join(home, inHome.tmuxLock) });
      terminals.onChange(() => wakes.agents());
      servers.set(socket, terminals);
    }
    return terminals;
  };
  const bus: Bus = {
    home,
    clock,
    random,
    liveness: systemLiveness,
    ...busTrust(home, clock, () => constellationHolder),
  };
  const fleet = new Fleet({
    home,
    clock,
    store,
    machine,
    runtimeNamed,
    terminalsOn,
    pushInbox: (agent) => pushInbox(home, agent, systemLiveness),
    words: parts.words,
    log,
  });
  parts.screens?.findBy((agent) => {
    const member = fleet.member(agent);
    return member === undefined ? undefined : { terminals: terminalsOn(member.launch.tmuxSocket) };
  });
  const usage = new UsageAccount({
    home,
    runtimeNamed,
    fleet,
    store,
    clock,
    machine,
    budget: budgetIn(config),
    prices: allPrices(config["usage.prices"]),
    log,
  });
  const context = { store, clock, random, constellation: store.constellation, actor: "daemon" };
  const deliveries = new Deliveries({
    bus,
    fleet,
    machine,
    proofMs: config["delivery.proof_ms"],
    doubtMs: config["delivery.doubt_ms"],
    budgetReached: (agent) => usage.budgetReached(agent),
    async standing(agent, { envelope: { id, kind, from }, verified }) {
      if (!verified || kind !== briefKind || id === undefined || from !== briefSender) return "words";
      return standingOfBrief(context, { agent, dispatch: id });
    },
    async arrived(agent, envelope) {
      const { id, kind, from } = envelope;
      if (kind !== briefKind || id === undefined || from !== briefSender) return;
      await briefArrived(context, { dispatch: id, agent }, "its own proof");
    },
    stirred() {
      wakes.agents();
      wakes.deliver();
    },
    log,
  });
  const trees = agentTrees({ clock, graceMs: reapGraceMs, spare: () => [process.pid] });
  const ticker = new TickerKeeper({ clock, tick: () => callWatchdog(parts.settings) });
  const quickReturn = new QuickReturn({ clock, tick: () => callWatchdog(parts.settings) });
  const elsewhere = new Elsewhere({ settings: parts.settings, store, bus, log });
  const reaper = new Reaper({ home, trees, terminalsOn, log });
  let waitMs: number = soonMs;
  let lastMs = -Infinity;
  let isHinted = true;
  /** The files that agents write can be watched here: without news a sweep has nothing to find but an end. */
  let areWatched = false;
  let isFirst = true;
  let users = 2;
  /** The last of the two loops that use terminals closes them. */
  const letGo = async (): Promise<void> => {
    users -= 1;
    if (users === 0) await Promise.all([...servers.values()].map((terminals) => terminals.close()));
  };

  const made = new Set<string>();
  /** A missing inbox cannot be watched, and the first message would wait for a round. */
  const makeInbox = (agent: string): void => {
    if (made.has(agent)) return;
    made.add(agent);
    try {
      makeTrustedDirectory(home, inHome.inbox(agent));
    } catch {
      // a planted link or a full disk: looking at the mailbox will say it
    }
  };

  const agents: Round = {
    directories: () => [join(home, inHome.agents), join(home, inHome.hooks)],
    begin(wake) {
      wakes.agents = () => {
        isHinted = true;
        wake();
      };
    },
    async round(signal, isQuiet) {
      const sinceMs = clock.monotonicMs() - lastMs;
      areWatched ||= isQuiet === true;
      if (isQuiet === true && !isHinted && sinceMs < waitMs && !fleet.hasLostLeader())
        return Math.min(leadersMs, waitMs - sinceMs);
      isHinted = false;
      if (sinceMs < gapMs) await clock.sleep(gapMs - sinceMs, signal);
      const changed = await fleet.sweep();
      lastMs = clock.monotonicMs();
      await reaper.round(fleet.members());
      ticker.round(fleet.members());
      quickReturn.round(fleet.members());
      if (isFirst || changed.some(({ seen }) => seen.state === "idle")) {
        await tellToGoOn(store, bus, config["limits.resume"]);
      }
      if (fleet.members().some(({ seen }) => seen.state === "limited")) await elsewhere.round();
      isFirst = false;
      if (changed.length > 0) wakes.deliver();
      const lastNewsMs = Math.max(0, ...fleet.members().map(({ newsMs }) => newsMs));
      waitMs = lastMs - lastNewsMs < seldomMs ? soonMs : Math.min(seldomMs, waitMs + soonMs);
      if (fleet.awaitsEnds()) return gapMs;
      return quickReturn.awaitsReturn(fleet.members()) ? soonMs : areWatched ? leadersMs : waitMs;
    },
    end: letGo,
  };
  const deliver: Round = {
    directories: () =>
      fleet.members().map(({ agent }) => {
        makeInbox(agent);
        return join(home, inHome.inbox(agent));
      }),
    begin(wake) {
      wakes.deliver = wake;
    },
    async round(_, isQuiet) {
      await deliveries.round(isQuiet);
      return undefined;
    },
    async end() {
      stopping.abort();
      await deliveries.settled();
      await letGo();
    },
  };
  const usageRound: Round = {
    async round() {
      if (await usage.round()) wakes.deliver();
      return undefined;
    },
  };
  return { agents, deliver, usage: usageRound };
}

/** By itself, and not waited for: what it finds it does and writes down. */
function callWatchdog({ home, root }: Pick<Settings, "home" | "root">): void {
  const { CONSTEL_AGENT: _, AGENT_N: __, ...env } = ownEnvironment(readEnv());
  const command = [...ownCommand(), "watchdog", "tick", "--existing-home", "--home", home, "--root", root];
  Bun.spawn(command, { cwd: home, env, stdin: "ignore", stdout: "ignore", stderr: "ignore" }).unref();
}
