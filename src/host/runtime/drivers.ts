// The drivers of all programs that can be driven over a pipe.

import type { Driver } from "../../ports/driver.ts";
import { acpDriver } from "./acp/acp-runtime.ts";
import { acpPrograms } from "./acp/programs.ts";
import { agyDriver } from "./agy/drive.ts";
import { claudeDriver } from "./claude/drive.ts";
import { codexDriver } from "./codex/drive.ts";
import { opencodeDriver } from "./opencode/drive.ts";
import { remoteDriver } from "./remote/remote.ts";
import { scriptDriver } from "./script/drive.ts";

const drivers: Readonly<Record<string, Driver>> = {
  agy: agyDriver,
  claude: claudeDriver,
  codex: codexDriver,
  opencode: opencodeDriver,
  script: scriptDriver,
  remote: remoteDriver,
  ...Object.fromEntries(acpPrograms.map((program) => [program.name, acpDriver(program)])),
};

export const driverOf = (runtime: string): Driver | undefined =>
  Object.hasOwn(drivers, runtime) ? drivers[runtime] : undefined;
