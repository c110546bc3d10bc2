// The step that looks for agents that hang: one capture of all screens, one look at each inbox and hook file, and questions only
// about those of whom nothing moved for half an hour. A hang is marked and told once; when it is still one at the next tick, the
// agent is restarted with what it had in hand.

import { restartCommand } from "../../protocol/agent-id.ts";
import { counted } from "../../protocol/counted.ts";
import type { AgentLaunch } from "../../ports/agent-launch.ts";
import type { AgentState, Screen as PaneScreen } from "../../ports/runtime.ts";
import { screenHash } from "../../ports/screen-hash.ts";
import type { Terminal } from "../../ports/terminal.ts";
import { agentsWithMailbox } from "../bus/list.ts";
import { Mailbox } from "../bus/mailbox.ts";
import { allInboxStates, type InboxState, seeInbox } from "../markers/inbox-state.ts";
import { allPaneHashes, type PaneHash, seePaneHash } from "../markers/pane-hash.ts";
import { quietUntil } from "../markers/quiet-until.ts";
import { addRestartAttempt } from "../markers/restart-attempts.ts";
import { witness } from "../markers/witnessed-time.ts";
import { draftHandoff } from "../restart/draft-handoff.ts";
import { underWay } from "../restart/restart-status.ts";
import { sessionOf } from "../restart/resume-id.ts";
import { openToolSince, reasonNotToMind, reasonToSpare, signOfWork, type Work } from "./hang-policy.ts";
import { restartWindowMs } from "./policy.ts";
import { tickPoint } from "./tick-points.ts";
import type { TickSight, TickStep } from "./tick.ts";
import { note, type WatchPorts } from "./watch-ports.ts";
import { hasMarker, putNewMarker, removeMarker } from "../markers/marker-files.ts";
import { agentsMarked, markers } from "../markers/markers.ts";

export function hangStep(ports: WatchPorts): TickStep {
  return {
    name: "hangs",
    deadlineMs: 30_000,
    async take(sight) {
      const living = livingOf(sight);
      const memory = remembered(ports);
      const screens = await ports.terminals.captureMany(living.map(({ launch }) => launch.agent));
      const suspects = living.flatMap((one): Suspect[] => {
        const text = screens.get(one.launch.agent)?.text;
        return text === undefined ? [] : suspectsOf(ports, one, text, memory);
      });
      if (suspects.length === 0) return `${living.length} checked, none hangs`;
      const answers = await Promise.all(suspects.map((suspect) => judge(ports, suspect)));
      return answers.join("; ");
    },
  };
}

interface Living {
  readonly launch: AgentLaunch;
  readonly terminal: Terminal;
}

interface Suspect extends Living {
  readonly text: string;
  readonly stillMs: number;
  /** Messages in its inbox. */
  readonly waiting: number;
}

function livingOf(sight: TickSight): Living[] {
  return sight.terminals.flatMap((terminal): Living[] => {
    const launch = sight.launches.get(terminal.name);
    if (launch === undefined || terminal.dead || launch.wanted !== "up" || launch.role === "ticker") return [];
    return [{ launch, terminal }];
  });
}

/** The observations of earlier ticks, and the facts that hold for all agents, by one look each. */
interface Memory {
  readonly witnessedMs: number;
  readonly isQuiet: boolean;
  readonly hashes: ReadonlyMap<string, PaneHash>;
  readonly inboxes: ReadonlyMap<string, InboxState>;
  readonly withMailbox: ReadonlySet<string>;
  readonly hung: ReadonlySet<string>;
}

function remembered(ports: WatchPorts): Memory {
  const { home, clock } = ports;
  return {
    witnessedMs: witness(home, ports.uptimeMs()),
    isQuiet: quietUntil(home, clock) !== undefined,
    hashes: allPaneHashes(home),
    inboxes: allInboxStates(home),
    withMailbox: new Set(agentsWithMailbox(ports.bus)),
    hung: new Set(agentsMarked(home, markers.hang)),
  };
}

/** None or one. Remembers what was seen, and lets go of a hang that is over. */
function suspectsOf(ports: WatchPorts, living: Living, text: string, memory: Memory): Suspect[] {
  const { home } = ports;
  const { witnessedMs, isQuiet } = memory;
  const { agent, role, sinceMs: launchedMs } = living.launch;
  // The title too: some programs turn their spinner there and nowhere else.
  const hash = screenHash([text, living.terminal.title, ports.hooks(agent)?.sign ?? ""].join("\0"));
  const { sinceMs: stillSinceMs } = seePaneHash(
    home,
    agent,
    { hash, launchedMs },
    witnessedMs,
    memory.hashes.get(agent),
  );
  const waiting = memory.withMailbox.has(agent) ? waitingIn(ports, agent) : 0;
  const inbox = seeInbox(home, agent, waiting, witnessedMs, memory.inboxes.get(agent));
  const reason = reasonNotToMind({
    role,
    nowMs: witnessedMs,
    stillSinceMs,
    isQuiet,
    watchdogReady: role === "watchdog" && hasMarker(home, markers.watchdogReady),
    inbox,
  });
  if (reason === undefined) return [{ ...living, text, waiting, stillMs: witnessedMs - stillSinceMs }];
  if (memory.hung.has(agent) && witnessedMs === stillSinceMs) letGo(ports, agent, "it moves again");
  return [];
}

function waitingIn(ports: WatchPorts, agent: string): number {
  using box = Mailbox.find(ports.bus, agent);
  return box?.names("inbox").length ?? 0;
}

async function judge(ports: WatchPorts, suspect: Suspect): Promise<string> {
  const { agent } = suspect.launch;
  const work = await workOf(ports, suspect);
  const sign = signOfWork(work);
  if (sign !== undefined) {
    letGo(ports, agent, sign);
    return `${agent}: ${sign}`;
  }
  const minutes = Math.floor(suspect.stillMs / 60_000);
  const spare = reasonToSpare(work);
  const says = `nothing moved for ${counted(minutes, "minute")}`;
  if (!hasMarker(ports.home, markers.hang(agent))) {
    putNewMarker(ports.home, markers.hang(agent), `${new Date(ports.clock.nowMs()).toISOString()} ${says}`);
    tickPoint("tick.hang-marked");
    note(ports, "agent.hung", { agent, says });
    await tell(ports, agent, { says, spare }, true);
    return `${agent}: hangs, ${says}`;
  }
  await tell(ports, agent, { says, spare }, false);
  if (spare !== undefined) return `${agent}: ${says}; left alone, because ${spare}`;
  // Nobody can tell what it does, and nothing waits for it: the owner was told, and a restart every half hour would help nobody.
  if (work.state !== "busy" && suspect.waiting === 0 && work.state !== "dead")
    return `${agent}: ${says}; left alone, because nothing waits for it`;
  return `${agent}: ${await restart(ports, suspect, says)}`;
}

async function workOf(ports: WatchPorts, suspect: Suspect): Promise<Work> {
  const { launch, terminal, text, stillMs } = suspect;
  const { title, cursorX, cursorY, inMode, dead } = terminal;
  const screen: PaneScreen = { text, title, cursorX, cursorY, inMode, dead };
  const pane = { capture: () => Promise.resolve(screen), paste: no, enter: no, keys: no, leaveMode: no };
  let state: AgentState | undefined;
  let since: number | undefined;
  try {
    const runtime = ports.runtimeNamed(launch.runtime);
    const evidence = await runtime.observe({ ...sessionOf(launch), pane }, ports.machine);
    ({ state } = runtime.status(evidence));
    since = openToolSince(evidence.hooks);
  } catch {
    state = undefined; // its processes are looked at all the same
  }
  const processes = await ports.activity(launch, since);
  const drawnAgoMs = ports.clock.nowMs() - terminal.lastActivityMs;
  return {
    stillMs,
    state,
    drawnAgoMs,
    inToolMs: since === undefined ? undefined : ports.clock.nowMs() - since,
    processes,
  };
}

const no = (): Promise<never> => Promise.reject(new Error("this only looks"));

async function tell(
  ports: WatchPorts,
  agent: string,
  { says, spare }: { readonly says: string; readonly spare: string | undefined },
  isNew: boolean,
): Promise<void> {
  if (hasMarker(ports.home, markers.paged.hang(agent))) return;
  const next =
    spare === undefined
      ? `When work waits for it, it is restarted with a handoff at the next tick. Look now: constel attach ${agent}. Leave it alone: constel quiet 2h`
      : `It is inside a tool call and is not restarted, because ${spare}. Look: constel attach ${agent}. Restart it: ${restartCommand(agent)}`;
  const message = {
    subject: `${agent} hangs`,
    body: `${says}: its screen and its hooks stand still, and it is neither idle nor waiting.\n${next}`,
  };
  const answer = await ports.page(message, { leaveMarker: isNew });
  if (answer.told || answer.channels === 0) putNewMarker(ports.home, markers.paged.hang(agent), answer.line);
  tickPoint("tick.paged");
}

/** It was told a tick ago and nothing has changed since. */
async function restart(ports: WatchPorts, { launch }: Suspect, says: string): Promise<string> {
  const { home, clock, random } = ports;
  const { agent } = launch;
  if (launch.restart === "never") return `hangs, ${says}; its restart kind is never`;
  if (hasMarker(home, markers.crashloop(agent))) return `hangs, ${says}; it is quarantined`;
  if (underWay(home, ports.liveness, clock.nowMs()).has(agent)) return "a restart is under way";
  await draftHandoff(ports, { launch, by: "hang", what: says });
  tickPoint("tick.handoff-drafted");
  addRestartAttempt(home, agent, { nowMs: clock.nowMs(), windowMs: restartWindowMs }, random);
  tickPoint("tick.attempt-recorded");
  note(ports, "agent.restarting", { agent, says: `it hangs: ${says}` });
  ports.spawnRestart({ agents: [agent], because: "hang", fresh: false });
  tickPoint("tick.restart-spawned");
  return `hangs, ${says}; restarting`;
}

function letGo(ports: WatchPorts, agent: string, says: string): void {
  if (removeMarker(ports.home, markers.paged.hang(agent), markers.hang(agent)))
    note(ports, "agent.moves-again", { agent, says });
}
