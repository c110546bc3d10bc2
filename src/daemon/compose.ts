// Lists what the daemon does by itself. Each subject brings its own loop; this file only names them.

import type { Clock, Random } from "../protocol/ports.ts";
import type { Settings } from "../settings/settings.ts";
import type { Store } from "../store/open.ts";
import { agentLoops } from "./agents/agent-loops.ts";
import { intakeLoop } from "./intake.ts";
import { type Loop, startLoop } from "./loops.ts";
import { mirrorLoop } from "./mirror-messages.ts";

export interface LoopParts {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: (line: string) => void;
}

export function composeLoops(parts: LoopParts): Loop[] {
  return [intakeLoop(parts), mirrorLoop(parts), ...agentLoops(parts)].map((declaration) =>
    startLoop(declaration, parts.clock, parts.log),
  );
}
