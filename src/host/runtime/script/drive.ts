// Any command over a pipe, for tests and for programs of one's own. It reads one JSON line for each turn, {"text","session","resumes"}, and
// writes JSON lines: {"constel":"began"} when it has taken the turn up, {"constel":"tool","name","file"}, {"constel":"usage",…} as without
// a terminal, and last {"constel":"answer","text"} or {"constel":"failed","says"}. With "session" in it, an answer names its conversation.

import type { Driver, DriveStart, DrivenSession, Pipe, TurnEnd, TurnEvent } from "../../../ports/driver.ts";
import type { Usage } from "../../../ports/runtime.ts";
import { asText, type Json } from "../json-lines.ts";
import { script, usageFrom } from "./script.ts";

export const scriptDriver: Driver = {
  prepare: (launch, _, machine) => script.prepare(launch, machine),
  open: (pipe, start) => Promise.resolve(new ScriptSession(pipe, start)),
};

interface Turn {
  readonly hear: (event: TurnEvent) => void;
  readonly end: (end: TurnEnd) => void;
  readonly fail: (cause: Error) => void;
  readonly usage: Usage[];
}

class ScriptSession implements DrivenSession {
  readonly transcript = undefined;
  readonly #pipe: Pipe;
  readonly #start: DriveStart;
  #id: string;
  #turn: Turn | undefined;
  #over: Error | undefined;

  constructor(pipe: Pipe, start: DriveStart) {
    this.#pipe = pipe;
    this.#start = start;
    this.#id = start.resume ?? start.launch.sessionId ?? "";
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
    this.#turn = { hear, end: resolve, fail: reject, usage: [] };
    this.#pipe.write({ text, session: this.#id, resumes: this.#start.resume !== undefined });
    return promise;
  }

  interrupt(): void {
    const turn = this.#turn;
    this.#turn = undefined;
    turn?.end({ ok: false, text: "", error: "it was interrupted", interrupted: true, usage: turn.usage });
  }

  #take(line: Json): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    switch (line["constel"]) {
      case "began":
        return turn.hear({ kind: "acknowledged" });
      case "tool": {
        const file = asText(line["file"]);
        const { input } = line;
        const given = { ...(file === undefined ? {} : { files: [file] }), ...(input === undefined ? {} : { input }) };
        return turn.hear({ kind: "tool-began", tool: asText(line["name"]) ?? "a tool", ...given });
      }
      case "usage":
        return void turn.usage.push(usageFrom(line, `turn:${crypto.randomUUID()}`, Date.now()));
      case "answer":
      case "failed":
        return this.#end(line, turn);
      default:
    }
  }

  #end(line: Json, turn: Turn): void {
    this.#turn = undefined;
    const { resume, fork } = this.#start;
    const session = asText(line["session"]);
    if (session !== undefined && resume !== undefined && fork !== true && session !== resume)
      return turn.fail(new Error(`it answered with another conversation: ${session} instead of ${resume}`));
    this.#id = session ?? this.#id;
    turn.hear({ kind: "acknowledged" });
    const ok = line["constel"] === "answer";
    const text = ok ? (asText(line["text"]) ?? "") : "";
    turn.end({ ok, text, ...(ok ? {} : { error: asText(line["says"]) ?? "the turn failed" }), usage: turn.usage });
  }
}
