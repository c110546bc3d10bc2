// Puts published events into the inboxes of the agents they name, a few at a time.

import { busTrust } from "../../host/keys/bus-trust.ts";
import { constellationHolder } from "../../ports/keys.ts";
import { deliverCopies } from "../../core/events/deliver-copies.ts";
import type { Bus } from "../../floor/bus/bus.ts";
import { sendToMany } from "../../floor/bus/send-to-many.ts";
import { systemLiveness } from "../../host/process/liveness.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

export function publishLoop({ store, settings, clock, random }: LoopParts): Round {
  const { home } = settings;
  const bus: Bus = {
    home,
    clock,
    random,
    liveness: systemLiveness,
    ...busTrust(home, clock, () => constellationHolder),
  };
  return {
    async round() {
      const { more } = await deliverCopies({ store, constellation: store.constellation }, ({ task, to, ...letter }) => {
        const about = task === null ? {} : { task: String(task) };
        sendToMany(bus, { ...letter, idempotency_key: letter.id, ...about }, to);
      });
      return more ? 0 : undefined;
    },
  };
}
