// The round for sessions that people started: who is there, and their messages.

import { busTrust } from "../../host/keys/bus-trust.ts";
import { constellationHolder } from "../../ports/keys.ts";
import { join } from "node:path";
import { messageOf } from "../../protocol/errors.ts";
import { systemLiveness } from "../../host/process/liveness.ts";
import { runtimeNamed } from "../../host/runtime/all.ts";
import { inHome } from "../../settings/paths.ts";
import { makeTrustedDirectory } from "../../files/trusted-files.ts";
import type { LoopParts } from "../loops/loop-parts.ts";
import type { Round } from "../loops/react.ts";
import { GuestMessages } from "./guest-messages.ts";
import { SeenGuests } from "./see-guests.ts";

/** Hooks of sessions at work come in bursts; one look answers for all of them. */
const gapMs = 200;

export function guestsLoop(parts: LoopParts): Round {
  const { store, clock, random, log } = parts;
  const { home } = parts.settings;
  const guests = new SeenGuests({ home, store, clock, liveness: systemLiveness, runtimeNamed, words: parts.words });
  const messages = new GuestMessages({
    home,
    clock,
    random,
    liveness: systemLiveness,
    ...busTrust(home, clock, () => constellationHolder),
  });
  let here: ReadonlySet<string> = new Set();
  let lastMs = -Infinity;

  const release = (agent: string): void => {
    try {
      messages.release(agent);
    } catch (cause) {
      log(`messages of ${agent}: ${messageOf(cause)}`);
    }
  };

  return {
    directories() {
      makeTrustedDirectory(home, inHome.guests);
      const guestFiles = join(home, inHome.guests);
      // An inbox is made by who sends: a session that nobody writes to leaves none behind. Without guests, hooks are others' business.
      const inboxes = [...here].map((agent) => join(home, inHome.inbox(agent)));
      return here.size === 0 ? [guestFiles] : [guestFiles, join(home, inHome.hooks), ...inboxes];
    },
    async round(signal) {
      const sinceMs = clock.monotonicMs() - lastMs;
      if (sinceMs < gapMs) await clock.sleep(gapMs - sinceMs, signal);
      const before = here;
      const now = await guests.look();
      here = new Set(now.map(({ agent }) => agent));
      for (const agent of before) if (!here.has(agent)) release(agent);
      for (const agent of here)
        await messages.attend(agent).catch((cause: unknown) => log(`messages of ${agent}: ${messageOf(cause)}`));
      lastMs = clock.monotonicMs();
      return undefined;
    },
    end() {
      for (const agent of here) release(agent);
      return Promise.resolve();
    },
  };
}
