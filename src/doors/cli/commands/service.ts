// `constel service`: the watchdog in the hands of the machine's own scheduler.

import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { writeOwnProgram } from "../../../floor/agents/own-program.ts";
import {
  chooseManager,
  installService,
  type Manager,
  managers,
  printService,
  type ServiceDone,
  type ServicePorts,
  serviceState,
  uninstallService,
} from "../../../floor/service/service.ts";
import { childEnvironment } from "../../../host/process/child-environment.ts";
import { systemProcesses } from "../../../host/process/run.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import type { CommandInput, CommandResult, RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { ownWholeCommand } from "../reach/start-daemon.ts";

export const install: RunCommand = async (context, input) => {
  const ports = portsOf(context);
  if (input.has("print")) return print(ports, input);
  const manager = managerOf(input) ?? (await chooseManager(ports));
  writeOwnProgram(context.places.home, ownWholeCommand());
  return answer(await installService(ports, manager), manager === "systemd" ? [lingering] : []);
};

export const uninstall: RunCommand = async (context, input) => {
  const ports = portsOf(context);
  if (input.has("print")) return print(ports, input);
  return answer(await uninstallService(ports, managerOf(input) ?? (await chooseManager(ports))), []);
};

export const status: RunCommand = async (context, input) => {
  const ports = portsOf(context);
  if (input.has("print")) return print(ports, input);
  const chosen = managerOf(input);
  const asked = chosen === undefined ? managersOf(ports.platform) : [chosen];
  const states = await Promise.all(asked.map((manager) => serviceState(ports, manager)));
  const isThere = states.some(({ installed, active }) => installed === "yes" && active === true);
  return {
    json: { services: states },
    text: () =>
      states
        .map(({ manager, installed, active, says }) => `${manager.padEnd(8)} ${words(installed, active)}: ${says}`)
        .join("\n"),
    ...(isThere ? {} : { exit: exitCodes.negative }),
  };
};

const lingering =
  "User units end with the last login: `loginctl enable-linger` keeps them running, and starts them at boot.";

function print(ports: ServicePorts, input: CommandInput): CommandResult {
  const manager = managerOf(input) ?? (ports.platform === "darwin" ? "launchd" : "systemd");
  const text = printService(ports, manager);
  return { json: { manager, text }, text };
}

function answer(done: ServiceDone, notes: readonly string[]): CommandResult {
  return { json: done, text: [...done.lines, ...notes].join("\n") };
}

const managersOf = (platform: string): readonly Manager[] =>
  platform === "darwin" ? ["launchd", "cron"] : ["systemd", "cron"];

const words = (installed: string, active: boolean | undefined): string =>
  installed === "no"
    ? "not installed"
    : `${installed === "yes" ? "installed" : installed}, ${active === true ? "active" : "not active"}`;

function managerOf(input: CommandInput): Manager | undefined {
  const word = input.flag("manager");
  const manager = managers.find((one) => one === word);
  if (word === undefined || manager !== undefined) return manager;
  throw new Refusal("usage.bad-value", `--manager must be one of ${managers.join(", ")}, not ${JSON.stringify(word)}`, {
    word,
  });
}

function portsOf(context: CliContext): ServicePorts {
  const env = childEnvironment(context.env);
  const { home, root } = context.places;
  const userHome = env["HOME"] ?? homedir();
  const config = env["XDG_CONFIG_HOME"];
  return {
    place: {
      home,
      root,
      userHome,
      configHome: config !== undefined && isAbsolute(config) ? config : join(userHome, ".config"),
      path: env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    },
    processes: systemProcesses,
    env,
    platform: process.platform,
    userId: process.getuid?.() ?? 0,
  };
}
