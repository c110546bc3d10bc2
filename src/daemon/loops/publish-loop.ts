// Puts copies of published events into inboxes, a few at a time.

import { busTrust } from "../../host/keys/bus-trust.ts";
import { constellationHolder } from "../../ports/keys.ts";
import { deliverCopies } from "../../core/events/deliver-copies.ts";
import type { Bus } from "../../floor/bus/bus.ts";
import { send } from "../../floor/bus/send.ts";
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
      const { more } = await deliverCopies({ store, constellation: store.constellation }, ({ task, ...letter }) => {
        send(bus, { ...letter, idempotency_key: letter.id, ...(task === null ? {} : { task: String(task) }) });
      });
      return more ? 0 : undefined;
    },
  };
}
