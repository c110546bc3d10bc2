// Stands between the official test kit and the daemon. The kit knows no tokens, calls different messages by one id, and wants an agent that
// answers by what that id begins with. So each request gets the token, each message an id of its own, and the owner's answers come from here.

import type { Json } from "../../kit/a2a-wire.ts";

/** One answer of the owner's to a message, by what its id begins with. The first that fits is taken. */
interface Scene {
  readonly begins: string;
  readonly say: (say: Say) => Promise<void>;
}

interface Say {
  readonly done: (text: string, artefact?: Json, more?: Json) => Promise<void>;
  readonly word: (text: string) => Promise<void>;
  readonly ask: (text: string) => Promise<void>;
  readonly refuse: (reason: string) => Promise<void>;
}

const file = { filename: "output.txt", mediaType: "text/plain" };
const streamed = (text: string) => async (say: Say) => {
  await say.word("begun");
  await say.done("done", { text });
};

/** As the kit's own files describe the agent that it wants. */
const scenes: readonly Scene[] = [
  {
    begins: "tck-artifact-file-url",
    say: (say) => say.done("done", { url: "https://example.com/output.txt", ...file }),
  },
  { begins: "tck-artifact-file", say: (say) => say.done("done", { raw: btoa("tck"), ...file }) },
  { begins: "tck-artifact-text", say: (say) => say.done("done", { text: "Generated text content" }) },
  { begins: "tck-artifact-data", say: (say) => say.done("done", { data: { key: "value", count: 42 } }) },
  { begins: "tck-message-response", say: (say) => say.done("Direct message response", undefined, { alone: true }) },
  { begins: "tck-input-required", say: (say) => say.ask("What else?") },
  { begins: "tck-reject-task", say: (say) => say.refuse("rejected") },
  { begins: "tck-stream-001", say: streamed("Stream hello from TCK") },
  { begins: "tck-stream-003", say: streamed("Stream task lifecycle") },
  { begins: "tck-stream-ordering-001", say: streamed("Ordered output") },
  { begins: "", say: (say) => say.done("Hello from TCK") },
];

export interface KitDoorParts {
  readonly daemon: () => string;
  /** Of an outside agent, and of the owner. */
  readonly token: () => string;
  readonly owner: () => string;
  /** The request that a message is in, once it has come in. */
  readonly requestOf: (message: string) => string | undefined;
}

export class KitDoor {
  readonly #parts: KitDoorParts;
  readonly #server: ReturnType<typeof Bun.serve>;
  #count = 0;
  /** The owner's answers that went wrong. */
  readonly wrong: string[] = [];

  constructor(parts: KitDoorParts) {
    this.#parts = parts;
    this.#server = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 0, fetch: (asked) => this.#pass(asked) });
  }

  get address(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** As `a2a.push_allow` names it. */
  get pushHost(): string {
    return `127.0.0.1:${this.#server.port}`;
  }

  close(): Promise<void> {
    return this.#server.stop(true);
  }

  async #pass(asked: Request): Promise<Response> {
    const { pathname, search } = new URL(asked.url);
    // A push on its way to the kit's own receiver, whose port nobody knows before.
    if (pathname.startsWith("/push-to/")) {
      const to = `http://127.0.0.1:${pathname.slice("/push-to/".length)}`;
      return fetch(to, { method: "POST", body: await asked.text(), headers: asked.headers });
    }
    const headers = new Headers(asked.headers);
    headers.delete("host");
    headers.set("authorization", `Bearer ${this.#parts.token()}`);
    const text = asked.method === "POST" ? await asked.text() : "";
    const { body, scene, message } = this.#changed(text);
    if (scene !== undefined) void this.#answer(scene, message).catch((cause) => this.wrong.push(String(cause)));
    return fetch(`${this.#parts.daemon()}${pathname}${search}`, {
      method: asked.method,
      headers,
      signal: asked.signal,
      ...(asked.method === "POST" ? { body } : {}),
    });
  }

  #changed(body: string): { body: string; scene?: Scene; message: string } {
    let given: Json;
    try {
      given = JSON.parse(body) as Json;
    } catch {
      return { body, message: "" };
    }
    const of = (given["params"] ?? given) as Json;
    for (const push of [of, of["configuration"]?.taskPushNotificationConfig as Json | undefined]) {
      const url = push?.["url"] as unknown;
      if (push !== undefined && typeof url === "string" && url.startsWith("http://localhost:"))
        push["url"] = `${this.address}/push-to/${url.slice("http://localhost:".length)}`;
    }
    const before = of["message"]?.messageId as unknown;
    if (typeof before !== "string") return { body: JSON.stringify(given), message: "" };
    const message = `${before}-${this.#count++}`;
    of["message"].messageId = message;
    const scene = scenes.find(({ begins }) => before.startsWith(begins));
    return { body: JSON.stringify(given), message, ...(scene === undefined ? {} : { scene }) };
  }

  /** As soon as the message is there. One that was refused never is. */
  async #answer(scene: Scene, message: string): Promise<void> {
    const id = await this.#arrived(message);
    if (id === undefined) return;
    const answer = async (text: string, more: Json = {}): Promise<void> =>
      void (await this.#ask("a2a.answer", { id, text, ...more }));
    await scene.say({
      done: (text, part, more) =>
        answer(text, {
          done: true,
          artefacts: part === undefined ? [] : [{ id: "one", name: "one", parts: [part] }],
          ...more,
        }),
      word: (text) => answer(text),
      ask: (text) => answer(text, { asks: true }),
      refuse: async (reason) => void (await this.#ask("a2a.refuse", { id, reason })),
    });
  }

  async #arrived(message: string): Promise<string | undefined> {
    for (let tries = 0; tries < 500; tries++) {
      const id = this.#parts.requestOf(message);
      if (id !== undefined) return id;
      await Bun.sleep(10);
    }
    return undefined;
  }

  async #ask(operation: string, input: Json): Promise<Json> {
    const answer = await fetch(`${this.#parts.daemon()}/op/${operation}`, {
      method: "POST",
      body: JSON.stringify(input),
      headers: { authorization: `Bearer ${this.#parts.owner()}`, "content-type": "application/json" },
    });
    const said = (await answer.json()) as Json;
    if (!answer.ok) throw new Error(`${operation}: ${JSON.stringify(said)}`);
    return (said["result"] ?? said) as Json;
  }
}
