// Tells agents whose usage limit has lifted to go on, by a message on the bus: it waits, is delivered with proof and is
// counted like any other, and its key makes it one message however often it is sent.

import { dueToResume, resumed } from "../../core/agents/resume.ts";
import type { Bus } from "../../floor/bus/bus.ts";
import { goOnDraft } from "../../floor/bus/go-on.ts";
import { send } from "../../floor/bus/send.ts";
import type { Store } from "../../store/open.ts";

export async function tellToGoOn(store: Store, bus: Bus, wanted: boolean): Promise<void> {
  for (const due of await dueToResume(store, bus.clock.nowMs())) {
    if (wanted) send(bus, goOnDraft(due));
    await resumed(store, due);
  }
}
