// Interprets the payloads of each program's hooks. All programs are in one file, against the rule that a program is known only in its own
// folder: this is loaded at every hook of every agent, and a file more costs half a millisecond of CPU.

import { messagesIn } from "../../protocol/message-marks.ts";
import type { HookEvent, HookRecord } from "../../ports/runtime.ts";

export type HookMaker = (payload: unknown, nowMs: number) => HookRecord | undefined;

export const claudeEvents: Readonly<Record<string, HookEvent>> = {
  SessionStart: "session-started",
  UserPromptSubmit: "prompt-submitted",
  PreToolUse: "tool-began",
  PermissionRequest: "permission-asked",
  PostToolUse: "tool-ended",
  PostToolUseFailure: "tool-ended",
  Stop: "turn-ended",
  SubagentStop: "turn-ended",
  StopFailure: "turn-failed",
  PreCompact: "compacting",
  PostCompact: "compacted",
  Notification: "notified",
  SessionEnd: "session-ended",
};

export const codexEvents: Readonly<Record<string, HookEvent>> = {
  SessionStart: "session-started",
  UserPromptSubmit: "prompt-submitted",
  PreToolUse: "tool-began",
  PermissionRequest: "permission-asked",
  PostToolUse: "tool-ended",
  Stop: "turn-ended",
  SubagentStop: "turn-ended",
  Interrupt: "interrupted",
  PreCompact: "compacting",
  PostCompact: "compacted",
  SessionEnd: "session-ended",
};

export const geminiEvents: Readonly<Record<string, HookEvent>> = {
  SessionStart: "session-started",
  BeforeAgent: "prompt-submitted",
  BeforeTool: "tool-began",
  AfterTool: "tool-ended",
  AfterAgent: "turn-ended",
  PreCompress: "compacting",
  Notification: "notified",
  SessionEnd: "session-ended",
};

const makers: Readonly<Record<string, HookMaker>> = {
  claude: (payload, nowMs) => recordFrom(payload, nowMs, claudeEvents),
  codex: (payload, nowMs) => recordFrom(payload, nowMs, codexEvents),
  gemini: (payload, nowMs) => recordFrom(payload, nowMs, geminiEvents),
  // Its plugin of ours speaks in the words of claude.
  opencode: (payload, nowMs) => recordFrom(payload, nowMs, claudeEvents),
  script: scriptRecord,
};

/** undefined for a program whose hooks leave nothing, or that nobody knows. */
export function hookMaker(runtime: string): HookMaker | undefined {
  return Object.hasOwn(makers, runtime) ? makers[runtime] : undefined;
}

/** For adapters, which know their own name. */
export function hookRecordOf(runtime: string): HookMaker {
  return hookMaker(runtime) ?? (() => undefined);
}

/**
 * The record for a payload of the common shape (`hook_event_name`, `session_id`, `tool_name`…), which three programs share.
 * `events` maps the program's names to ours.
 */
function recordFrom(
  payload: unknown,
  nowMs: number,
  events: Readonly<Record<string, HookEvent>>,
): HookRecord | undefined {
  const given = asObject(payload);
  const name = asText(given?.["hook_event_name"]);
  if (given === undefined || name === undefined) return undefined;
  const session = asText(given["session_id"])?.slice(0, longestId);
  if (session === undefined) return undefined;
  const prompt = asText(given["prompt"]);
  const says = asText(given["last_assistant_message"]) ?? asText(given["prompt_response"]) ?? asText(given["message"]);
  const event = events[name] ?? "other";
  const record: { -readonly [Key in keyof HookRecord]: HookRecord[Key] } = { event, at: nowMs, session };
  const cwd = asPath(given["cwd"]);
  if (cwd !== undefined) record.cwd = cwd;
  const transcript = asPath(given["transcript_path"]);
  if (transcript !== undefined) record.transcript = transcript;
  const tool = asText(given["tool_name"])?.slice(0, longestId);
  if (tool !== undefined) record.tool = tool;
  if (event === "tool-began" && given["tool_input"] !== undefined) record.call = callHash(given["tool_input"]);
  const files = touchedFiles(given["tool_input"]);
  if (files[0] !== undefined) record.file = files[0];
  if (files.length > 1) record.files = files;
  if (prompt !== undefined) {
    record.messages = messagesIn(prompt);
    record.promptHash = promptHash(prompt);
  }
  const reason =
    asText(given["error"]) ?? asText(given["notification_type"]) ?? asText(given["reason"]) ?? asText(given["source"]);
  if (reason !== undefined) record.reason = reason.slice(0, 100);
  if (event === "turn-failed" && says !== undefined) record.says = says.slice(0, 300);
  // How a turn ended stands in its last lines.
  if (event === "turn-ended" && says !== undefined) record.says = says.trimEnd().slice(-300);
  const question = tool === undefined ? undefined : questionIn(tool, given["tool_input"]);
  if (question !== undefined) record.says = question;
  if (asText(given["agent_id"]) !== undefined || name === "SubagentStop") record.inSubagent = true;
  return record;
}

/** The tools by which programs ask their user something, as each program calls its own. */
const questionTools: ReadonlySet<string> = new Set(["AskUserQuestion", "request_user_input", "question", "ask_user"]);

/** Returns the question to the user, with the options they may choose from. Undefined for every other tool. */
export function questionIn(tool: string, input: unknown): string | undefined {
  if (!questionTools.has(tool)) return undefined;
  const all = asObject(input)?.["questions"];
  const texts = (Array.isArray(all) ? all : [input]).flatMap((one) => {
    const text = asText(asObject(one)?.["question"]);
    const options = asObject(one)?.["options"];
    const labels = (Array.isArray(options) ? options : []).flatMap(
      (option) => asText(asObject(option)?.["label"]) ?? [],
    );
    return text === undefined ? [] : [labels.length === 0 ? text : `${text} (${labels.join(", ")})`];
  });
  return (texts.length === 0 ? "its question could not be read" : texts.join(" ")).slice(0, 300);
}

/** True when a record is about a question to the user. */
export const isQuestion = ({ tool }: Pick<HookRecord, "tool">): boolean =>
  tool !== undefined && questionTools.has(tool);

/** Returns a hash that identifies a prompt without keeping its words. Terminals and programs may change white space on the way. */
export function promptHash(prompt: string): string {
  // Not node:crypto, which takes longer to load than all the rest of a hook (11 ms of CPU against 1).
  return new Bun.CryptoHasher("sha256").update(prompt.replace(/\s+/g, " ").trim()).digest("hex");
}

/** Long enough to tell the calls of one agent from each other. */
const callLength = 16;

/** Returns a hash of what a tool is given, which is not kept itself. */
export const callHash = (input: unknown): string =>
  new Bun.CryptoHasher("sha256").update(JSON.stringify(input)).digest("hex").slice(0, callLength);

/** Of a session or a tool: what is longer is nobody's name, and every line that is left is read again and again. */
const longestId = 200;
/** No system opens a longer one. */
const longestPath = 4_096;

/** A patch of more files is not one that somebody wrote by hand. */
const mostFiles = 200;

/** The files a tool works on: the one it names, or all in a patch. */
export function touchedFiles(input: unknown): string[] {
  const given = asObject(input);
  if (given === undefined) return [];
  for (const key of ["file_path", "notebook_path", "filePath", "path", "absolute_path"]) {
    if (asText(given[key]) === undefined) continue;
    const path = asPath(given[key]);
    return path === undefined ? [] : [path];
  }
  const patch =
    asText(given["command"]) ?? asText(given["input"]) ?? asText(given["patch"]) ?? asText(given["patchText"]) ?? "";
  const named = patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm);
  const paths = [...named.take(mostFiles)].flatMap((match) => asPath((match[1] ?? "").trim()) ?? []);
  return [...new Set(paths)];
}

/** Reads what a script gives to `constel hook script`: `{"event", "messages"?, "reason"?, "says"?}`. */
function scriptRecord(payload: unknown, nowMs: number): HookRecord | undefined {
  const given = asObject(payload);
  const event = asText(given?.["event"]);
  if (given === undefined || event === undefined || !scriptEvents.has(event)) return undefined;
  const messages = given["messages"];
  const reason = asText(given["reason"]);
  const says = asText(given["says"]);
  return {
    event: event as HookEvent,
    at: nowMs,
    session: asText(given["session"])?.slice(0, longestId) ?? "script",
    ...(Array.isArray(messages) ? { messages: messages.filter((id) => typeof id === "string") } : {}),
    ...(reason === undefined ? {} : { reason: reason.slice(0, 100) }),
    ...(says === undefined ? {} : { says: says.slice(0, 300) }),
  };
}

const scriptEvents: ReadonlySet<string> = new Set<HookEvent>([
  "session-started",
  "prompt-submitted",
  "tool-began",
  "permission-asked",
  "tool-ended",
  "turn-ended",
  "turn-failed",
  "interrupted",
  "session-ended",
]);

// The same as in json-lines.ts, which loads much more.
function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isOne = typeof value === "object" && value !== null && !Array.isArray(value);
  return isOne ? (value as Readonly<Record<string, unknown>>) : undefined;
}

const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function asPath(value: unknown): string | undefined {
  const path = asText(value);
  return path === undefined || path.length > longestPath ? undefined : path;
}
