// Says where things are under the home. All are functions of a base directory: nothing here looks at the machine.

import { join } from "node:path";

/** Paths relative to the home, for the trusted-file functions. */
export const inHome = {
  config: "config.toml",
  cron: "cron.toml",
  database: "meta.db",
  state: "state",
  logs: "logs",
  backups: "backups",
  keys: "keys",
  loops: "state/loops",
  prompts: "state/prompts",
  crashHandoffs: "state/crash-handoffs",
  handoffArchive: "state/handoff-archive",
  restartStatus: "state/restart-status",
  restartArchive: "state/restart-archive",
  inbox: (agent: string) => `channels/agent/${agent}/inbox`,
  socket: "state/daemon.sock",
  /** The socket where a process learns who the kernel says it is (daemon/door/passes.ts). */
  whoSocket: "state/who.sock",
  /** Takes the stream that ssh brought (daemon/mesh/stdio-door.ts). */
  meshSocket: "state/mesh.sock",
  /** Second names of both sockets, in a directory that can be shown to a confined agent. */
  doors: "state/doors",
  configLock: "state/config.lock",
  /** The position of the database at its last commit. It outlives the database: a head alone says that there was one. */
  databaseHead: "state/database-head",
  daemonLock: "state/daemon.lock",
  /** The name of this home among the daemons over one database. */
  holder: "state/holder",
  daemonInfo: "state/daemon.json",
  /** An agent asks the ticker for the daemon, which it may not start itself. */
  daemonWanted: "state/daemon-wanted",
  /** The port of the last daemon: the next one takes it again, because open pages and tools know it. */
  httpPort: "state/http-port",
  daemonLog: "logs/daemon.log",
  /** The words of restarts, which outlive whoever asked for them. */
  restartLog: "logs/restarts.log",
  /** The text that the log held before it was begun anew. */
  earlierDaemonLog: "logs/daemon.1.log",
  /** The reason why the last start failed, for the process that asked for it. */
  daemonFailure: "state/daemon-failure.json",
  /** The servers that the owner logged in to, with the tokens for them. */
  servers: "state/servers",
  savedQueries: "state/queries",
  agents: "state/agents",
  /** Launches that were replaced and whose tokens are not counted yet. */
  earlier: "state/earlier",
  /** Processes of the owner's that were let go of, one file each. */
  owned: "state/owned",
  hooks: "state/hooks",
  /** The things that each agent is to hear next, and which of them were told. */
  hear: "state/hear",
  /** The record of what `constel install` did to a person's own files. */
  installed: "state/installed",
  hookSeen: "state/hook-seen",
  /** Sessions that people started themselves, one file each. */
  guests: "state/guests",
  push: "state/push",
  /** Holds `constel` and nothing else: it stands in front of every agent's PATH. */
  programs: "state/bin",
  agentsLock: "state/agents.lock",
  tmuxLock: "state/tmux.lock",
  schedulesLock: "state/schedules.lock",
  /** The crons that were accepted and the loops there are, sealed. */
  scheduleRegister: "state/schedules.json",
  /** Marks of scheduled verbs that run or have just ended. */
  firings: "state/firings",
  /** The point up to which ticks looked at schedules while no daemon could run. */
  dueAlone: "state/due-without-daemon.json",
  /** The agents that such ticks told that a usage limit has lifted, and which limit. */
  liftedAlone: "state/lifted-without-daemon.json",
  watchdogLock: "state/watchdog.lock",
  /** Private object directories of the repositories that are watched. They can be made again. */
  observe: "state/observe",
  /** The facts known about files of repositories, by what is written in them. They can be made again. */
  facts: "state/facts",
  /** Private clones in which work is picked, gated and pushed from. They can be made again. */
  harvest: "state/harvest",
  /** Scratch directories of gates that run now. */
  gates: "state/gates",
  /** Scratch trees that the owner's compilers look at. They can be made again. */
  compilers: "state/compilers",
  /** The things that compilers remember by content, for all repositories. They can be made again. */
  compilersKept: "state/compilers-kept",
  /** The work saved from workspaces whose source is gone. */
  rescues: "state/rescues",
} as const;

export const homeDirectories = [
  "channels",
  "channels/agent",
  inHome.state,
  inHome.logs,
  inHome.backups,
  inHome.loops,
  inHome.prompts,
  inHome.crashHandoffs,
  inHome.handoffArchive,
  inHome.restartStatus,
  inHome.restartArchive,
] as const;

/** Paths relative to the root directory. */
export const inRoot = {
  marker: "constel.toml",
  briefs: "briefs",
  notes: "notes",
  workspaces: "workspaces",
} as const;

export const under = (base: string, relative: string): string => join(base, relative);

/** The UTC date of a moment, as it stands in names of log files: 2026-01-02. */
export const utcDate = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);
