// The refusal of a home that another build of constel laid out differently. Whoever meets one reads and leaves nothing there; a daemon that
// runs there is named, and can be ended.

import { Refusal } from "../protocol/errors.ts";
import { shellLine } from "../protocol/shell-line.ts";

/** `daemon`: the process id of the daemon that runs there. */
export function earlierHome(home: string, daemon: number | undefined): Refusal {
  const aside = shellLine(["mv", home, `${home}.earlier`]);
  const runs = daemon === undefined ? "" : `Its daemon runs (pid ${daemon}); \`constel daemon stop\` ends it. `;
  return new Refusal(
    "home.other-format",
    `${home} was made by a constel from before the first release, or by a newer one; nothing there was read or changed`,
    daemon === undefined ? { home } : { home, daemon },
    `${runs}With the program that made it, stop its agents and daemon, and export what you want to keep (\`constel audit export\`). Then begin anew: \`${aside}\`, or set CONSTEL_HOME to another directory.`,
  );
}
