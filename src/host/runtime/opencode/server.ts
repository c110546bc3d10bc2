// Calls to a running opencode's HTTP interface. Nobody answering is an expected state of an agent, not a failure of ours.

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
    const answer = await this.#call("/session");
    return Array.isArray(answer) ? objects(answer) : undefined;
  }

  /** Makes a session and shows it in the terminal. */
  async newSession(title: string): Promise<string | undefined> {
    const id = asText(asObject(await this.#call("/session", { title }))?.["id"]);
    if (id !== undefined) await this.show(id);
    return id;
  }

  /** A terminal that is still drawing its first screen does not hear it, and nothing says so. */
  async show(id: string): Promise<void> {
    await this.#call("/tui/select-session", { sessionID: id });
  }

  async messages(id: string): Promise<readonly Json[]> {
    const answer = await this.#call(`/session/${id}/message`);
    return Array.isArray(answer) ? objects(answer) : [];
  }

  /** undefined: idle. */
  async status(id: string): Promise<Json | undefined> {
    return asObject(asObject(await this.#call("/session/status"))?.[id]);
  }

  /** What it waits for, in words; undefined when it waits for nobody. */
  async asks(id: string): Promise<string | undefined> {
    const open = async (path: string): Promise<Json | undefined> => {
      const answer = await this.#call(path);
      return Array.isArray(answer) ? objects(answer).find((one) => one["sessionID"] === id) : undefined;
    };
    if ((await open("/permission")) !== undefined) return "it asks for permission";
    const question = await open("/question");
    return question === undefined ? undefined : `asks: ${questionIn("question", question)}`;
  }

  /** True when it was taken. */
  async prompt(id: string, text: string): Promise<boolean> {
    return (await this.#call(`/session/${id}/prompt_async`, { parts: [{ type: "text", text }] })) !== undefined;
  }

  /** The answer; null when it has no body; undefined when there is none or it is a refusal. */
  async #call(path: string, body?: unknown): Promise<unknown> {
    let response: Response;
    try {
      response = await fetch(`${this.#base}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: this.#authorization, "content-type": "application/json" },
        signal: AbortSignal.timeout(deadlineMs),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch {
      return undefined; // nobody listens, or it hangs: the caller says so
    }
    if (!response.ok) return undefined;
    const text = await response.text();
    return text === "" ? null : JSON.parse(text);
  }
}

function objects(values: readonly unknown[]): Json[] {
  return values.map(asObject).filter((value): value is Json => value !== undefined);
}
