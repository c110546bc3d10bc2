// JSON-RPC over lines, both ways, as Codex's app-server and programs with ACP speak it. Answers may come in any order; a request that is
// under way when the program ends fails with its last words.

import type { Pipe } from "../../../ports/driver.ts";
import { asObject, asText, type Json } from "../json-lines.ts";

export interface RpcHandlers {
  /** Answers a request of the program's. What throws becomes an error answer. */
  readonly answer: (method: string, params: Json) => Promise<unknown>;
  readonly notice: (method: string, params: Json) => void;
}

/** An error answer, with the program's own code. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** "Internal error" alone tells nobody anything. */
function wordsOf(error: Json): string {
  const details = asText(asObject(error["data"])?.["details"]);
  return `${asText(error["message"]) ?? "it was refused"}${details === undefined ? "" : `: ${details}`}`;
}

const unknownMethod = -32601;

export class JsonRpc {
  readonly #pipe: Pipe;
  readonly #waiting = new Map<number, { resolve: (value: Json) => void; reject: (cause: Error) => void }>();
  #next = 0;
  #over: Error | undefined;
  /** Fails when the program ends: for whoever waits for a notice. */
  readonly over: Promise<never>;

  constructor(pipe: Pipe, handlers: RpcHandlers) {
    this.#pipe = pipe;
    pipe.listen((line) => this.#take(line, handlers));
    this.over = pipe.ended.then((words): never => {
      const cause = new Error(`the program ended: ${words}`);
      this.#end(cause);
      throw cause;
    });
    this.over.catch(() => undefined); // nobody may be waiting
  }

  request(method: string, params: unknown): Promise<Json> {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    const id = ++this.#next;
    const { promise, resolve, reject } = Promise.withResolvers<Json>();
    this.#waiting.set(id, { resolve, reject });
    this.#pipe.write({ jsonrpc: "2.0", id, method, params });
    return promise;
  }

  notify(method: string, params: unknown): void {
    this.#pipe.write({ jsonrpc: "2.0", method, params });
  }

  #end(cause: Error): void {
    this.#over = cause;
    for (const { reject } of this.#waiting.values()) reject(cause);
    this.#waiting.clear();
  }

  #take(line: Json, { answer, notice }: RpcHandlers): void {
    const { id } = line;
    const method = asText(line["method"]);
    const params = asObject(line["params"]) ?? {};
    if (method === undefined) {
      if (typeof id === "number") this.#settle(id, line);
    } else if (id === undefined) notice(method, params);
    else void this.#reply(id, answer(method, params));
  }

  #settle(id: number, line: Json): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    const error = asObject(line["error"]);
    if (error === undefined) waiting?.resolve(asObject(line["result"]) ?? {});
    else waiting?.reject(new RpcError(Number(error["code"] ?? 0), wordsOf(error)));
  }

  async #reply(id: unknown, answered: Promise<unknown>): Promise<void> {
    try {
      this.#pipe.write({ jsonrpc: "2.0", id, result: (await answered) ?? {} });
    } catch (cause) {
      const code = cause instanceof RpcError ? cause.code : unknownMethod;
      this.#pipe.write({ jsonrpc: "2.0", id, error: { code, message: String(cause) } });
    }
  }
}

/** For a request that the driver knows nothing of. */
export const notKnown = (method: string): RpcError => new RpcError(unknownMethod, `${method} is not known here`);
