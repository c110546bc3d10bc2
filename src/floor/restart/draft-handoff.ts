// Writes down what an agent had in hand, once for each time it went down: tasks, branches and uncommitted files, last messages, last
// screen. Whatever cannot be learnt is left out and said; a draft is never the reason that an agent stays down.

import type { AgentLaunch } from "../../ports/agent-launch.ts";
import type { Clock } from "../../ports/machine.ts";
import type { Terminals } from "../../ports/terminal.ts";
import { messageOf } from "../../protocol/errors.ts";
import type { Bus } from "../bus/bus.ts";
import { readEnvelope } from "../bus/judge-envelope.ts";
import { Mailbox, type Room } from "../bus/mailbox.ts";
import { withDeadline } from "../deadline.ts";
import { type HandoffFile, handoffName, writeHandoff } from "./handoff-files.ts";
import { type HandoffFacts, handoffText, type WorkInHand } from "./handoff-text.ts";

export interface DraftPorts {
  readonly home: string;
  seal(json: string): string;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly terminals: Pick<Terminals, "captureMany">;
  /** The tasks of an agent, by the database where it can be read, and their workspaces as git shows them. */
  workOf(agent: string, hint: string | undefined, signal: AbortSignal): Promise<WorkInHand>;
}

export interface Ended {
  readonly launch: AgentLaunch;
  readonly by: Exclude<HandoffFile["by"], "operator">;
  readonly what: string;
}

const workDeadlineMs = 8_000;
const screenDeadlineMs = 3_000;
const lastMessages = 5;
/** Of a mailbox that may be long, the newest are looked at. */
const mostLooked = 20;

/** The draft of this launch's end; written before by an earlier tick, it stands. Answers its name. */
export async function draftHandoff(ports: DraftPorts, ended: Ended): Promise<string> {
  const { launch, by, what } = ended;
  const name = handoffName(launch.agent, launch.sinceMs, by);
  const messages = lastMessagesOf(ports.bus, launch.agent);
  const hint = messages.findLast(({ task }) => task !== undefined)?.task;
  const facts: HandoffFacts = {
    agent: launch.agent,
    runtime: launch.runtime,
    atMs: ports.clock.nowMs(),
    what,
    screen: await screenOf(ports, launch.agent),
    messages,
    work: await workOf(ports, launch.agent, hint),
  };
  writeHandoff(ports, name, handoffText(facts));
  return name;
}

async function screenOf(ports: DraftPorts, agent: string): Promise<string> {
  try {
    const screens = await withDeadline(ports.clock, screenDeadlineMs, () => ports.terminals.captureMany([agent]));
    return screens.get(agent)?.text ?? "";
  } catch {
    return ""; // the text says that it is not known
  }
}

export async function workOf(
  ports: Pick<DraftPorts, "clock" | "workOf">,
  agent: string,
  hint: string | undefined,
): Promise<WorkInHand> {
  try {
    return await withDeadline(ports.clock, workDeadlineMs, (signal) => ports.workOf(agent, hint, signal));
  } catch (cause) {
    return { tasks: hint === undefined ? [] : [{ task: hint }], problem: messageOf(cause) };
  }
}

interface Told {
  readonly from: string;
  readonly ts: string;
  readonly text: string;
  readonly task?: string | undefined;
}

/** Returns the last messages that the agent was given, oldest first: settled, or handed out and not settled. */
export function lastMessagesOf(bus: Bus, agent: string): readonly Told[] {
  try {
    using box = Mailbox.find(bus, agent);
    if (box === undefined) return [];
    const files = (["done", "processing"] as const)
      .flatMap((room) => box.names(room).map((file): [Room, string] => [room, file]))
      .sort(([, a], [, b]) => a.localeCompare(b))
      .slice(-mostLooked);
    return files
      .flatMap(([room, file]): Told[] => {
        const envelope = readEnvelope(box, room, file);
        if (envelope === "gone" || "code" in envelope || envelope.kind === "probe") return [];
        return [{ from: envelope.from, ts: envelope.ts, text: envelope.text, task: envelope.task }];
      })
      .slice(-lastMessages);
  } catch {
    return []; // a mailbox that cannot be read is no reason to write nothing
  }
}
