// A machine in memory for tests of starting and ending agents: terminals that run nothing, processes that are only numbers.

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { FakeClock, seededRandom } from "../../ports/fake-clock.ts";
import { FakeTerminals } from "../../ports/fake-terminals.ts";
import type { ConfinedPlan } from "../../ports/confinement.ts";
import type { AgentTree } from "../../ports/process-trees.ts";
import { Refusal } from "../../protocol/errors.ts";
import type {
  AccountWays,
  AgentState,
  Detected,
  HookRecord,
  Launch,
  LiveSession,
  Runtime,
} from "../../ports/runtime.ts";
import { temporaryDirectory } from "../floor.suite.ts";
import type { AgentPorts, AgentSettings } from "./agent-ports.ts";

export interface FakeMachine {
  readonly ports: AgentPorts;
  readonly terminals: FakeTerminals;
  readonly clock: FakeClock;
  /** Trees that were ended, in order. */
  readonly ended: AgentTree[];
  /** The processes that `end` reports as still there. */
  readonly stuck: number[];
  readonly installed: Set<string>;
  /** The reason why nothing can be confined here, and the plans of the agents that are. */
  readonly confinement: { problem: string | undefined; readonly plans: ConfinedPlan[] };
  /** The terminals' server, when it does not end. */
  readonly stuckServer: number[];
  /** The states that the fake programs report, by agent; `idle` when nothing is said. */
  readonly states: Map<string, AgentState>;
  readonly hooks: Map<string, readonly HookRecord[]>;
  /** Conversations that can be resumed, by agent. */
  readonly conversations: Map<string, { readonly id: string; readonly transcript: string }>;
  /** Conversations that were taken along to another account: whose, and where to. */
  readonly carried: string[];
}

export function fakeMachine(settings: Partial<AgentSettings> = {}): FakeMachine {
  const top = temporaryDirectory();
  const home = join(top, "home");
  const root = join(top, "root");
  mkdirSync(home);
  mkdirSync(root);
  const clock = new FakeClock();
  const terminals = new FakeTerminals({ clock });
  const ended: AgentTree[] = [];
  const stuck: number[] = [];
  const stuckServer: number[] = [];
  const installed = new Set(["alpha", "beta"]);
  const states: FakeMachine["states"] = new Map();
  const hooks: FakeMachine["hooks"] = new Map();
  const conversations: FakeMachine["conversations"] = new Map();
  const confinement: FakeMachine["confinement"] = { problem: undefined, plans: [] };
  const carried: string[] = [];
  const accountWays: AccountWays = {
    variable: "ALPHA_HOME",
    async carry({ launch, sessionId }, { account }) {
      carried.push(`${sessionId} of ${launch.agent} to ${account?.name ?? "usual"}`);
    },
  };
  let busy = false;
  const ports: AgentPorts = {
    home,
    root,
    constellation: "constel0",
    clock,
    random: seededRandom(),
    terminals,
    tmuxSocket: "constel-test",
    trees: {
      markOf: (pid) => ({ pid, token: "1-1" }),
      end: async (tree) => {
        ended.push(tree);
        return { found: tree.terminalPid === undefined ? 0 : 1, left: stuck };
      },
      look: () => () => true,
      parentsOf: () => [{ pid: 1000, token: "1-1" }],
      untilEnded: async () => stuckServer,
      agentsAmong: () => [],
      markDescendants: () => false,
      markingWords: () => "",
      enclose: (_, command) => ({ command }),
    },
    machine: {
      clock,
      processes: { run: () => Promise.reject(new Error("nothing is run here")) },
      env: { PATH: "/bin", INSIDE_ANOTHER: "yes" },
    },
    confinement: {
      problem: async () => confinement.problem,
      command(plan, argv) {
        confinement.plans.push(plan);
        return argv;
      },
    },
    runtimeNamed(name) {
      if (!["alpha", "beta", "gone"].includes(name)) throw new Refusal("runtime.unknown", name);
      return fakeRuntime(name);
    },
    detect: (runtime) => runtime.detect(ports.machine),
    makeKey: () => {},
    seal: (json) => json,
    mayActForOwner: () => true,
    isGenuine: (text) => !text.includes('"planted"'),
    wishes: {
      runtime: "alpha",
      runtimeOfRoot: undefined,
      root: true,
      permissions: "edits",
      scriptCommand: [],
      accounts: [],
      self: ["/opt/constel"],
      umask: 0o22,
      confined: false,
      confinedReads: [],
      ...settings,
    },
    async exclusively(work) {
      if (busy) throw new Refusal("agents.busy", "busy");
      busy = true;
      try {
        return await work();
      } finally {
        busy = false;
      }
    },
  };
  const detected = (name: string): Detected => ({
    installed: installed.has(name),
    path: installed.has(name) ? `/bin/${name}` : undefined,
    version: "1.0.0",
    matchesChecked: true,
  });
  const fakeRuntime = (name: string): Runtime =>
    ({
      name,
      checkedVersions: ["1.0.0"],
      ...(name === "alpha" ? { ownFiles: () => ({ copies: [] }), accounts: accountWays } : {}),
      abilities: { ownSessionId: name === "alpha", resume: name === "alpha", hooks: true },
      observe: async ({ launch }: LiveSession) => ({ agent: launch.agent, hooks: hooks.get(launch.agent) ?? [] }),
      status: (evidence: { agent: string }) => {
        const state = states.get(evidence.agent) ?? "idle";
        return { state, rests: { on: "own", says: `it says ${state}` } };
      },
      currentSession: async ({ launch }: LiveSession) => conversations.get(launch.agent)?.id,
      canResume: async ({ launch }: LiveSession) => existsSync(conversations.get(launch.agent)?.transcript ?? ""),
      detect: async () => detected(name),
      prepare: async (launch: Launch) => ({
        files: [{ path: `state/runtime/${launch.agent}/settings.json`, content: "{}\n" }],
        argv: [
          launch.program,
          "--prompt-file",
          launch.promptFile,
          ...(launch.resume === undefined ? [] : ["--resume", launch.resume]),
        ],
        env: { OF_THE_RUNTIME: "1" },
        unset: ["INSIDE_ANOTHER"],
        notes: [`a note of ${name}`],
      }),
    }) as unknown as Runtime;
  const told = { states, hooks, conversations, carried };
  return { ports, terminals, clock, ended, stuck, installed, confinement, stuckServer, ...told };
}
