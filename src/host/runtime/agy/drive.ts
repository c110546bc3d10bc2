// Antigravity CLI by its stream-JSON over a pipe: a line with the user's words goes in; what begins, what it says and does, and the end of
// the turn come out. By its documents and what others recorded of it; it wants a login, so nobody here has run it.
//
// Nothing can be asked in this mode: a tool that its own settings do not allow is denied by the program itself, and the turn then ends
// as a success that says nothing. Such a turn has failed here, with the reason.

import type { Driver, DriveStart, DrivenSession, Pipe, TurnEnd, TurnEvent } from "../../../ports/driver.ts";
import type { Usage } from "../../../ports/runtime.ts";
import { readPrompt } from "../codex/launch.ts";
import { asNumber, asObject, asText, type Json } from "../json-lines.ts";

/** Its own is five minutes, after which half of an answer counts as a whole one. constel's own bound ends a turn before this. */
const longestTurn = "168h";

export const agyDriver: Driver = {
  prepare: (launch) =>
    Promise.resolve({
      files: [],
      argv: [
        launch.program,
        "--input-format",
        "stream-json",
        "--output-format",
        "stream-json",
        "--print-timeout",
        longestTurn,
        ...(launch.permissions === "all" ? ["--dangerously-skip-permissions"] : []),
        ...(launch.model === undefined ? [] : ["--model", launch.model]),
        ...(launch.resume === undefined ? [] : ["--conversation", launch.resume]),
      ],
      env: { CONSTEL_AGENT: launch.agent, CONSTEL_HOME: launch.home },
      unset: [],
      notes: [],
    }),
  // It takes no system prompt; a conversation that is taken up again has had this already.
  open: (pipe, start) =>
    openAgy(pipe, start, start.resume === undefined ? readPrompt(start.launch.promptFile) : undefined),
};

export function openAgy(pipe: Pipe, start: DriveStart, introduction?: string): Promise<DrivenSession> {
  if (start.fork === true) return Promise.reject(new Error("it cannot copy a conversation"));
  return Promise.resolve(new AgySession(pipe, start, introduction));
}

interface Turn {
  readonly hear: (event: TurnEvent) => void;
  readonly end: (end: TurnEnd) => void;
  readonly fail: (cause: Error) => void;
  /** Tools under way, by the step they are. */
  readonly tools: Map<number, string>;
  said: string;
  isAcknowledged: boolean;
}

class AgySession implements DrivenSession {
  readonly transcript = undefined;
  readonly #pipe: Pipe;
  readonly #start: DriveStart;
  #introduction: string | undefined;
  #id: string;
  #turn: Turn | undefined;
  #over: Error | undefined;

  constructor(pipe: Pipe, start: DriveStart, introduction: string | undefined) {
    this.#pipe = pipe;
    this.#start = start;
    this.#id = start.resume ?? "";
    this.#introduction = introduction;
    pipe.listen((line) => this.#take(line));
    void this.#untilEnded();
  }

  async #untilEnded(): Promise<void> {
    this.#over = new Error(`the program ended: ${await this.#pipe.ended}`);
    this.#turn?.fail(this.#over);
  }

  get id(): string {
    return this.#id;
  }

  turn(text: string, hear: (event: TurnEvent) => void): Promise<TurnEnd> {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    const { promise, resolve, reject } = Promise.withResolvers<TurnEnd>();
    const settle = (): void => void (this.#turn = undefined);
    this.#turn = {
      hear,
      end: (end) => (settle(), resolve(end)),
      fail: (cause) => (settle(), reject(cause)),
      tools: new Map(),
      said: "",
      isAcknowledged: false,
    };
    const content = this.#introduction === undefined ? text : `${this.#introduction}\n\n${text}`;
    this.#introduction = undefined;
    this.#pipe.write({ event: "user", message: { content } });
    return promise;
  }

  /** It knows no word for this, so what it says from now on belongs to no turn, and another needs a new process. */
  interrupt(): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    this.#over = new Error("its turn was interrupted, and it can only be started anew");
    turn.end({ ok: false, text: "", error: "it was interrupted", interrupted: true, usage: [] });
  }

  #take(line: Json): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    const event = asText(line["event"]) ?? "";
    const told = asObject(line[event]) ?? line;
    const id = asText(line["conversation_id"]) ?? asText(told["conversation_id"]);
    if (id !== undefined && !this.#isSame(id, turn)) return;
    if (event === "step_update") this.#step(told, turn);
    else if (event === "result") this.#end(told, turn);
  }

  /** The one that was to be resumed goes on: another would not know what it was told. */
  #isSame(id: string, turn: Turn): boolean {
    const { resume } = this.#start;
    if (resume === undefined || id === resume) this.#id = id;
    else turn.fail(new Error(`it answered with another conversation: ${id} instead of ${resume}`));
    return resume === undefined || id === resume;
  }

  #step(step: Json, turn: Turn): void {
    const kind = step["step_type"];
    // The prompt comes back as a step of its own, before the model has seen it.
    if (kind === "user_input") return;
    const delta = asText(step["text_delta"]);
    const tool = asText(step["tool_name"]);
    if (tool === undefined && delta === undefined) return;
    if (!turn.isAcknowledged) turn.hear({ kind: "acknowledged" });
    turn.isAcknowledged = true;
    if (tool !== undefined) return this.#tool(step, tool, turn);
    turn.said += delta ?? "";
    if (step["state"] === "DONE" && turn.said.trim() !== "") turn.hear({ kind: "said", text: turn.said.trim() });
    if (step["state"] === "DONE") turn.said = "";
  }

  #tool(step: Json, tool: string, turn: Turn): void {
    const at = asNumber(step["step_index"]);
    if (!turn.tools.has(at)) {
      const file = asText(asObject(asObject(step["tool_info"])?.["parameters"])?.["TargetFile"]);
      turn.hear({ kind: "tool-began", tool, ...(file === undefined ? {} : { files: [file] }) });
    }
    turn.tools.set(at, tool);
    if (step["state"] !== "DONE" && step["state"] !== "ERROR") return;
    turn.hear({ kind: "tool-ended", tool, input: asObject(step["tool_info"])?.["parameters"] });
  }

  #end(result: Json, turn: Turn): void {
    const text = (asText(result["response"]) ?? "").trim();
    const denied = Array.isArray(result["denied_actions"]) && result["denied_actions"].length > 0;
    const isWell = result["status"] === "SUCCESS" && (text !== "" || !denied);
    const why = asText(result["error"]) ?? (denied ? "its own settings did not allow what it wanted to do" : undefined);
    turn.end({
      ok: isWell,
      text: isWell ? text : "",
      ...(isWell ? {} : { error: why ?? "the turn failed" }),
      usage: usageOf(asObject(result["usage"]), this.#start.launch.model),
    });
  }
}

/** Of the whole turn. `input` leaves out what came from the cache, and thoughts are in `output`, as others measured. */
function usageOf(told: Json | undefined, model = "agy"): Usage[] {
  if (told === undefined) return [];
  const [input, output, cacheRead] = ["input_tokens", "output_tokens", "cache_read_tokens"].map((key) =>
    asNumber(told[key]),
  );
  if (input === undefined || output === undefined || cacheRead === undefined || input + output === 0) return [];
  const id = `turn:${crypto.randomUUID()}`;
  return [{ id, model, input, output, cacheRead, cacheWrite: 0, atMs: Date.now() }];
}
