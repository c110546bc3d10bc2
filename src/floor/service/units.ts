// The texts by which the machine's own scheduler calls the watchdog every two minutes, as a failsafe beside the ticker: units of
// systemd, an agent of launchd, a line of cron. Pure. Each home has its own; the name tells which.

import { createHash } from "node:crypto";
import { join } from "node:path";
import { Refusal } from "../../protocol/errors.ts";
import { inHome } from "../../settings/paths.ts";

export interface ServicePlace {
  /** constel's home and root directory. */
  readonly home: string;
  readonly root: string;
  /** The user's home directory. */
  readonly userHome: string;
  /** The directory where systemd looks for the user's units. */
  readonly configHome: string;
  /** The PATH of whoever installs: the agents' programs are found by it. */
  readonly path: string;
}

export interface ServiceFile {
  readonly path: string;
  readonly content: string;
  readonly invokedBy: string;
}

export const everySeconds = 120;
/** A tick ends by itself long before; one that does not must not keep the next from coming. */
const deadlineSeconds = 110;

/** One home, one name: `constel-watchdog` for `~/.constel`, else with eight digits of the home's path. */
export function serviceName({ home, userHome }: ServicePlace): string {
  if (home === join(userHome, ".constel")) return "constel-watchdog";
  return `constel-watchdog-${createHash("sha256").update(home).digest("hex").slice(0, 8)}`;
}

/** Returns the command that is called. `up` and the install keep the file up to date. */
export function tickCommand(place: ServicePlace): readonly string[] {
  const { home, root } = place;
  const words = [
    join(home, inHome.programs, "constel"),
    "watchdog",
    "tick",
    "--existing-home",
    "--home",
    home,
    "--root",
    root,
  ];
  // oxlint-disable-next-line no-control-regex -- no scheduler's file can carry them
  const odd = [...words, place.path].find((word) => /[\u0000-\u001f\u007f]/.test(word));
  if (odd !== undefined)
    throw new Refusal("usage.bad-value", "a path with a control character cannot be installed", { path: odd });
  return words;
}

/** Keys that agents need and no shell sets at boot: NAME=value lines, read when the file is there. */
const environmentFile = ({ home }: ServicePlace): string => join(home, "service.env");

export function systemdUnits(place: ServicePlace): readonly ServiceFile[] {
  const name = serviceName(place);
  const directory = join(place.configHome, "systemd/user");
  const service = [
    "[Unit]",
    "Description=constel watchdog: one tick, which brings back what is down",
    "",
    "[Service]",
    "Type=oneshot",
    `ExecStart=${systemdCommand(tickCommand(place))}`,
    `Environment=${systemdWord(`PATH=${place.path}`, { expands: false })}`,
    `EnvironmentFile=-${systemdPath(environmentFile(place))}`,
    `TimeoutStartSec=${deadlineSeconds}`,
    "# What a tick starts (the daemon, agents, a restart) outlives it.",
    "KillMode=process",
    "# A tick that finds somebody missing ends with 1, which is no failure of its own.",
    "SuccessExitStatus=1",
    "",
  ].join("\n");
  const timer = [
    "[Unit]",
    "Description=constel watchdog: every two minutes",
    "",
    "[Timer]",
    "OnStartupSec=15",
    `OnUnitActiveSec=${everySeconds}`,
    "AccuracySec=5",
    "",
    "[Install]",
    "WantedBy=timers.target",
    "",
  ].join("\n");
  return [
    { path: join(directory, `${name}.service`), content: service, invokedBy: "systemd" },
    { path: join(directory, `${name}.timer`), content: timer, invokedBy: "systemd" },
  ];
}

/** systemd takes no quotes, backslashes or dollar signs in the path of a program; as a word for a shell they are nothing special. */
function systemdCommand(words: readonly string[]): string {
  const isPlain = /^[^'"\\$]*$/.test(words[0] ?? "");
  const all = isPlain ? words : ["/bin/sh", "-c", 'exec "$0" "$@"', ...words];
  return all.map((word) => systemdWord(word)).join(" ");
}

export const launchdLabel = (place: ServicePlace): string =>
  `dev.constel.${serviceName(place).slice("constel-".length)}`;

export function launchdPlist(place: ServicePlace): ServiceFile {
  const words = ["/bin/sh", "-c", shellLine(place)].map((word) => `    <string>${xml(word)}</string>`);
  const content = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    "<dict>",
    `  <key>Label</key><string>${xml(launchdLabel(place))}</string>`,
    "  <key>ProgramArguments</key>",
    "  <array>",
    ...words,
    "  </array>",
    "  <key>EnvironmentVariables</key>",
    `  <dict><key>PATH</key><string>${xml(place.path)}</string></dict>`,
    `  <key>StartInterval</key><integer>${everySeconds}</integer>`,
    "  <key>RunAtLoad</key><true/>",
    "  <!-- What a tick starts (the daemon, agents, a restart) outlives it. -->",
    "  <key>AbandonProcessGroup</key><true/>",
    "</dict>",
    "</plist>",
    "",
  ].join("\n");
  const path = join(place.userHome, "Library/LaunchAgents", `${launchdLabel(place)}.plist`);
  return { path, content, invokedBy: "launchd" };
}

/** By its end a line is known again, and no other line is touched. */
export const cronMark = (place: ServicePlace): string => `# ${serviceName(place)}, written by constel`;

export function cronLine(place: ServicePlace): string {
  const command = `PATH=${shellWord(place.path)}; export PATH; ${shellLine(place)} >/dev/null 2>&1`;
  // In a crontab a percent sign ends the command.
  return `*/${everySeconds / 60} * * * * ${command.replaceAll("%", String.raw`\%`)} ${cronMark(place)}`;
}

function shellLine(place: ServicePlace): string {
  const file = shellWord(environmentFile(place));
  return `if [ -r ${file} ]; then set -a; . ${file}; set +a; fi; exec ${tickCommand(place).map(shellWord).join(" ")}`;
}

const shellWord = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Quoted, with systemd's own signs doubled. In a command line `$` begins a variable; in an assignment it does not. */
function systemdWord(word: string, { expands = true }: { readonly expands?: boolean } = {}): string {
  const plain = word.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%");
  return `"${expands ? plain.replaceAll("$", "$$$$") : plain}"`;
}

/** A path that stands alone on its line takes no quotes. */
const systemdPath = (path: string): string => path.replaceAll("%", "%%");

const xml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
