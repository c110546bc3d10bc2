// The witness: every request as it came, and what was answered. To prove that a hook or a memory file reached the model, look
// for its text in `body`.

import { appendFileSync } from "node:fs";
import type { Api } from "./conversation.ts";
import type { Reply } from "./rules.ts";

export interface LoggedRequest {
  readonly n: number;
  readonly at: string;
  readonly path: string;
  /** The last characters of the key, never the key. */
  readonly auth: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  // The rest is there when a model was asked, and not for other paths.
  readonly api?: Api;
  readonly model?: string;
  readonly stream?: boolean;
  readonly side?: boolean;
  readonly session?: string;
  readonly prompt?: string;
  readonly step?: number;
  readonly results?: readonly { readonly tool: string; readonly text: string }[];
  /** Null when no rule matched. */
  readonly rule?: string | null;
  readonly reply?: Reply;
  readonly tools?: readonly string[];
  /** The reason why no answer could be made. */
  readonly problem?: string;
}

const secretHeaders = new Set(["authorization", "x-api-key", "x-goog-api-key", "cookie", "proxy-authorization"]);

export class RequestLog {
  readonly entries: LoggedRequest[] = [];
  readonly #file: string | undefined;
  readonly #light: boolean;
  #count = 0;

  constructor(file: string | undefined, light: boolean) {
    this.#file = file;
    this.#light = light;
  }

  add(entry: Omit<LoggedRequest, "n" | "at" | "auth">): void {
    const { body, headers, ...rest } = entry;
    const whole: LoggedRequest = {
      n: ++this.#count,
      at: new Date().toISOString(),
      ...rest,
      auth: keyOf(headers).slice(-4),
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !secretHeaders.has(name))),
      ...(this.#light || body === undefined ? {} : { body }),
    };
    this.entries.push(whole);
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(whole)}\n`);
  }

  reset(): void {
    this.entries.length = 0;
  }
}

function keyOf(headers: Readonly<Record<string, string>>): string {
  return headers["x-api-key"] ?? headers["x-goog-api-key"] ?? headers["authorization"] ?? "";
}
