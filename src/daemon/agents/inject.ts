// Gives one message to one agent through its runtime and answers what became of it. What goes wrong on the way is told apart
// by whether anything may have reached the program: only when nothing did is trying again safe.

import { messageOf } from "../../protocol/errors.ts";
import type {
  Delivery,
  LiveSession,
  OutgoingMessage,
  Pane,
  PushInbox,
  Runtime,
  RuntimeMachine,
} from "../../ports/runtime.ts";
import { step } from "./delivery-steps.ts";

export async function injectSafely(
  runtime: Runtime,
  session: LiveSession,
  message: OutgoingMessage,
  machine: RuntimeMachine,
): Promise<Delivery> {
  let touched = false;
  const touch = (): void => {
    touched = true;
  };
  const { pane, push, ...rest } = session;
  const watched: LiveSession = {
    ...rest,
    ...(pane === undefined ? {} : { pane: watchedPane(pane, touch) }),
    ...(push === undefined ? {} : { push: watchedPush(push, touch) }),
  };
  try {
    return await runtime.inject(watched, message, machine);
  } catch (cause) {
    if (machine.clock instanceof StoppableClock && machine.clock.stopped) throw cause;
    return { state: "unknown", way: "none", sent: touched, reason: messageOf(cause) };
  }
}

function watchedPane(pane: Pane, touch: () => void): Pane {
  return {
    capture: () => pane.capture(),
    async paste(text) {
      touch();
      await pane.paste(text);
      step("deliver.pasted");
    },
    async enter() {
      touch();
      await pane.enter();
      step("deliver.entered");
    },
    keys: (...names) => pane.keys(...names),
    leaveMode: () => pane.leaveMode(),
  };
}

function watchedPush(push: PushInbox, touch: () => void): PushInbox {
  return {
    async put(id, text) {
      touch();
      await push.put(id, text);
    },
    withdraw: (id) => push.withdraw(id),
    attended: () => push.attended(),
  };
}

/** A clock whose sleepers are told when the daemon stops: runtimes wait for proof by sleeping, and must not keep it. */
export class StoppableClock {
  readonly #clock: RuntimeMachine["clock"];
  readonly #signal: AbortSignal;

  constructor(clock: RuntimeMachine["clock"], signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  get stopped(): boolean {
    return this.#signal.aborted;
  }

  nowMs(): number {
    return this.#clock.nowMs();
  }

  settledMs(madeMs?: number): number {
    return this.#clock.settledMs(madeMs);
  }

  monotonicMs(): number {
    return this.#clock.monotonicMs();
  }

  async sleep(ms: number): Promise<void> {
    await this.#clock.sleep(ms, this.#signal);
    if (this.stopped) throw new Error("the daemon stops");
  }
}
