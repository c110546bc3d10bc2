// `constel service`: the machine's own scheduler calls the watchdog, so that what is down comes back after a reboot, and after the
// ticker itself is gone. Files are written only where nothing of somebody else's stands, and only what we wrote is taken away.

import { messageOf, Outage, Refusal } from "../../protocol/errors.ts";
import type { Processes } from "../../ports/machine.ts";
import { applyCommandFiles, type CommandFilePlan, planCommandFiles } from "../command-files.ts";
import { hasCronLine, mergeCrontab } from "./crontab.ts";
import {
  cronLine,
  cronMark,
  launchdLabel,
  launchdPlist,
  type ServiceFile,
  serviceName,
  type ServicePlace,
  systemdUnits,
} from "./units.ts";

export const managers = ["systemd", "launchd", "cron"] as const;
export type Manager = (typeof managers)[number];

export interface ServicePorts {
  readonly place: ServicePlace;
  readonly processes: Processes;
  readonly env: Readonly<Record<string, string>>;
  readonly platform: string;
  readonly userId: number;
}

export interface ServiceDone {
  readonly manager: Manager;
  /** One line for each thing that was written, taken away or found. */
  readonly lines: readonly string[];
  readonly changed: boolean;
}

export interface ServiceState {
  readonly manager: Manager;
  /** `changed`: ours, and edited since; `other`: a file of the name that is not ours. */
  readonly installed: "yes" | "no" | "outdated" | "other";
  /** True if the scheduler runs it. Undefined when it could not be asked. */
  readonly active: boolean | undefined;
  readonly says: string;
}

const commandMs = 15_000;
const undoWord = "constel service uninstall";

/** The scheduler this machine has. */
export async function chooseManager(ports: ServicePorts): Promise<Manager> {
  if (ports.platform === "darwin") return "launchd";
  if (await works(ports, ["systemctl", "--user", "show-environment"])) return "systemd";
  if (Bun.which("crontab", { PATH: ports.env["PATH"] ?? "" }) !== null) return "cron";
  throw new Refusal("service.no-manager", "neither a systemd of this user nor a crontab answers here", {});
}

/** The files and commands, for a person to look at or to put in place by hand. */
export function printService({ place, userId }: ServicePorts, manager: Manager): string {
  if (manager === "cron") return cronLine(place);
  const files = filesOf(place, manager).map(({ path, content }) => `# ${path}\n${content}`);
  const commands = enabling(place, manager, userId).map((words) => words.join(" "));
  return [...files, "# then", ...commands].join("\n");
}

export async function installService(ports: ServicePorts, manager: Manager): Promise<ServiceDone> {
  const { place } = ports;
  if (manager === "cron") return changeCrontab(ports, cronLine(place), "a line was put into the crontab");
  const plans = planCommandFiles(filesOf(place, manager), false, undoWord);
  refuseForeign(plans);
  applyCommandFiles(plans);
  for (const words of enabling(place, manager, ports.userId)) await mustRun(ports, words);
  const changed = plans.some(({ change }) => change === "write");
  return {
    manager,
    changed,
    lines: plans.map(({ path, change }) => `${path}: ${change === "same" ? "as it was" : "written"}`),
  };
}

export async function uninstallService(ports: ServicePorts, manager: Manager): Promise<ServiceDone> {
  const { place } = ports;
  if (manager === "cron") return changeCrontab(ports, undefined, "the line in the crontab is gone");
  const plans = planCommandFiles(filesOf(place, manager), true, undoWord);
  if (plans.every(({ change }) => change === "absent"))
    return { manager, changed: false, lines: ["nothing was installed"] };
  refuseForeign(plans);
  // While the files are there, and whether or not it runs.
  for (const words of disabling(place, manager, ports.userId)) await works(ports, words);
  applyCommandFiles(plans);
  if (manager === "systemd") await works(ports, ["systemctl", "--user", "daemon-reload"]);
  return {
    manager,
    changed: true,
    lines: plans.map(({ path, change }) => `${path}: ${change === "remove" ? "removed" : "was not there"}`),
  };
}

export async function serviceState(ports: ServicePorts, manager: Manager): Promise<ServiceState> {
  const { place } = ports;
  if (manager === "cron") {
    try {
      const isThere = hasCronLine(await readCrontab(ports), cronMark(place));
      return {
        manager,
        installed: isThere ? "yes" : "no",
        active: isThere,
        says: isThere ? "in the crontab" : "not in the crontab",
      };
    } catch (cause) {
      return { manager, installed: "no", active: undefined, says: messageOf(cause) };
    }
  }
  const plans = planCommandFiles(filesOf(place, manager), false, undoWord);
  const installed = stateOf(plans);
  const says = plans.map(({ path, change }) => `${path}: ${stateWords[change]}`).join("; ");
  const active = installed === "no" ? false : await works(ports, asking(place, manager));
  return { manager, installed, active, says };
}

const stateWords: Readonly<Record<CommandFilePlan["change"], string>> = {
  write: "absent or outdated",
  remove: "there",
  same: "as it should be",
  absent: "absent",
  "not-ours": "not constel's, or changed by hand",
};

function stateOf(plans: readonly CommandFilePlan[]): ServiceState["installed"] {
  if (plans.some(({ change }) => change === "not-ours")) return "other";
  if (plans.every(({ change }) => change === "same")) return "yes";
  return plans.every(({ diff }) => diff.every((line) => line.startsWith("+"))) ? "no" : "outdated";
}

function filesOf(place: ServicePlace, manager: Exclude<Manager, "cron">): readonly ServiceFile[] {
  return manager === "systemd" ? systemdUnits(place) : [launchdPlist(place)];
}

function enabling(
  place: ServicePlace,
  manager: Exclude<Manager, "cron">,
  userId: number,
): readonly (readonly string[])[] {
  const name = serviceName(place);
  return manager === "systemd"
    ? [
        ["systemctl", "--user", "daemon-reload"],
        ["systemctl", "--user", "enable", "--now", `${name}.timer`],
      ]
    : [["launchctl", "bootstrap", `gui/${userId}`, launchdPlist(place).path]];
}

function disabling(
  place: ServicePlace,
  manager: Exclude<Manager, "cron">,
  userId: number,
): readonly (readonly string[])[] {
  return manager === "systemd"
    ? [["systemctl", "--user", "disable", "--now", `${serviceName(place)}.timer`]]
    : [["launchctl", "bootout", `gui/${userId}/${launchdLabel(place)}`]];
}

const asking = (place: ServicePlace, manager: Exclude<Manager, "cron">): readonly string[] =>
  manager === "systemd"
    ? ["systemctl", "--user", "is-active", `${serviceName(place)}.timer`]
    : ["launchctl", "list", launchdLabel(place)];

function refuseForeign(plans: readonly CommandFilePlan[]): void {
  const foreign = plans.find(({ change }) => change === "not-ours");
  if (foreign === undefined) return;
  const message = `${foreign.path} is not constel's, or was changed by hand: it was left alone`;
  throw new Refusal("service.not-ours", message, { path: foreign.path });
}

async function changeCrontab(ports: ServicePorts, line: string | undefined, says: string): Promise<ServiceDone> {
  const before = await readCrontab(ports);
  const after = mergeCrontab(before, cronMark(ports.place), line);
  if (after === before) return { manager: "cron", changed: false, lines: ["the crontab is as it should be"] };
  await mustRun(ports, ["crontab", "-"], after);
  return { manager: "cron", changed: true, lines: [says] };
}

/** A crontab that could not be read is not an empty one: writing it then would lose what is in it. */
async function readCrontab(ports: ServicePorts): Promise<string> {
  const { code, stdout, stderr } = await ports.processes.run(["crontab", "-l"], {
    env: ports.env,
    deadlineMs: commandMs,
  });
  if (code === 0) return Buffer.from(stdout).toString("utf8");
  if (/no crontab for/i.test(stderr)) return "";
  throw new Refusal("service.crontab-unreadable", `the crontab cannot be read: ${stderr.trim().slice(0, 300)}`, {});
}

async function works(ports: ServicePorts, words: readonly string[]): Promise<boolean> {
  try {
    return (await ports.processes.run(words, { env: ports.env, deadlineMs: commandMs })).code === 0;
  } catch {
    return false; // the program is not there
  }
}

async function mustRun(ports: ServicePorts, words: readonly string[], stdin?: string): Promise<void> {
  const options = { env: ports.env, deadlineMs: commandMs, ...(stdin === undefined ? {} : { stdin }) };
  const { code, stderr } = await ports.processes.run(words, options);
  if (code === 0) return;
  throw new Outage("run", words.join(" "), stderr.trim().slice(0, 300) || `it ended with ${code}`);
}
