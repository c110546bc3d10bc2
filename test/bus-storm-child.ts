// A program for fault tests of the bus: one sender or one receiver, made so that it may be killed at any moment and started
// again. It knows where it was by what it wrote down itself, as an agent does.
//   bus-storm-child.ts send <home> <notes> <from> <count> <agents> <fed> <one in>
//                     sends `count` messages to the other agents, one in so many of them to the last `fed` agents
//   bus-storm-child.ts send-to-many <home> <notes> <from> <count> <agents>       the same, each message to all of agent1…
//   bus-storm-child.ts receive <home> <notes> <agent>                  receives until <notes>/stop exists and no mail is left
// With BUS_DIRECTLY set it asks the system as processes do that live long.

import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Bus } from "../src/floor/bus/bus.ts";
import { askSystemDirectly } from "../src/files/directory-calls.ts";
import { drain } from "../src/floor/bus/drain.ts";
import { listMailbox } from "../src/floor/bus/list.ts";
import { send } from "../src/floor/bus/send.ts";
import { sendToMany } from "../src/floor/bus/send-to-many.ts";
import { settle } from "../src/floor/bus/settle.ts";
import { waitForMail } from "../src/floor/bus/wait.ts";
import { realBus } from "./bus-kit.ts";

const [mode, home = "", notes = "", self = "", ...spread] = process.argv.slice(2);
const [count = 0, agents = 0, fed = 0, oneIn = 1] = spread.map(Number);

if (process.env["BUS_DIRECTLY"] === "1") askSystemDirectly();
if (mode === "send") sendAll();
else if (mode === "send-to-many") sendToAll();
else await receiveAll();

function sendAll(): void {
  const bus = realBus(home);
  const ledger = join(notes, `sent-${self}`);
  for (let index = linesOf(ledger).length; index < count; index++) {
    const to = `agent${receiverOf(index)}`;
    // The same id on every try: whoever dies after sending and before noting it sends the message twice.
    send(bus, { from: self, to, text: `message ${index}`, id: `${self}-${index}` });
    appendFileSync(ledger, `${index}\n`);
  }
}

function sendToAll(): void {
  const bus = realBus(home);
  const ledger = join(notes, `sent-${self}`);
  const to = Array.from({ length: agents }, (_, at) => `agent${at + 1}`);
  for (let index = linesOf(ledger).length; index < count; index++) {
    sendToMany(bus, { from: self, text: `message ${index}`, id: `${self}-${index}` }, to);
    appendFileSync(ledger, `${index}\n`);
  }
}

function receiverOf(index: number): number {
  const own = Number(self.slice(5));
  const fetching = agents - fed;
  const toFed = fed > 0 && index % oneIn === 0;
  const [first, many] = toFed ? [fetching, fed] : [0, fetching];
  const others = Array.from({ length: many }, (_, at) => first + at).filter((other) => other !== own);
  return others[(toFed ? index / oneIn : index) % others.length] ?? first;
}

async function receiveAll(): Promise<void> {
  const transcript = join(notes, `seen-${self}`);
  const bus: Bus = realBus(home, {
    proofOfDelivery: (_, envelope) => (linesOf(transcript).includes(envelope.id ?? "") ? "arrived" : "never-arrived"),
  });
  for (;;) {
    const stopping = existsSync(join(notes, "stop"));
    const { messages } = await drain(bus, self, { maxCount: 20 });
    for (const { envelope } of messages) appendFileSync(transcript, `${envelope.id}\n`);
    settle(bus, self, messages, "acked");
    if (messages.length > 0) continue;
    const { counts } = listMailbox(bus, self, 0);
    if (stopping && counts.inbox + counts.claimed + counts.handedOut === 0) return;
    await waitForMail(bus, self, { deadlineMs: 200 });
  }
}

/** Whole lines only: a line that was being written when we were killed was not written. */
function linesOf(path: string): string[] {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
}
