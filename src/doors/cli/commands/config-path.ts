// Show the paths of the home, root directory and config.toml. A file of its own: it needs nothing of what the settings need.

import { join } from "node:path";
import { inHome } from "../../../settings/paths.ts";
import type { RunCommand } from "../input/command.ts";

export const path: RunCommand = async (context) => {
  const { home, root, homeOnly } = context.places;
  const config = join(home, inHome.config);
  return {
    json: { home, root, home_only: homeOnly, config },
    text: [
      `home    ${home}`,
      `root    ${root}${homeOnly ? " (home-only: no constel.toml above)" : ""}`,
      `config  ${config}`,
    ].join("\n"),
  };
};
