// What workers ask of the machine: their messages on the bus, and the holder in their terminal, which is reached over files alone.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { abilityOf } from "../../core/agents/ability.ts";
import { standingOfBrief } from "../../core/tasks/assigning/arrival.ts";
import type { Context } from "../../core/context.ts";
import type { Answer, Taken, TakenMessage, TurnRecord, WorkerMachine } from "../../core/workers/worker-machine.ts";
import type { Cause } from "../../core/workers/worker.ts";
import { isTakenUp } from "../../core/workers/workers.sql.ts";
import { answerKind } from "../../core/workers/answer-kind.ts";
import { readLaunch } from "../../floor/agents/launch-files.ts";
import type { Bus } from "../../floor/bus/bus.ts";
import { drain, type Handed } from "../../floor/bus/drain.ts";
import { messageNamed } from "../../floor/bus/pending.ts";
import { send } from "../../floor/bus/send.ts";
import { giveBack, settle } from "../../floor/bus/settle.ts";
import { findReceived } from "../../floor/bus/threads.ts";
import { pushInbox } from "../../floor/push/push-inbox.ts";
import { systemLiveness } from "../../host/process/liveness.ts";
import { acknowledged } from "../../host/runtime/driving/held.ts";
import { nameOfHolder, readTurn } from "../../host/runtime/driving/turns.ts";
import { readHooks } from "../../host/runtime/hook-records.ts";
import { briefSender } from "../../ports/deliver.ts";
import { type Envelope, threadOf } from "../../protocol/envelope.ts";
import { messageOf, Refusal } from "../../protocol/errors.ts";
import { withoutWrapperTokens } from "../../protocol/wrapper-tokens.ts";
import { killPoint } from "../../settings/kill-at.ts";
import { inHome } from "../../settings/paths.ts";
import { storedTexts } from "../door/stored-texts.ts";
import { deliveryText } from "../agents/message-id.ts";

/** More wait for the next turn: a model that is given hundreds at once answers none of them well. */
const mostInATurn = 40;
const mostBytes = 128 * 1024;
/** A turn may take a day; nobody else takes messages out of this inbox. */
const leaseMs = 24 * 3_600_000;

export interface WorkerBusParts {
  readonly bus: Omit<Bus, "proofOfDelivery">;
  readonly context: Context;
  readonly budget: { readonly tokensPerDay: number; readonly microsPerDay: number };
  readonly log: (line: string) => void;
}

export class WorkerBus implements WorkerMachine {
  readonly #bus: Bus;
  readonly #parts: WorkerBusParts;
  readonly #handed = new Map<string, Handed>();

  constructor(parts: WorkerBusParts) {
    this.#parts = parts;
    const { constellation, store } = parts.context;
    this.#bus = {
      ...parts.bus,
      // A daemon that died had either written the turn down, or given the messages to nobody.
      proofOfDelivery: async (agent, { id = "" }) =>
        (await isTakenUp(store.db, { constellation, agent }, id)) ? "arrived" : "never-arrived",
    };
  }

  async take(agent: string): Promise<Taken> {
    const causes = await drain(this.#bus, agent, {
      maxCount: mostInATurn,
      maxBytes: mostBytes,
      leaseMs,
      only: isCause,
    });
    const room = mostInATurn - causes.messages.length;
    const rest =
      causes.more || room === 0
        ? undefined
        : await drain(this.#bus, agent, { maxCount: room, maxBytes: mostBytes, leaseMs });
    const taken: TakenMessage[] = [];
    for (const message of [...causes.messages, ...(rest?.messages ?? [])]) {
      const { envelope, verified } = message;
      const isBrief = verified && envelope.kind === "brief" && envelope.from === briefSender;
      const standing = isBrief
        ? await standingOfBrief(this.#parts.context, { agent, dispatch: envelope.id ?? "" })
        : "words";
      if (typeof standing === "object") {
        settle(this.#bus, agent, [message], "duplicate", standing.stale);
        continue;
      }
      this.#handed.set(message.claim.name, message);
      const text = deliveryText({ ...message, assignment: standing === "assignment" });
      taken.push({ cause: { ...causeOf(envelope), name: message.claim.name }, text });
    }
    return { messages: taken, more: causes.more };
  }

  giveBack(agent: string, messages: readonly TakenMessage[]): void {
    const handed = messages.flatMap(({ cause }) => this.#handed.get(cause.name) ?? []);
    giveBack(this.#bus, agent, handed);
  }

  holder(agent: string): Promise<string | undefined> {
    const launch = readLaunch(this.#bus.home, agent);
    const leader = launch?.wanted === "up" && launch.launch.drive?.worker === true ? launch.leader : undefined;
    return Promise.resolve(
      leader === undefined || systemLiveness.isProvenDead(leader) ? undefined : nameOfHolder(leader),
    );
  }

  put(agent: string, turn: string, text: string): Promise<void> {
    return pushInbox(this.#bus.home, agent, systemLiveness).put(turn, text);
  }

  isLying(agent: string, turn: string): boolean {
    return existsSync(join(this.#bus.home, inHome.push, agent, `${turn}.message`));
  }

  record(agent: string, turn: string): TurnRecord {
    return readTurn(this.#bus.home, agent, turn);
  }

  provenMs(agent: string, turn: string): Promise<number | undefined> {
    const found = readHooks(this.#bus.home, agent, 0).find(
      ({ event, reason, messages }) =>
        event === "prompt-submitted" && reason === acknowledged && messages?.includes(turn) === true,
    );
    return Promise.resolve(found?.at);
  }

  settle(agent: string, causes: readonly Cause[], as: "delivered" | "acked", because: string): void {
    const messages = causes.flatMap(({ name }) =>
      name === undefined ? [] : (messageNamed(this.#bus, agent, name) ?? []),
    );
    settle(this.#bus, agent, messages, as, because);
    for (const { name = "" } of causes) this.#handed.delete(name);
  }

  async keepable(text: string): Promise<string> {
    return withoutWrapperTokens(await storedTexts.hideSecrets(text));
  }

  answer({ id, from, to, text, inReplyTo, thread, task }: Answer): void {
    if (findReceived(this.#bus, to, id) !== undefined) return;
    try {
      send(this.#bus, {
        id,
        idempotency_key: id,
        from,
        to,
        text,
        kind: answerKind,
        ...(inReplyTo === undefined ? {} : { in_reply_to: inReplyTo }),
        ...(thread === undefined ? {} : { thread }),
        ...(task === undefined ? {} : { task }),
      });
    } catch (cause) {
      // What the bus refuses it will refuse again; the answer stays in the worker's log.
      if (!(cause instanceof Refusal) || cause.code === "bus.not-sent") throw cause;
      this.#parts.log(`${from} could not answer ${to}: ${messageOf(cause)}`);
    }
  }

  async held(agent: string): Promise<string | undefined> {
    const { store, constellation, clock } = this.#parts.context;
    const about = { constellation, budget: this.#parts.budget, nowMs: clock.nowMs() };
    return (await abilityOf(store.db, about, agent)).why;
  }

  step(name: Parameters<WorkerMachine["step"]>[0]): void {
    killPoint(name);
  }
}

function causeOf(envelope: Envelope): Cause {
  const { id, from, kind, task } = envelope;
  const thread = threadOf(envelope);
  return {
    kind: kindOf(kind, from),
    from,
    ...(id === undefined ? {} : { message: id }),
    ...(thread === undefined ? {} : { thread }),
    ...(task === undefined ? {} : { task }),
    ...(kind === undefined ? {} : { messageKind: kind }),
  };
}

/** What only informs must not stand in the way of what woke it. */
const isCause = ({ kind, from }: Envelope): boolean => kindOf(kind, from) !== "info";

/** As wake.sql.ts has it; what only informs is read beside what woke it. */
function kindOf(kind: string | undefined, from: string): string {
  if (kind === "brief" || kind === "resume") return "task";
  if (kind?.startsWith("review") === true) return "review";
  if (kind?.startsWith("event.") === true || informing.has(kind ?? "")) return "info";
  return from === "agentcron" || from === "agentloop" ? "schedule" : "message";
}

const informing: ReadonlySet<string> = new Set(["info", "notice", "handoff", "cancelled", "released"]);
