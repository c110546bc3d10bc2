// A watchdog over a machine in memory: pages, restarts and the clock are the test's. `restart` makes the restarts that were asked
// for, as the detached process would.

import { systemLiveness } from "../../host/process/liveness.ts";
import { type FakeMachine, fakeMachine } from "../agents/agents.suite.ts";
import type { AgentSettings } from "../agents/agent-ports.ts";
import { up } from "../agents/up.ts";
import type { Bus } from "../bus/bus.ts";
import { drain } from "../bus/drain.ts";
import { readRecords } from "../records.ts";
import { restartAgents, type RestartOrder } from "../restart/restart-agents.ts";
import type { RestartStatus } from "../restart/restart-status.ts";
import { type StepsPorts, tickSteps } from "./tick-steps.ts";
import { tick, type TickReport } from "./tick.ts";

export interface Watched extends FakeMachine {
  readonly home: string;
  readonly bus: Bus;
  readonly steps: StepsPorts;
  readonly pages: { readonly subject: string; readonly body: string }[];
  /** Restarts that were asked for and not made yet. */
  readonly asked: RestartOrder[];
  /** True if the owner can be reached. */
  reachable: boolean;
  daemonRuns: boolean;
  daemonIsSilent: boolean;
  startDaemon: () => Promise<void>;
  hookSign: string;
  activity: { readonly cpuMs: number; readonly sinceTool: number } | undefined;
  tick(): Promise<TickReport>;
  /** Makes what was asked for. */
  restart(): Promise<RestartStatus[]>;
  /** Time passes, a tick a minute. */
  minutes(count: number): Promise<void>;
  events(): string[];
}

export function watched(settings: Partial<AgentSettings> = {}): Watched {
  const machine = fakeMachine(settings);
  const { ports, clock } = machine;
  const { home } = ports;
  const bus: Bus = {
    home,
    clock,
    random: ports.random,
    liveness: systemLiveness,
    sign: undefined,
    recorder: undefined,
  };
  const own: Pick<Watched, "pages" | "asked"> = { pages: [], asked: [] };
  const steps: StepsPorts = {
    ...ports,
    bus,
    liveness: systemLiveness,
    keepMs: 30 * 86_400_000,
    uptimeMs: () => clock.monotonicMs(),
    hooks: () => (here.hookSign === "" ? undefined : { sign: here.hookSign, lastMs: clock.nowMs() }),
    activity: async () => here.activity,
    workOf: async (agent, hint) => ({
      tasks:
        hint === undefined
          ? []
          : [{ task: hint, workspace: `/work/of/${agent}`, branch: "a-branch", uncommitted: ["a.ts"] }],
    }),
    spawnRestart: (order) => own.asked.push(order),
    page: async (message) => {
      if (here.reachable) own.pages.push(message);
      return { told: here.reachable, channels: 1, line: here.reachable ? "told" : "nobody was told" };
    },
    daemonNow: async () => (here.daemonIsSilent ? "silent" : here.daemonRuns ? "answers" : "absent"),
    endDaemon: async () => void ((here.daemonIsSilent = false), (here.daemonRuns = false)),
    startDaemon: () => here.startDaemon(),
  };
  const here: Watched = {
    ...machine,
    ...own,
    home,
    bus,
    steps,
    reachable: true,
    daemonRuns: true,
    daemonIsSilent: false,
    startDaemon: async () => void (here.daemonRuns = true),
    hookSign: "",
    activity: { cpuMs: 0, sinceTool: 0 },
    tick: () =>
      tick({
        home,
        constellation: "constel0",
        clock,
        random: ports.random,
        tryTurn: () => ({ release: () => undefined }),
        terminals: () => machine.terminals.list(),
        steps: tickSteps(steps),
      }),
    async restart() {
      const orders = own.asked.splice(0);
      const done: RestartStatus[] = [];
      for (const order of orders) done.push(await moving(clock, restartAgents(steps, order)));
      return done;
    },
    async minutes(count) {
      for (let minute = 0; minute < count; minute++) {
        clock.advance(60_000);
        await here.tick();
      }
    },
    events() {
      const date = new Date(clock.nowMs()).toISOString().slice(0, 10);
      const { records } = readRecords(home, `watchdog-events-${date}.jsonl`, 0);
      return records
        .filter(({ event }) => !String(event).startsWith("tick."))
        .map(({ event, agent }) => `${String(event)} ${String(agent)}`);
    },
  };
  return here;
}

/** So many clones are up, and a tick has seen them. */
export async function withClones(count: number): Promise<Watched> {
  const here = watched();
  await up(here.ports, { clones: count }, async () => {});
  here.clock.advance(5_000);
  await here.tick();
  return here;
}

/** Takes what lies in the inbox. */
export const messagesOf = async (here: Watched, agent: string) =>
  (await drain(here.bus, agent, {})).messages.map(({ envelope }) => envelope);

/** Work that sleeps on the clock, which moves whenever somebody sleeps. */
export async function moving<T>(clock: FakeMachine["clock"], work: Promise<T>): Promise<T> {
  const state = { isDone: false };
  const done = work.finally(() => (state.isDone = true));
  done.catch(() => undefined);
  while (!state.isDone) {
    if (clock.sleeping > 0) clock.advance(250);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return done;
}
