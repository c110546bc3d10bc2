// Messages that no model may see, kept with the reason beside them until a person or a sweep decides.

import { type Complaint, isComplaint, refusalOf } from "../../protocol/envelope.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { Bus } from "./bus.ts";
import { move } from "./claim.ts";
import { record } from "./bus-journal.ts";
import { readEnvelope } from "./judge-envelope.ts";
import { step } from "./kill-points.ts";
import { Mailbox, type Room } from "./mailbox.ts";
import { makeMessageName, readMessageName } from "./message-name.ts";

export interface Poisoned {
  readonly name: string;
  readonly sender: string | undefined;
  readonly bytes: number;
  /** Absent when the process died before it could write it, or somebody removed it. */
  readonly reason?: PoisonReason;
}

export interface PoisonReason {
  readonly code: string;
  readonly message: string;
  readonly at: string;
  /** The entry's original name, if it was not named as messages are. */
  readonly originalName?: string;
}

const reasonSuffix = ".reason.json";
/** Sender of what has none that can be believed. */
const nobody = "agentunknown";

/**
 * Puts an entry aside. The reason is written first, so that whatever lies in poison/ can say why. Neither is synced here: a
 * flood of rubbish must not cost an fsync apiece, and what power takes back is judged again.
 */
export function poison(bus: Bus, box: Mailbox, room: Room, file: string, name: string, complaint: Complaint): void {
  // A strange name could be too long for a suffix, or end like a reason: such an entry gets a name of ours.
  const known = readMessageName(name) !== undefined;
  const kept = known ? name : makeMessageName(bus, bus.liveness.self().pid, nobody).name;
  const reason: PoisonReason = {
    code: complaint.code,
    message: complaint.message,
    at: new Date(bus.clock.nowMs()).toISOString(),
    ...(known ? {} : { originalName: name }),
  };
  const beside = `${kept}${reasonSuffix}`;
  box.room("poison").write(beside, `${JSON.stringify(reason)}\n`, { sync: false });
  step("bus.poison.reason-written");
  if (!move(box, room, file, "poison", kept)) {
    box.room("poison").remove(beside);
    return;
  }
  step("bus.poison.moved");
  record(bus, [{ state: "poisoned", to: box.agent, name: kept, complaint }]);
}

/** Oldest first. */
export function listPoison(bus: Bus, agent: string): Poisoned[] {
  using box = Mailbox.find(bus, agent);
  return box === undefined ? [] : poisonIn(box);
}

export function poisonIn(box: Mailbox): Poisoned[] {
  return box
    .names("poison")
    .filter((name) => !name.endsWith(reasonSuffix))
    .map((name) => {
      const reason = reasonOf(box, name);
      return {
        name,
        sender: readMessageName(name)?.sender,
        bytes: box.room("poison").stat(name)?.size ?? 0,
        ...(reason === undefined ? {} : { reason }),
      };
    });
}

/** Puts a message back into the inbox when its content has been mended; refuses with what is still wrong with it. */
export function retryPoison(bus: Bus, agent: string, name: string): { name: string } {
  using box = Mailbox.find(bus, agent);
  const envelope = box === undefined ? "gone" : readEnvelope(box, "poison", plain(name));
  if (box === undefined || envelope === "gone") throw unknown(agent, name);
  if (isComplaint(envelope)) throw refusalOf(envelope);
  const known = readMessageName(name);
  const target =
    known?.sender === envelope.from ? name : makeMessageName(bus, bus.liveness.self().pid, envelope.from).name;
  if (!move(box, "poison", name, "inbox", target)) throw unknown(agent, name);
  box.room("poison").remove(`${name}${reasonSuffix}`);
  box.sync("inbox", "poison");
  return { name: target };
}

/** Removes a message for good. */
export function dropPoison(bus: Bus, agent: string, name: string): void {
  using box = Mailbox.find(bus, agent);
  if (box === undefined || !box.room("poison").removeTree(plain(name))) throw unknown(agent, name);
  box.room("poison").remove(`${name}${reasonSuffix}`);
  box.sync("poison");
}

function reasonOf(box: Mailbox, name: string): PoisonReason | undefined {
  try {
    const bytes = box.room("poison").read(`${name}${reasonSuffix}`, { maxBytes: 64 * 1024 });
    return bytes === undefined ? undefined : (JSON.parse(bytes.toString("utf8")) as PoisonReason);
  } catch {
    return undefined;
  }
}

function plain(name: string): string {
  if (name === "" || name.startsWith(".") || name.includes("/")) {
    throw new Refusal("bus.unknown-message", `not the name of a message: ${JSON.stringify(name)}`);
  }
  return name;
}

const unknown = (agent: string, name: string): Refusal =>
  new Refusal("bus.unknown-message", `${agent} has no poisoned message ${name}`, { agent, name });
