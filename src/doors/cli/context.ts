// Defines what a command is given: where it stands, how to print, how to reach the rest of constel. The parts that cost time to load come as
// functions.

import type { OpenPullsReport, OpenPullsRequest } from "../../protocol/open-pulls.ts";
import type { WaitingCron } from "../../ports/schedules.ts";
import type { Contracts } from "../../protocol/contract-report.ts";
import type { Caller } from "../../client/caller.ts";
import type { BundleVerdict } from "../../protocol/audit-bundle.ts";
import type { Budgeted, CheckReport, CheckRequest } from "../../protocol/check.ts";
import type { FirstLook, LookRequest } from "../../protocol/try-report.ts";
import type { AskedPermission, JudgedPermission } from "../../protocol/permission.ts";
import type { QueryReader } from "../../protocol/query.ts";
import type { StoreKeeping } from "../../protocol/store-keeping.ts";
import type { ToolCall } from "../../protocol/tool-call.ts";
import type { Env } from "../../settings/env.ts";
import type { Settings, SettingsFlags } from "../../settings/settings.ts";
import type { CommandShape } from "./input/command-shape.ts";
import type { WatchParts } from "../../client/monitor.ts";
import type { Output } from "./present/output.ts";
import { Refusal } from "../../protocol/errors.ts";

/** The parts that only main.ts can wire, because doors may not import the daemon's room. */
export interface Backstage {
  /** Runs the daemon in this process until it is told to stop. `load` reads the settings: at the start, and when the file has changed. */
  runDaemon(load: () => Promise<Settings>): Promise<void>;
  /** Answers a read operation in this process, from a snapshot, when no daemon runs. */
  readInProcess(settings: Settings, operation: string, input: unknown): Promise<unknown>;
  openReader(settings: Settings): Promise<QueryReader>;
  /** Writes the audit as lines that can be verified on their own; answers how many events there were. */
  exportAudit(settings: Settings, write: (line: string) => void): Promise<number>;
  verifyBundle(lines: AsyncIterable<string>, heads: string | undefined): Promise<BundleVerdict>;
  /** The monitor, until its reader leaves it. */
  watchScreen(parts: WatchParts): Promise<void>;
  keepStore(settings: Settings): Promise<StoreKeeping>;
  /** Serves MCP on standard input and output until the other side closes it. */
  serveMcp(parts: McpParts): Promise<void>;
  /** Compares two lines of work of a repository, with no daemon and no trace. */
  checkPair(request: CheckRequest & Budgeted): Promise<CheckReport>;
  /** Tells which open pull requests collide with one. */
  checkOpenPulls(request: OpenPullsRequest): Promise<OpenPullsReport>;
  /** Compares and lists specifications, in the same way. */
  contracts(): Promise<Contracts<Budgeted>>;
  /** Returns what is wrong with settings that hold tables, which are read where they are used. Undefined when all can be read. */
  settingsComplaint(settings: Settings): Promise<string | undefined>;
  /** With no daemon: each answers what it did, for people. */
  fireDueSchedules(settings: Settings): Promise<string>;
  tellLifted(settings: Settings): Promise<string>;
  /** Lines of cron.toml that wait for the owner's word, with no daemon. */
  waitingCrons(home: string): Promise<readonly WaitingCron[]>;
  /** Returns the rules' answer to a permission request, with no daemon. The request is asked for once this runs. */
  judgePermission(settings: Settings, request: () => Promise<AskedPermission>): Promise<JudgedPermission>;
  /** Looks at a whole repository once, in the same way. */
  lookAtRepository(request: LookRequest & Budgeted): Promise<FirstLook>;
}

export interface McpParts {
  readonly version: string;
  readonly caller: Caller;
  readonly agent: string;
  readonly cwd: string;
  readonly record: (call: ToolCall) => void;
  readonly onError: (cause: Error) => void;
  readonly signal: AbortSignal;
}

export interface CliContext {
  readonly env: Env & Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The caller's mask for new files; ours is stricter. */
  readonly umask: number;
  /** Of this program. */
  readonly version: string;
  readonly output: Output;
  /** The settings given on the command line; a daemon that is started is given the same. */
  readonly flags: SettingsFlags;
  /** Home and root only; never fails on a malformed config. */
  readonly places: Pick<Settings, "home" | "root" | "homeOnly" | "agent" | "passedOver">;
  readonly settings: () => Promise<Settings>;
  /** The name of the server that was asked for, where it is not this machine's own daemon. */
  readonly server: string | undefined;
  /** Calls operations: through the daemon, started when it is not there; reads fall back to a snapshot. */
  readonly caller: () => Promise<Caller>;
  /** Every command there is. */
  readonly commands: () => Promise<readonly CommandShape[]>;
  readonly backstage: Backstage;
  /** Aborted by what ends a command from outside (endings.ts), which ends the process at once unless this was asked for. */
  readonly signal: AbortSignal;
}

/** For the parts of a command that only work on their own machine. */
export function refuseServer({ server }: CliContext, what: string): void {
  if (server !== undefined)
    throw new Refusal("server.not-here", `${what} cannot be asked of a server, and ${server} was named`, { server });
}
