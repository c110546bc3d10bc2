// Starts agents that stand at a usage limit again with another account, in the conversation that they had, and tells them to go on. Each launch is
// moved once: by the time that it is over, the next one is seen.

import { dueForAnotherAccount, type OtherAccount } from "../../core/agents/other-account.ts";
import { noteMove } from "../../core/agents/note-move.ts";
import type { Bus } from "../../floor/bus/bus.ts";
import { send } from "../../floor/bus/send.ts";
import { messageOf } from "../../protocol/errors.ts";
import { accountsIn } from "../../settings/accounts.ts";
import type { Settings } from "../../settings/settings.ts";
import type { Store } from "../../store/open.ts";
import { beginRestart } from "../door/restart-agent.ts";

export interface ElsewhereParts {
  readonly settings: Settings;
  readonly store: Store;
  readonly bus: Bus;
  readonly log: (line: string) => void;
}

/** A start that could not be made is tried again after this. */
const againMs = 60_000;

export class Elsewhere {
  readonly #parts: ElsewhereParts;
  /** By agent and launch: when it was last tried. */
  readonly #asked = new Map<string, number>();

  constructor(parts: ElsewhereParts) {
    this.#parts = parts;
  }

  /** Only when an agent is limited: everything else costs nothing. */
  async round(): Promise<void> {
    const { settings, store, bus } = this.#parts;
    const { config } = settings;
    if (config["limits.on_limit"] !== "other-account") return;
    const context = { store, clock: bus.clock, constellation: store.constellation };
    for (const due of await dueForAnotherAccount(context, accountsIn(config["agents.accounts"]))) {
      const key = `${due.agent} ${due.launchedMs}`;
      const nowMs = bus.clock.monotonicMs();
      if (nowMs - (this.#asked.get(key) ?? -Infinity) < againMs) continue;
      this.#asked.set(key, nowMs);
      await this.#move(due);
    }
  }

  async #move(due: OtherAccount): Promise<void> {
    const { settings, store, bus, log } = this.#parts;
    const { agent, from, to, isWorker } = due;
    try {
      await beginRestart(settings, [agent, "--account", to]);
    } catch (cause) {
      log(`starting ${agent} with the account ${to}: ${messageOf(cause)}`);
      return;
    }
    await noteMove(store, due);
    if (!isWorker) send(bus, goOnWith(agent, from, to, due.launchedMs));
  }
}

const goOnWith = (agent: string, from: string, to: string, launchedMs: number) =>
  ({
    from: "agentlimits",
    to: agent,
    text: `The account you were on (${from}) is at its usage limit, so you go on with another one (${to}). Go on with what you were doing when it was reached.`,
    kind: "resume",
    idempotency_key: `account:${agent}:${launchedMs}`,
  }) as const;
