// Gives an agent that is back what its predecessor left: one envelope for the newest handoff of each kind, then the archive. The
// file's name is the idempotency key, so that a death between sending and archiving gives nobody the same handoff twice. How the
// envelope reaches the agent, and the proof that it did, is the bus's.

import { tickerAgent } from "../agents/agent-names.ts";
import type { Bus } from "../bus/bus.ts";
import { send } from "../bus/send.ts";
import { Refusal } from "../../protocol/errors.ts";
import { archiveHandoff, type HandoffFile, isHandoffGenuine, pendingHandoffs, readHandoff } from "./handoff-files.ts";
import { restartStep } from "./restart-steps.ts";

export interface GivenHandoff {
  readonly name: string;
  /** Of the envelope; undefined when a later handoff stood for it, the file was empty, or constel did not write it. */
  readonly message: string | undefined;
}

export function deliverHandoffs(
  { bus, isGenuine }: { readonly bus: Bus; isGenuine(text: string): boolean },
  agent: string,
): readonly GivenHandoff[] {
  const pending = pendingHandoffs(bus.home).filter((one) => one.agent === agent);
  return pending.map((one) => {
    const isOurs = isHandoffGenuine({ home: bus.home, isGenuine }, one);
    const text = !isOurs || isSuperseded(one, pending) ? undefined : readHandoff(bus.home, one);
    const message = text === undefined || text.trim() === "" ? undefined : sendOne(bus, one, text);
    if (message === "waits") return { name: one.name, message: undefined };
    restartStep("restart.handoff-sent");
    archiveHandoff(bus.home, one.name);
    restartStep("restart.handoff-archived");
    return { name: one.name, message };
  });
}

/** Of several ends in a row, the last tells; what an operator wrote always counts. */
function isSuperseded(one: HandoffFile, pending: readonly HandoffFile[]): boolean {
  return one.by !== "operator" && pending.some((other) => other.by !== "operator" && other.atMs > one.atMs);
}

/** `waits`: while the keys of the home are lost it could not be signed, and nobody would believe it. */
function sendOne(bus: Bus, { name, agent }: HandoffFile, text: string): string {
  const key = name.replace(/\.md$/, "");
  const draft = { from: tickerAgent, to: agent, kind: "handoff", text, idempotency_key: `handoff ${key}` };
  try {
    return send(bus, draft).envelope.id;
  } catch (cause) {
    if (cause instanceof Refusal && cause.code.startsWith("keys.")) return "waits";
    throw cause;
  }
}
