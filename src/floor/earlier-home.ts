// The refusal of a home that another build of constel laid out differently. Whoever meets one reads and leaves nothing there.

import { Refusal } from "../protocol/errors.ts";
import { shellLine } from "../protocol/shell-line.ts";

export function earlierHome(home: string): Refusal {
  const aside = shellLine(["mv", home, `${home}.earlier`]);
  return new Refusal(
    "home.other-format",
    `${home} was made by a constel from before the first release, or by a newer one; nothing there was read or changed`,
    { home },
    `With the program that made it, stop its agents and daemon, and export what you want to keep (\`constel audit export\`). Then begin anew: \`${aside}\`, or set CONSTEL_HOME to another directory.`,
  );
}
