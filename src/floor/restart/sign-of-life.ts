// Judges whether an agent that was started is ready: started is not ready. The readiness line of `session up` is the best proof, then what
// its runtime says of it. A terminal whose program has ended tells in its own words why.

import type { AgentLaunch } from "../../ports/agent-launch.ts";
import type { AgentState, Screen } from "../../ports/runtime.ts";
import { forModelInline } from "../../protocol/safe-text.ts";
import type { AgentPorts } from "../agents/agent-ports.ts";
import { sessionsSoFar } from "../session/session-count.ts";
import { sessionOf } from "./resume-id.ts";

export interface Sign {
  /** `none`: not yet. */
  readonly state: "alive" | "dead" | "none";
  readonly says: string;
  /** Dead: the program ended itself; nobody killed it. */
  readonly byItself?: boolean;
}

/** In these a program has come as far as it gets by itself. */
const arrived: ReadonlySet<AgentState> = new Set([
  "idle",
  "busy",
  "waiting-permission",
  "waiting-answer",
  "limited",
  "logged-out",
]);

/** As a shell tells of a signal that ended its command. */
const leastSignal = 128;

/** `sessions`: how many it had had before this launch. */
export async function signOfLife(
  ports: Pick<AgentPorts, "home" | "terminals" | "machine" | "runtimeNamed">,
  launch: AgentLaunch,
  sessions: number,
): Promise<Sign> {
  const { agent } = launch;
  const terminal = (await ports.terminals.list()).find(({ name }) => name === agent);
  if (terminal === undefined) return { state: "dead", says: "its terminal is gone" };
  const text = (await ports.terminals.captureMany([agent])).get(agent)?.text ?? "";
  if (terminal.dead) {
    const says = lastWords(text) || "its program has ended without a word";
    return { state: "dead", says, byItself: (terminal.exitStatus ?? leastSignal) < leastSignal };
  }
  if (sessionsSoFar(ports.home, agent) > sessions) return { state: "alive", says: "its session has started" };
  const { title, cursorX, cursorY, inMode, dead } = terminal;
  const screen: Screen = { text, title, cursorX, cursorY, inMode, dead };
  const pane = { capture: () => Promise.resolve(screen), paste: no, enter: no, keys: no, leaveMode: no };
  const runtime = ports.runtimeNamed(launch.runtime);
  const { state, rests } = runtime.status(await runtime.observe({ ...sessionOf(launch), pane }, ports.machine));
  return arrived.has(state) ? { state: "alive", says: `${state}: ${rests.says}` } : { state: "none", says: rests.says };
}

const no = (): Promise<never> => Promise.reject(new Error("this only looks"));

/** The last lines that a program showed, as one: what it says of its end stands there. */
export function lastWords(screen: string, most = 300): string {
  const lines = screen.split("\n").map((line) => line.trim());
  // tmux itself writes a last line into a dead terminal.
  const said = lines.filter((line) => line !== "" && !line.startsWith("Pane is dead ("));
  const words = forModelInline(said.slice(-3).join(" ")).trim();
  return words.length > most ? `…${words.slice(-most)}` : words;
}
