// Asks over A2A by hand, as any program could: JSON-RPC, HTTP+JSON and streams.

// oxlint-disable-next-line typescript/no-explicit-any -- what comes over the wire is looked at by the test that asked for it
export type Json = Record<string, any>;

export interface Event {
  readonly id: number;
  readonly data: Json;
}

let count = 0;

/** A message that nobody sent before. */
export const saying = (text: string, more: Json = {}): Json => ({
  messageId: `message-${process.pid}-${count++}`,
  role: "ROLE_USER",
  parts: [{ text }],
  ...more,
});

export const atOnce = { returnImmediately: true };

export class A2A {
  readonly #address: () => string;
  readonly token: string;

  constructor(address: () => string, token: string) {
    this.#address = address;
    this.token = token;
  }

  get headers(): Record<string, string> {
    return { authorization: `Bearer ${this.token}`, "a2a-version": "1.0", "content-type": "application/json" };
  }

  post(path: string, body: string, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
    return fetch(`${this.#address()}${path}`, {
      method: "POST",
      body,
      headers: { ...this.headers, ...headers },
      ...(signal === undefined ? {} : { signal }),
    });
  }

  async rpc(method: string, params: Json = {}, headers: Record<string, string> = {}): Promise<Json> {
    const answer = await this.post("/a2a/rpc", JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), headers);
    return (await answer.json()) as Json;
  }

  /** The result, or an error that names the reason. */
  async call(method: string, params: Json = {}): Promise<Json> {
    const { result, error } = await this.rpc(method, params);
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result as Json;
  }

  async send(text: string, more: Json = {}): Promise<Json> {
    return (await this.call("SendMessage", { message: saying(text, more), configuration: atOnce }))["task"] as Json;
  }

  task(id: string): Promise<Json> {
    return this.call("GetTask", { id });
  }

  /** Each event as it comes; ends with the stream, also where it breaks off. */
  async *stream(method: string, params: Json, headers: Record<string, string> = {}): AsyncGenerator<Event> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const answer = await this.post("/a2a/rpc", body, headers);
    if (!(answer.headers.get("content-type") ?? "").startsWith("text/event-stream"))
      throw new Error(`no stream: ${await answer.text()}`);
    let text = "";
    const decoder = new TextDecoder();
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    for (;;) {
      const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }));
      if (done || value === undefined) return;
      text += decoder.decode(value, { stream: true });
      const parts = text.split("\n\n");
      text = parts.pop() ?? "";
      for (const part of parts) {
        const id = /^id: (\d+)$/m.exec(part)?.[1];
        const data = /^data: (.*)$/m.exec(part)?.[1];
        if (data !== undefined) yield { id: Number(id), data: (JSON.parse(data) as Json)["result"] as Json };
      }
    }
  }
}
