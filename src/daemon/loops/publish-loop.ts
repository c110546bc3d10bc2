// Puts published events into the inboxes of the agents they name, a few at a time; first lets go those that the owner answered.

import { busTrust } from "../../host/keys/bus-trust.ts";
import { constellationHolder } from "../../ports/keys.ts";
import { deliverCopies } from "../../core/events/deliver-copies.ts";
import { settleHeld } from "../../core/events/held.ts";
import { eventRouter } from "../../core/notices/address-event.ts";
import type { Bus } from "../../floor/bus/bus.ts";
import { sendToMany } from "../../floor/bus/send-to-many.ts";
import { systemLiveness } from "../../host/process/liveness.ts";
import { guestsHere } from "../notices/guests-here.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

export function publishLoop({ store, settings, clock, random, audit, taskMachine }: LoopParts): Round {
  const { home } = settings;
  const bus: Bus = {
    home,
    clock,
    random,
    liveness: systemLiveness,
    ...busTrust(home, clock, () => constellationHolder),
  };
  const context = {
    store,
    clock,
    random,
    constellation: store.constellation,
    actor: "daemon",
    ...(audit === undefined ? {} : { audit }),
  };
  const router = () => eventRouter(context, { root: settings.root, guests: guestsHere(home) });
  return {
    async round() {
      await settleHeld(context, router, (letter) => taskMachine.deliver?.put({ ...letter, kind: "approval" }));
      const { more } = await deliverCopies({ store, constellation: store.constellation }, ({ task, to, ...letter }) => {
        const about = task === null ? {} : { task: String(task) };
        sendToMany(bus, { ...letter, idempotency_key: letter.id, ...about }, to);
      });
      return more ? 0 : undefined;
    },
  };
}
