// Who may ask for what. One table names the verbs that change the constellation; a clone may run none of them, and
// outside the root directory nobody may (see guard.ts). Identity is CONSTEL_AGENT, which we set for agents we start: it
// keeps an obedient clone within its role. It is no proof against one that lies; signatures are (docs, security).

import { Refusal } from "../protocol/errors.ts";
import type { Identity } from "./agent-id.ts";

interface Rule {
  /** May a clone run it. */
  readonly clone: boolean;
  /** Must it be run inside the root directory. */
  readonly insideRoot: boolean;
}

const changes: Rule = { clone: false, insideRoot: true };
/** The owner's own business, wherever they stand. */
const ownersAnywhere: Rule = { clone: false, insideRoot: false };

/** A verb that is not here is open to all. `task` alone would cover all below it; the longest name that fits counts. */
export const verbRules: Readonly<Record<string, Rule>> = {
  up: changes,
  down: changes,
  restart: changes,
  agent: changes,
  "agent show": { clone: true, insideRoot: false },
  agentinfinity: changes,
  attach: ownersAnywhere,
  onboard: ownersAnywhere,
  quiet: ownersAnywhere,
  "quiet show": { clone: true, insideRoot: false },
  escalate: ownersAnywhere,
  install: ownersAnywhere,
  uninstall: ownersAnywhere,
  "config set": ownersAnywhere,
  "config unset": ownersAnywhere,
  "daemon stop": ownersAnywhere,
  "daemon restart": ownersAnywhere,
  "daemon token": ownersAnywhere,
  "db restore": ownersAnywhere,
  "db migrate": ownersAnywhere,
  "db undo": ownersAnywhere,
  "task create": changes,
  "task update": changes,
  "task dispatch": changes,
  "task harvest": changes,
  "task cancel": changes,
  "task import": changes,
  "clone brief": changes,
  "workspace clone": changes,
  "workspace branch": changes,
  "workspace rm": changes,
  "workspace restore": changes,
  "cron add": changes,
  "cron remove": changes,
  "cron reschedule": changes,
  "loop create": changes,
  "loop remove": changes,
  "loop reschedule": changes,
  "watchdog tick": ownersAnywhere,
  "mesh invite": ownersAnywhere,
  "mesh join": ownersAnywhere,
  "mesh evict": ownersAnywhere,
  serve: ownersAnywhere,
  "repo forget": ownersAnywhere,
  "conflicts dismiss": ownersAnywhere,
};

/** The rule of a verb given as its words, `["task", "create"]`; undefined when anybody may run it anywhere. */
export function ruleOf(words: readonly string[]): Rule | undefined {
  for (let length = Math.min(words.length, 3); length > 0; length--) {
    const name = words.slice(0, length).join(" ");
    if (Object.hasOwn(verbRules, name)) return verbRules[name];
  }
  return undefined;
}

/** The refusal a clone gets, or undefined when it may go on. */
export function refuseByIdentity(identity: Identity, words: readonly string[]): Refusal | undefined {
  if (identity.role !== "clone" || (ruleOf(words)?.clone ?? true)) return undefined;
  const verb = words.join(" ");
  return new Refusal("authority.clone", `${identity.agent} is a clone and may not run \`${verb}\``, {
    agent: identity.agent,
    verb,
  });
}
