// The ticker: a terminal named `agentticker` in which `constel watchdog ticker` calls the watchdog once a minute. It acts for
// the owner, so it carries no agent's name in its environment.

import type { AgentLaunch } from "../../ports/agent-launch.ts";
import type { Terminal } from "../../ports/terminal.ts";
import { Refusal } from "../../protocol/errors.ts";
import { tickerAgent } from "./agent-names.ts";
import type { AgentPorts } from "./agent-ports.ts";
import { openTerminal, type Opened } from "./open-terminal.ts";

export function startTicker(
  ports: AgentPorts,
  terminals: readonly Terminal[],
  before: AgentLaunch | undefined,
): Promise<Opened> {
  if (!ports.mayActForOwner())
    throw new Refusal("authority.owner", "the ticker acts for the owner, so an agent may not start it");
  const { home, root } = ports;
  const [program = "", ...rest] = ports.wishes.self;
  const argv = [program, ...rest, "watchdog", "ticker", "--home", home, "--root", root] as const;
  const wanted: AgentLaunch = {
    agent: tickerAgent,
    role: "ticker",
    wanted: "up",
    runtime: "script",
    launch: {
      agent: tickerAgent,
      home,
      cwd: root,
      program,
      promptFile: "",
      permissions: "ask",
      hookCommand: [],
      trusted: true,
      command: argv,
    },
    tmuxSocket: ports.tmuxSocket,
    sinceMs: ports.clock.nowMs(),
    because: "up",
  };
  const env = { ...ports.machine.env, CONSTEL_HOME: home, CONSTEL_ROOT: root };
  // Not in a control group: what it starts (the daemon, a restart) outlives it.
  return openTerminal(ports, { wanted, argv: [...argv], env, enclosed: false }, terminals, before);
}
