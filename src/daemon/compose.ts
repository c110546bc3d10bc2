// Lists what the daemon does by itself. Each subject brings its own loop; this file only names them.

import { harvestLoop } from "./harvest-loop.ts";
import { intakeLoop } from "./intake.ts";
import type { LoopParts } from "./loop-parts.ts";
import { type Loop, startLoop } from "./loops.ts";
import { mirrorLoop } from "./mirror-messages.ts";

export function composeLoops(parts: LoopParts): Loop[] {
  return [intakeLoop(parts), mirrorLoop(parts), harvestLoop(parts)].map((declaration) =>
    startLoop(declaration, parts.clock, parts.log),
  );
}
