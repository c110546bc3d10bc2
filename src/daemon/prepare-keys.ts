// Gives a home from before its keys: the constellation's and those of the agents that live there; signs what constel had left in
// mailboxes; and takes away the token that any agent could read. What was changed is kept in backups/before-keys, and said.

import { isNoted, noteKeyed, noteLoopsSealed, ownersUnsigned } from "../core/audit/audit.sql.ts";
import { sealLoopsFromBefore } from "../app/schedule-files.ts";
import { removeTrusted, writeTrusted } from "../files/trusted-files.ts";
import { listLaunches } from "../floor/agents/launch-files.ts";
import { signWaiting } from "../floor/bus/sign-waiting.ts";
import { systemClock, systemRandom } from "../host/clock/system-clock.ts";
import { busTrust } from "../host/keys/bus-trust.ts";
import { signingKey } from "../host/keys/key-files.ts";
import { systemLiveness } from "../host/process/liveness.ts";
import { constellationHolder } from "../ports/keys.ts";
import { counted } from "../protocol/counted.ts";
import { messageOf, Outage, Refusal } from "../protocol/errors.ts";
import { inHome } from "../settings/paths.ts";
import type { Store } from "../store/open.ts";

export async function prepareKeys(home: string, store: Store, log: (line: string) => void): Promise<void> {
  try {
    signingKey(home, constellationHolder, systemClock);
    if (!(await isNoted(store.db, "keyed", store.constellation))) {
      migrate(home, log);
      await noteKeyed(store, store.constellation);
    }
    if (!(await isNoted(store.db, "loops-sealed", store.constellation))) {
      const sealed = sealLoopsFromBefore(home, systemClock);
      if (sealed > 0)
        log(`${counted(sealed, "loop")} from before were sealed: only what constel wrote is a loop from now on`);
      await noteLoopsSealed(store, store.constellation);
    }
  } catch (cause) {
    // The daemon runs all the same: what it says is then not verified, and `constel doctor` and the audit tell why.
    if (!(cause instanceof Refusal || cause instanceof Outage)) throw cause;
    log(`keys: ${messageOf(cause)}`);
  }
  await tellUnsigned(store, log);
  if (removeTrusted(home, inHome.httpToken))
    log("keys/http-token is gone: any agent could read it. Make a token of your own with `constel token create`");
}

/** Said once, when the schema was brought up: what the owner decided before rows were signed is no longer shown as verified. */
async function tellUnsigned({ migrated, db, constellation }: Store, log: (line: string) => void): Promise<void> {
  if (migrated.from === 0 || migrated.from === migrated.to) return;
  const unsigned = await ownersUnsigned(db, constellation);
  if (unsigned > 0)
    log(`${counted(unsigned, "decision")} of the owner's are not signed; \`constel decision accept\` signs one anew`);
}

/** The database knows of no keys yet, so whatever waits unsigned is from before. */
function migrate(home: string, log: (line: string) => void): void {
  for (const { agent } of listLaunches(home).launches) signingKey(home, agent, systemClock);
  const bus = {
    home,
    clock: systemClock,
    random: systemRandom,
    liveness: systemLiveness,
    ...busTrust(home, systemClock, () => constellationHolder),
  };
  const signed = signWaiting(bus, (path, content) =>
    writeTrusted(home, `${inHome.backups}/before-keys/${path}`, content),
  );
  if (signed > 0)
    log(
      `this home has keys now; ${signed} waiting messages of constel's were signed (as they were: backups/before-keys)`,
    );
}
