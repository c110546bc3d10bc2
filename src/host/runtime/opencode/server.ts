// Calls to a running opencode's HTTP interface. Nobody answering is an expected state of an agent, not a failure of ours; but no answer is
// never taken for one: on a machine that is very busy each of several questions may be the one that is not answered in time.

import { join } from "node:path";
import type { Launch } from "../../../ports/runtime.ts";
import { questionIn } from "../hook-record.ts";
import { asObject, asText, bytesFrom, type Json } from "../json-lines.ts";
import { portOf, secretFile } from "./launch.ts";

/** It starts slowly, and its first answers wait for that. */
const deadlineMs = 15_000;

export class OpencodeServer {
  readonly #base: string;
  readonly #authorization: string;

  private constructor(base: string, secret: string) {
    this.#base = base;
    this.#authorization = `Basic ${btoa(`opencode:${secret}`)}`;
  }

  static of(launch: Launch): OpencodeServer {
    const secret = bytesFrom(join(launch.home, secretFile(launch)), 0)
      .toString("utf8")
      .trim();
    return new OpencodeServer(`http://127.0.0.1:${portOf(launch)}`, secret);
  }

  /** undefined: nobody answers. */
  async sessions(): Promise<readonly Json[] | undefined> {
    const { answer } = await this.#call("/session");
    return Array.isArray(answer) ? objects(answer) : undefined;
  }

  /** Makes a session and shows it in the terminal. */
  async newSession(title: string): Promise<string | undefined> {
    const id = asText(asObject((await this.#call("/session", { title })).answer)?.["id"]);
    if (id !== undefined) await this.show(id);
    return id;
  }

  /** A terminal that is still drawing its first screen does not hear it, and nothing says so. */
  async show(id: string): Promise<void> {
    await this.#call("/tui/select-session", { sessionID: id });
  }

  /** undefined: no answer. */
  async messages(id: string): Promise<readonly Json[] | undefined> {
    const { answer } = await this.#call(`/session/${id}/message`);
    return Array.isArray(answer) ? objects(answer) : undefined;
  }

  /** undefined: no answer. */
  async status(id: string): Promise<Json | "idle" | undefined> {
    const all = asObject((await this.#call("/session/status")).answer);
    return all === undefined ? undefined : (asObject(all[id]) ?? "idle");
  }

  /** Says what it waits for, in words. "nobody" when it waits for nobody; undefined when there is no answer. */
  async asks(id: string): Promise<string | undefined> {
    const open = async (path: string): Promise<Json | "none" | undefined> => {
      const { answer } = await this.#call(path);
      if (!Array.isArray(answer)) return undefined;
      return objects(answer).find((one) => one["sessionID"] === id) ?? "none";
    };
    const permission = await open("/permission");
    if (permission !== "none") return permission && "it asks for permission";
    const question = await open("/question");
    if (question === undefined) return undefined;
    return question === "none" ? "nobody" : `asks: ${questionIn("question", question)}`;
  }

  /** Refused: it has not got it. Unknown: it may have. */
  async prompt(id: string, text: string): Promise<"taken" | "refused" | "unknown"> {
    const { answer, mayHaveArrived } = await this.#call(`/session/${id}/prompt_async`, {
      parts: [{ type: "text", text }],
    });
    return answer !== undefined ? "taken" : mayHaveArrived ? "unknown" : "refused";
  }

  /** The answer; null when it has no body; undefined when there is none or it is a refusal. */
  async #call(path: string, body?: unknown): Promise<{ answer: unknown; mayHaveArrived: boolean }> {
    try {
      const response = await fetch(`${this.#base}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: this.#authorization, "content-type": "application/json" },
        signal: AbortSignal.timeout(deadlineMs),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) return { answer: undefined, mayHaveArrived: false };
      const text = await response.text();
      return { answer: text === "" ? null : JSON.parse(text), mayHaveArrived: true };
    } catch (cause) {
      // Nobody listens, it hangs, or it ended in the middle of a word: the caller says so.
      return { answer: undefined, mayHaveArrived: (cause as { code?: unknown }).code !== "ConnectionRefused" };
    }
  }
}

function objects(values: readonly unknown[]): Json[] {
  return values.map(asObject).filter((value): value is Json => value !== undefined);
}
