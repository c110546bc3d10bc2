// `constel version`: which constel this is, exactly. Two builds may have one version; `daemon status` shows the daemon's.

import { buildNow, builtAs, installation } from "../../../ports/build.ts";
import type { RunCommand } from "../input/command.ts";

export const show: RunCommand = async ({ version }) => {
  const build = builtAs() ?? buildNow();
  return {
    json: { version, build, installation: installation() },
    text: `constel ${version} (build ${build}), from ${installation()}`,
  };
};
