// Codex over its app-server. Every turn restates directory, approvals, sandbox and model: a thread that is taken up again would otherwise go
// by today's configuration. A prompt counts as acknowledged with the first item that comes from the model.

import { join } from "node:path";
import type {
  AskedOverPipe,
  Driver,
  DriveStart,
  DrivenSession,
  Pipe,
  TurnEnd,
  TurnEvent,
} from "../../../ports/driver.ts";
import type { Launch } from "../../../ports/runtime.ts";
import { shellLine } from "../../../protocol/shell-line.ts";
import { askedForFiles } from "../driving/asked-for-files.ts";
import { JsonRpc, notKnown } from "../driving/json-rpc.ts";
import { codexEvents } from "../hook-record.ts";
import { asObject, asText, type Json, objectsIn } from "../json-lines.ts";
import { codexEnv, codexOverrides, codexUnset } from "./launch.ts";

export const codexDriver: Driver = {
  async prepare(launch, _, machine) {
    // The question comes over the pipe: put by the hook as well it would be asked twice.
    const events = Object.keys(codexEvents).filter((event) => event !== "PermissionRequest");
    const { overrides, notes } = await codexOverrides(launch, machine, events);
    const argv = [launch.program, "app-server", ...overrides.flatMap((override) => ["-c", override])];
    // The instructions are long: they stand in a start script, and the process list shows only its path.
    const start = join("state", "runtime", launch.agent, "start-codex.sh");
    return {
      files: [{ path: start, content: `#!/bin/sh\nexec ${shellLine(argv)}\n` }],
      argv: ["/bin/sh", join(launch.home, start)],
      env: codexEnv(launch),
      unset: codexUnset,
      notes,
    };
  },

  async open(pipe, start) {
    const session = new CodexThread(pipe, start);
    await session.begin();
    return session;
  },
};

interface Rights {
  readonly sandbox: "read-only" | "workspace-write" | "danger-full-access";
  readonly policy: { readonly type: "readOnly" | "workspaceWrite" | "dangerFullAccess" };
  readonly approvals: "on-request" | "never";
}

/** What is only to be read asks for no more: nobody would grant it. */
function rightsOf({ launch, drive }: Pick<DriveStart, "launch" | "drive">): Rights {
  if (drive.readOnly === true) return { sandbox: "read-only", policy: { type: "readOnly" }, approvals: "never" };
  if (launch.permissions === "all")
    return { sandbox: "danger-full-access", policy: { type: "dangerFullAccess" }, approvals: "never" };
  return { sandbox: "workspace-write", policy: { type: "workspaceWrite" }, approvals: "on-request" };
}

interface Turn {
  readonly hear: (event: TurnEvent) => void;
  readonly end: (end: TurnEnd) => void;
  id: string;
  said: string;
  isAcknowledged: boolean;
  isInterrupted: boolean;
}

class CodexThread implements DrivenSession {
  readonly #rpc: JsonRpc;
  readonly #start: DriveStart;
  readonly #rights: Rights;
  readonly #ended: Promise<string>;
  readonly #changes = new Map<string, readonly string[]>();
  #id = "";
  #transcript: string | undefined;
  #turn: Turn | undefined;

  constructor(pipe: Pipe, start: DriveStart) {
    this.#start = start;
    this.#rights = rightsOf(start);
    this.#ended = pipe.ended;
    this.#rpc = new JsonRpc(pipe, {
      answer: (method, params) => this.#answer(method, params),
      notice: (method, params) => this.#hear(method, params),
    });
  }

  get id(): string {
    return this.#id;
  }

  get transcript(): string | undefined {
    return this.#transcript;
  }

  async begin(): Promise<void> {
    const { launch, resume, fork } = this.#start;
    await this.#rpc.request("initialize", { clientInfo: { name: "constel", title: "constel", version: "0.1.0" } });
    this.#rpc.notify("initialized", {});
    const common = {
      cwd: launch.cwd,
      sandbox: this.#rights.sandbox,
      approvalPolicy: this.#rights.approvals,
      ...modelOf(launch),
    };
    const verb = resume === undefined ? "thread/start" : fork === true ? "thread/fork" : "thread/resume";
    const { thread } = await this.#rpc.request(
      verb,
      resume === undefined ? common : { ...common, threadId: resume, excludeTurns: true },
    );
    const id = asText(asObject(thread)?.["id"]) ?? "";
    if (resume !== undefined && fork !== true && id !== resume)
      throw new Error(`it answered with another conversation: ${id} instead of ${resume}`);
    this.#id = id;
    this.#transcript = asText(asObject(thread)?.["path"]);
  }

  async turn(text: string, hear: (event: TurnEvent) => void): Promise<TurnEnd> {
    const { promise, resolve } = Promise.withResolvers<TurnEnd>();
    this.#turn = { hear, end: resolve, id: "", said: "", isAcknowledged: false, isInterrupted: false };
    try {
      const { turn } = await this.#rpc.request("turn/start", {
        threadId: this.#id,
        input: [{ type: "text", text }],
        cwd: this.#start.launch.cwd,
        approvalPolicy: this.#rights.approvals,
        sandboxPolicy: this.#rights.policy,
        ...modelOf(this.#start.launch),
      });
      if (this.#turn !== undefined) this.#turn.id = asText(asObject(turn)?.["id"]) ?? "";
      const died = this.#ended.then((words): never => {
        throw new Error(`the program ended: ${words}`);
      });
      return await Promise.race([promise, died]);
    } finally {
      this.#turn = undefined;
    }
  }

  interrupt(): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    turn.isInterrupted = true;
    this.#rpc.request("turn/interrupt", { threadId: this.#id, turnId: turn.id }).catch(() => undefined);
  }

  #hear(method: string, params: Json): void {
    const turn = this.#turn;
    // What another thread of the same server does is nobody's turn here.
    if (turn === undefined || (params["threadId"] !== undefined && params["threadId"] !== this.#id)) return;
    const item = asObject(params["item"]) ?? {};
    if (method === "item/started" || method === "item/completed") this.#item(method, item, turn);
    else if (method === "item/agentMessage/delta") this.#acknowledge(turn);
    else if (method === "turn/completed") turn.end(endOf(asObject(params["turn"]) ?? {}, turn));
  }

  #item(method: string, item: Json, turn: Turn): void {
    const type = asText(item["type"]) ?? "";
    if (type === "userMessage" || type === "hookPrompt") return;
    this.#acknowledge(turn);
    const text = asText(item["text"]);
    if (type === "agentMessage" && method === "item/completed" && text !== undefined) {
      turn.said = text;
      turn.hear({ kind: "said", text });
    }
    const tool = toolNames[type];
    if (tool === undefined) return;
    const files = filesOf(item);
    this.#changes.set(asText(item["id"]) ?? "", files);
    if (method === "item/completed") return turn.hear({ kind: "tool-ended", tool, files });
    turn.hear({ kind: "tool-began", tool, files, input: inputOf(item) });
  }

  #acknowledge(turn: Turn): void {
    if (turn.isAcknowledged) return;
    turn.isAcknowledged = true;
    turn.hear({ kind: "acknowledged" });
  }

  async #answer(method: string, params: Json): Promise<unknown> {
    const asked = this.#asked(method, params);
    if (asked === undefined) throw notKnown(method);
    const { allow } = await this.#start.ask(asked);
    return { decision: allow ? "accept" : "decline" };
  }

  #asked(method: string, params: Json): AskedOverPipe | undefined {
    const cwd = asText(params["cwd"]) ?? this.#start.launch.cwd;
    if (method === "item/commandExecution/requestApproval")
      return { tool: "Bash", input: { command: withoutShell(asText(params["command"]) ?? "") }, cwd };
    if (method !== "item/fileChange/requestApproval") return undefined;
    return { ...askedForFiles(this.#changes.get(asText(params["itemId"]) ?? "") ?? []), cwd };
  }
}

const modelOf = ({ model }: Launch): { readonly model?: string } => (model === undefined ? {} : { model });

const toolNames: Readonly<Record<string, string>> = {
  commandExecution: "Bash",
  fileChange: "apply_patch",
  mcpToolCall: "mcp",
  dynamicToolCall: "tool",
  webSearch: "WebSearch",
};

/** Without what differs from call to call: its id, its state, its process. */
const inputOf = (item: Json): Json =>
  Object.fromEntries(
    ["command", "cwd", "changes", "server", "tool", "arguments", "query"].map((key) => [key, item[key]]),
  );

function filesOf(item: Json): readonly string[] {
  return objectsIn(item["changes"]).flatMap((change) => asText(change["path"]) ?? []);
}

function endOf(ended: Json, turn: Turn): TurnEnd {
  const status = asText(ended["status"]);
  const error = asText(asObject(ended["error"])?.["message"]);
  const isOver = status === "completed";
  return {
    ok: isOver,
    text: isOver ? turn.said : "",
    ...(isOver ? {} : { error: error ?? `the turn ended as ${status ?? "unknown"}` }),
    ...(turn.isInterrupted || status === "interrupted" ? { interrupted: true } : {}),
    // Its rollout tells, answer by answer.
    usage: [],
  };
}

/** Codex wraps a command into a shell. Where the words inside are quoted simply, they are the command; else it is judged as it stands. */
export function withoutShell(command: string): string {
  return /^(?:\/\S*\/)?(?:ba|z)?sh -l?c '([^']*)'$/.exec(command)?.[1] ?? command;
}
