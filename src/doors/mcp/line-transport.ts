// MCP messages as lines on a pair of streams. The SDK's own transport passes over a line that is no message without an answer, so that
// its sender waits for ever, and ends the connection at a line that is too long. This one answers both and goes on.

import type { Readable, Writable } from "node:stream";
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  ProtocolErrorCode,
  type Transport,
} from "@modelcontextprotocol/server";

/** More than any tool takes. */
export const longestLine = 4 * 1024 * 1024;

const newline = 0x0a;

export class LineTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport["onmessage"];

  readonly #input: Readable;
  readonly #output: Writable;
  /** The beginning of a line whose end has not come; without it once that line is too long. */
  #begun: Buffer[] = [];
  #begunBytes = 0;
  #isClosed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.on("data", this.#onData);
    this.#input.on("error", this.#onError);
    this.#input.once("end", this.#end);
    this.#input.once("close", this.#end);
    this.#output.on("error", this.#onOutputError);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(message);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.off("data", this.#onData);
    this.#input.pause();
    this.#begun = [];
    this.onclose?.();
    // The error listeners stay: what a stream says after the end must not end the process.
  }

  readonly #onData = (chunk: Buffer): void => {
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1 && !this.#isClosed; at = chunk.indexOf(newline, from)) {
      this.#keep(chunk.subarray(from, at));
      from = at + 1;
      this.#endLine();
    }
    this.#keep(chunk.subarray(from));
  };

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#begunBytes += part.length;
    if (this.#begunBytes > longestLine) this.#begun = [];
    else this.#begun.push(part);
  }

  #endLine(): void {
    const bytes = this.#begunBytes;
    const parts = this.#begun;
    this.#begun = [];
    this.#begunBytes = 0;
    if (bytes > longestLine) {
      this.#refuse(
        null,
        ProtocolErrorCode.InvalidRequest,
        `the line has ${bytes} bytes; at most ${longestLine} are read`,
      );
      return;
    }
    const line = Buffer.concat(parts).toString("utf8").trim();
    if (line !== "") this.#take(line);
  }

  #take(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#refuse(null, ProtocolErrorCode.ParseError, "the line is not JSON");
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      this.#refuseValue(value);
      return;
    }
    try {
      this.onmessage?.(message);
    } catch (cause) {
      this.#report(cause);
    }
  }

  #refuseValue(value: unknown): void {
    const { id, method, result, error } = (value ?? {}) as Record<string, unknown>;
    // For a notification, or an answer to a question of ours, nobody waits.
    const isAwaited = typeof method === "string" ? id !== undefined : result === undefined && error === undefined;
    if (!isAwaited) return;
    const known = typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null;
    this.#refuse(known, ProtocolErrorCode.InvalidRequest, "this is no JSON-RPC message that MCP knows");
  }

  #refuse(id: string | number | null, code: ProtocolErrorCode, message: string): void {
    // MCP's own type has no null for an id; JSON-RPC asks for it where the id could not be read.
    this.#write({ jsonrpc: "2.0", id, error: { code, message } }).catch(this.#onError);
  }

  async #write(message: unknown): Promise<void> {
    if (this.#isClosed || this.#output.destroyed) throw new Error("the connection is closed");
    if (this.#output.write(`${JSON.stringify(message)}\n`)) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#output.off("drain", done);
        this.#output.off("close", done);
        this.#output.off("error", done);
        resolve();
      };
      this.#output.once("drain", done);
      this.#output.once("close", done);
      this.#output.once("error", done);
    });
  }

  readonly #end = (): void => void this.close();

  readonly #onError = (cause: unknown): void => this.#report(cause);

  readonly #onOutputError = (cause: unknown): void => {
    if (this.#isClosed) return;
    this.#report(cause);
    void this.close();
  };

  #report(cause: unknown): void {
    this.onerror?.(cause instanceof Error ? cause : new Error(String(cause)));
  }
}
