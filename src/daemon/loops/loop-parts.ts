// Defines the parts that every loop of the daemon is built from.

import type { TaskMachine } from "../../core/tasks/task-context.ts";
import type { AuditEvidence } from "../../ports/audit.ts";
import type { LastWords } from "../../ports/runtime.ts";
import type { Clock, Random } from "../../ports/machine.ts";
import type { Lines } from "../../ports/mesh.ts";
import type { Settings } from "../../settings/settings.ts";
import type { Store } from "../../store/open.ts";
import type { AgentScreens } from "../agents/agent-screens.ts";
import type { SensingClient } from "../sensing-client.ts";

export interface LoopParts {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly taskMachine: TaskMachine;
  readonly log: (line: string) => void;
  readonly sensing: SensingClient;
  /** For whoever looks at an agent's screen. */
  readonly screens?: AgentScreens;
  readonly audit?: AuditEvidence;
  /** The way the last turn of each idle agent ended, as the last look at it found. */
  readonly words: Map<string, LastWords>;
  /** Lines to other constellations; undefined where the settings keep none. */
  readonly lines?: Lines | undefined;
}
