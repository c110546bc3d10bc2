// Declares what constel asks of an agent program (a runtime): how to start it, talk to it, tell its state and count its tokens. One adapter
// per program lives in host/runtime/; no other room names a program. Shapes only, no I/O.

import type { Drive, DriveLimit } from "./drive.ts";
import type { Clock, Processes } from "./machine.ts";

/** `no`, or in a few words how the program does it. */
export interface Abilities {
  /** `launch`: given as a system prompt; `first-turn`: the opening message points at the file. */
  readonly systemPrompt: "launch" | "first-turn" | "no";
  /** Its hooks tell what it is doing. */
  readonly hooks: boolean;
  /** Its hooks say what lies ready for it, before an edit and at a prompt; others hear by messages. */
  readonly hears: boolean;
  readonly mcp: boolean;
  readonly resume: boolean;
  readonly headless: boolean;
  readonly usageReport: boolean;
  readonly idleDetection: boolean;
  /** A way in that does not type into the terminal. */
  readonly push: boolean;
  /** constel may choose the session id before the start. */
  readonly ownSessionId: boolean;
}

/** The machine as adapters see it. `env` is the environment the program will get, before the launch adds its own. */
export interface RuntimeMachine {
  readonly processes: Processes;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string>>;
}

export interface Detected {
  readonly installed: boolean;
  readonly path: string | undefined;
  readonly version: string | undefined;
  /** False when the installed version is not one the adapter was tested with. */
  readonly matchesChecked: boolean;
}

/** `ask` prompts for each risky tool, `edits` allows file edits, `all` allows everything (refused by some as root). */
export type Permissions = "ask" | "edits" | "all";

export interface McpServer {
  /** The program starts without it, should it fail. */
  readonly optional?: boolean;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Launch {
  readonly agent: string;
  /** constel's home; files the launch needs are written below it. */
  readonly home: string;
  readonly cwd: string;
  /** The executable, as `detect` found it. For `script`, unused. */
  readonly program: string;
  /** The composed prompt. Only its path is passed on. */
  readonly promptFile: string;
  /** A short first message, or undefined to start idle. */
  readonly opening?: string;
  /** Chosen by constel (a UUID); runtimes without `ownSessionId` ignore it. */
  readonly sessionId?: string;
  /** Take up this session again. */
  readonly resume?: string;
  readonly model?: string;
  readonly permissions: Permissions;
  /** Reads a hook's JSON on stdin, appends one HookRecord line, exits 0 whatever happens. */
  readonly hookCommand: readonly string[];
  /** Waits for the agent's push inbox; prints a message on stderr and exits 2. Only runtimes that can be woken by it use it. */
  readonly waitCommand?: readonly string[];
  readonly mcp?: Readonly<Record<string, McpServer>>;
  /** The owner put this directory into the constellation: the program's trust question is answered for this launch. */
  readonly trusted: boolean;
  /** `script`: the command. Runtimes with an HTTP door: the port it shall listen on. */
  readonly command?: readonly string[];
  readonly port?: number;
  /**
   * Confined: where the program keeps its configuration, login and conversations, instead of the owner's own place. The agent can
   * write there, so nothing outside of its sandbox may be run with it.
   */
  readonly ownFiles?: string;
  /** One of the owner's further accounts. Absent: the one that the program uses by itself. */
  readonly account?: { readonly name: string; readonly directory: string };
  /** Driven over a pipe, by a holder in its terminal. */
  readonly drive?: Drive;
}

/** How a program is told which account to use, and how a conversation is taken along. Absent: constel knows no way. */
export interface AccountWays {
  /** Names the directory with the account's login and configuration. */
  readonly variable: string;
  /** Copies the conversation `session` to where the next launch looks for it. The one it comes from keeps its own. */
  carry(session: LiveSession, next: Pick<Launch, "account" | "ownFiles">, machine: RuntimeMachine): Promise<void>;
}

/** The parts of the owner's configuration that a program needs, in a directory of the agent's own. */
export interface OwnFiles {
  /** Copied before each start, where they are there: the owner's file, and its name in that directory. */
  readonly copies: readonly { readonly from: string; readonly name: string }[];
}

/** A file to be written below the home (0600) before the start. */
export interface PreparedFile {
  readonly path: string;
  readonly content: string;
}

export interface Prepared {
  readonly files: readonly PreparedFile[];
  /** Symbolic links to be made below the home, unless something else is there. */
  readonly links?: readonly { readonly path: string; readonly target: string }[];
  readonly argv: readonly string[];
  /** Added to the machine's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Taken out of it: what would make the program believe it runs inside another. */
  readonly unset: readonly string[];
  /** The things that could not be had for this launch, for people. */
  readonly notes: readonly string[];
}

/** The place where `constel install` puts its hooks: a person's own configuration, or one repository's. */
export interface InstallWish {
  readonly env: Readonly<Record<string, string>>;
  /** The top of the repository; undefined for everywhere. */
  readonly project: string | undefined;
  /** The hook as a line for a shell. */
  readonly line: string;
  /** The text that tells its model about constel. */
  readonly instructions: string;
  /** It is to be taken away: nobody need be asked for what was added. */
  readonly undo: boolean;
}

/** One file of a person's that gets something of ours. */
export type InstallTarget = { readonly runtime: string; readonly path: string } & (
  | {
      /** Settings in JSON with `hooks`: for each event, what is added to its list. */
      readonly kind: "hooks";
      readonly entries: Readonly<Record<string, unknown>>;
      readonly isOurs: (entry: unknown) => boolean;
      /** The program reads comments in it. One that does not skips a file with a comment as a whole. */
      readonly comments: boolean;
      /** The program reads a file that begins with a byte order mark. */
      readonly mark: boolean;
    }
  | { readonly kind: "instructions"; readonly text: string }
  | { readonly kind: "toml"; readonly tables: readonly TomlTable[] }
  /** A file that is all ours. */
  | { readonly kind: "file"; readonly text: string }
);

export interface TomlTable {
  readonly keys: readonly string[];
  readonly body: string;
}

export interface Turn {
  readonly program: string;
  readonly cwd: string;
  readonly prompt: string;
  readonly promptFile?: string;
  readonly sessionId?: string;
  readonly resume?: string;
  readonly model?: string;
  readonly permissions: Permissions;
  readonly trusted: boolean;
  readonly mcp?: Readonly<Record<string, McpServer>>;
}

export interface HeadlessCommand {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly unset: readonly string[];
  readonly stdin: string;
}

/** The usage of one answer of the model. `input` never includes what came from the cache. */
export interface Usage {
  /** Stable: the same answer read twice has the same id. */
  readonly id: string;
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The number of cache writes that are kept for an hour, where the program says. They cost more. */
  readonly cacheWriteHour?: number;
  /** Millionths of a US dollar, when the program says. */
  readonly costMicros?: number;
  readonly atMs: number;
}

export interface Limit {
  readonly untilMs: number;
  /** False when the program did not say when it lifts and a cautious guess was made. */
  readonly known: boolean;
  readonly says: string;
}

export interface HeadlessOutcome {
  readonly ok: boolean;
  readonly text: string;
  readonly sessionId: string | undefined;
  /** Of this turn; empty when the program reports only totals, then `Runtime.usage` with the session id tells. */
  readonly usage: readonly Usage[];
  readonly limit?: Limit;
  readonly loggedOut?: boolean;
  readonly error?: string;
  /** Tools that were refused for want of permission; the turn may still be `ok`. */
  readonly denied: readonly string[];
}

/** One line of `<home>/state/hooks/<agent>.jsonl`. Events carry the same names whatever the program calls them. */
export interface HookRecord {
  readonly event: HookEvent;
  readonly at: number;
  readonly session: string;
  readonly cwd?: string;
  readonly transcript?: string;
  readonly tool?: string;
  /** A hash of what the tool is given: two calls of the same thing have the same. */
  readonly call?: string;
  /** The file a tool touched or is about to. */
  readonly file?: string;
  /** All of them, where a tool touches more than one. */
  readonly files?: readonly string[];
  /** Ids of the constel messages in a submitted prompt. */
  readonly messages?: readonly string[];
  /** SHA-256 of the submitted prompt, in hex: proof without keeping the words. */
  readonly promptHash?: string;
  /** The reason that a failure, a notification or an end gives: `rate_limit`, `permission_prompt`, `clear`. */
  readonly reason?: string;
  /** The first 300 characters of what a failure said, or of what the user is asked; the last 300 of what the agent said when its turn ended. */
  readonly says?: string;
  readonly inSubagent?: boolean;
  /** The holder of a driven agent noted it. The program's own hooks, where it has any, tell of the same once more. */
  readonly byHolder?: true;
  /** Of a question: constel's own hook puts it and waits. The program shows work meanwhile, and nobody can answer in its terminal. */
  readonly isHeld?: boolean;
  /** Ids of what the agent was to hear (protocol/hear.ts) and this hook printed. */
  readonly told?: readonly string[];
}

export type HookEvent =
  | "session-started"
  | "prompt-submitted"
  | "tool-began"
  | "permission-asked"
  | "permission-answered"
  | "tool-ended"
  | "turn-ended"
  | "turn-failed"
  | "interrupted"
  | "compacting"
  | "compacted"
  | "notified"
  | "session-ended"
  | "other";

/** One thing a transcript says, normalised. */
export interface TranscriptRow {
  readonly kind: "turn-began" | "prompt" | "queued" | "answer" | "turn-ended" | "turn-failed" | "interrupted";
  readonly at: number;
  /** In a prompt: ids of constel messages, and the hash of the words. */
  readonly messages?: readonly string[];
  readonly promptHash?: string;
  readonly usage?: Usage;
  /** In an answer: it calls tools, so the turn goes on. */
  readonly goesOn?: boolean;
  readonly failure?: "limit" | "login" | "other";
  /** The words of a failure, or the end of what the model said. */
  readonly says?: string;
  /** The time when a limit lifts, if the program itself says. */
  readonly liftsAtMs?: number;
}

export type RowReader = (line: string) => TranscriptRow | undefined;

export interface Screen {
  readonly text: string;
  readonly title: string;
  readonly cursorX: number;
  readonly cursorY: number;
  /** Copy mode or another mode of the terminal, which eats keys. */
  readonly inMode: boolean;
  readonly dead: boolean;
}

/** One agent's terminal. */
export interface Pane {
  /** A terminal that is gone is `dead`, not an error. */
  capture(): Promise<Screen>;
  /** As one bracketed paste, however long. */
  paste(text: string): Promise<void>;
  enter(): Promise<void>;
  /** Named keys, as tmux spells them. */
  keys(...names: readonly string[]): Promise<void>;
  leaveMode(): Promise<void>;
}

/** The place where a waiting hook of the program picks messages up. */
export interface PushInbox {
  put(id: string, text: string): Promise<void>;
  /** True when it was still there, so that nobody has seen it. */
  withdraw(id: string): Promise<boolean>;
  /** True while a waiter is known to be listening. */
  attended(): Promise<boolean>;
}

/** The facts known of an agent. Adapters fill what they can; `status` judges it purely. */
export interface Evidence {
  readonly nowMs: number;
  /** The time of the launch. */
  readonly sinceMs: number;
  readonly process: "alive" | "dead" | "unknown";
  /** Of this session, oldest first. */
  readonly hooks: readonly HookRecord[];
  readonly rows: readonly TranscriptRow[];
  /** The program's own word about itself (a session file, an HTTP answer), with its time. */
  readonly own?: { readonly state: "idle" | "busy" | "waiting"; readonly says: string; readonly at: number };
  readonly screen?: Screen;
  /** A holder tells what it is at; its screen says nothing. */
  readonly held?: true;
}

export type AgentState =
  | "starting"
  | "busy"
  | "idle"
  | "waiting-permission"
  /** It asked its user something and waits for the words. */
  | "waiting-answer"
  | "limited"
  | "logged-out"
  | "dead"
  | "unknown";

/** The way an agent's last turn ended, for people. */
export interface LastWords {
  /** The end of what it said, else of its screen. */
  readonly text: string;
  /** Its own words; false when they were read off its screen. */
  readonly said: boolean;
  /** Its turn answered a message of constel's. */
  readonly toMessage: boolean;
}

/** An agent's own word while a command that it left running will wake it. */
export const idleWithShell = "idle, with a shell running in the background";

export interface AgentStatus {
  readonly state: AgentState;
  /** Of one that is idle. */
  readonly words?: LastWords;
  /** limited: when it lifts. */
  readonly untilMs?: number;
  readonly rests: {
    readonly on: "process" | "own" | "hooks" | "transcript" | "title" | "screen" | "nothing";
    readonly says: string;
    readonly atMs?: number;
  };
}

/** A running session to talk to. */
export interface LiveSession {
  readonly launch: Launch;
  /** The time of the launch. Older hook records and rows belong to somebody else. */
  readonly sinceMs: number;
  /** Of one that was replaced: the time when the next launch began, whose records are not its own. */
  readonly untilMs?: number;
  readonly sessionId?: string;
  readonly pane?: Pane;
  readonly push?: PushInbox;
  readonly pid?: number;
}

export interface OutgoingMessage {
  readonly id: string;
  readonly text: string;
  /**
   * Says whether it is read as the user's words or as a notice from the side, which a program may call no input of the user's. `must`: as
   * the user's words, or later (a brief). `rather`: as the user's words, unless that means waiting (what the owner says to an agent at
   * work). `no`: as a notice.
   */
  readonly asUser: "must" | "rather" | "no";
  /** The time to wait for the proof before answering `unknown`. */
  readonly proofMs: number;
}

export interface Proof {
  readonly by: "transcript" | "hook" | "acknowledgement";
  readonly at: number;
}

export type Delivery =
  | { readonly state: "delivered"; readonly way: string; readonly proof: Proof }
  /**
   * `sent` false: nothing reached the program, trying again is safe. True: it may still come; ask `proof` later. `unsubmitted`: it was typed
   * and stands, or is lost, where a person types; it can soon be tried again, for no turn begins with it by itself.
   */
  | {
      readonly state: "unknown";
      readonly way: string;
      readonly sent: boolean;
      readonly unsubmitted?: true;
      readonly reason: string;
    };

export interface CommandFile {
  readonly name: "up" | "down";
  readonly path: string;
  readonly content: string;
  /** The command that a person types. */
  readonly invokedBy: string;
}

export interface Runtime {
  readonly name: string;
  /** The versions the adapter was tested with. */
  readonly checkedVersions: readonly string[];
  readonly abilities: Abilities;
  /** No program of its own stands behind it: it is any command, or a part of constel. Nobody means it without naming it. */
  readonly onlyByName?: true;
  /** It can be driven over a pipe; `only`: constel knows no other way. */
  readonly drives?: "also" | "only";
  /** Wishes of a drive that it can be held to, at every turn. What is not here is refused rather than let go of. */
  readonly holdsTo?: readonly DriveLimit[];
  detect(machine: RuntimeMachine): Promise<Detected>;
  /** Everything an interactive start needs, without touching the user's own configuration. */
  prepare(launch: Launch, machine: RuntimeMachine): Promise<Prepared>;
  /** Tells whether commands of this launch cannot reach the daemon. Then it is given constel's tools over MCP, and told to use them. */
  isShutIn?(launch: Pick<Launch, "permissions" | "ownFiles">): boolean;
  /** Returns the value for `Launch.ownFiles`. If absent, constel cannot confine this program yet. */
  ownFiles?(env: Readonly<Record<string, string>>): OwnFiles;
  readonly accounts?: AccountWays;
  headless(turn: Turn): HeadlessCommand;
  parseHeadless(stdout: string, stderr: string, code: number | null, nowMs: number): HeadlessOutcome;
  /** The record a hook leaves, from what the program gave it on stdin; undefined when it is not worth a line. */
  hookRecord(payload: unknown, nowMs: number): HookRecord | undefined;
  observe(session: LiveSession, machine: RuntimeMachine): Promise<Evidence>;
  status(evidence: Evidence): AgentStatus;
  /** The id by which this session can be resumed, once it has one; `/clear` and the like may have changed it. */
  currentSession(session: LiveSession, machine: RuntimeMachine): Promise<string | undefined>;
  /**
   * Tells whether the program has kept something of this session, where a start of this launch would look for it. Programs refuse to take
   * up what they do not find. `unknown`: it keeps its sessions where constel does not look.
   */
  canResume(session: LiveSession, machine: RuntimeMachine): Promise<boolean | "unknown">;
  /** Returns the path of the transcript, once there is one. */
  transcript(session: LiveSession, machine: RuntimeMachine): Promise<string | undefined>;
  /** Reads a transcript line by line, from its beginning or any line on; it may remember what earlier lines said. */
  rowReader(): RowReader;
  inject(session: LiveSession, message: OutgoingMessage, machine: RuntimeMachine): Promise<Delivery>;
  /** Returns the proof that the turn with this message began. It may be asked for long after `inject` said `unknown`. */
  proof(session: LiveSession, messageId: string, machine: RuntimeMachine): Promise<Proof | undefined>;
  /** Returns what the session has used so far, each answer of the model once, subagents included. */
  usage(session: LiveSession, machine: RuntimeMachine): Promise<readonly Usage[]>;
  /** The /up and /down of this program, and where they go in the user's configuration. */
  commands(env: Readonly<Record<string, string>>): readonly CommandFile[];
  /** Returns what a session that a person starts needs to hear constel; nothing for a program that nobody starts by hand. */
  installs(wish: InstallWish): readonly InstallTarget[];
  /**
   * For a program that runs only hooks which somebody has trusted: what makes it trust ours, as they will stand in this file. Empty
   * when the program could not be asked. `scratch` is an empty directory that it may use and that goes afterwards.
   */
  trusts?(
    hooks: { readonly path: string; readonly text: string },
    wish: InstallWish,
    machine: RuntimeMachine,
    scratch: string,
  ): Promise<readonly InstallTarget[]>;
}
