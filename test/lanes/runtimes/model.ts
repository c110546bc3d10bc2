// The scripted model as a test sees it: a witness of what really reached a model.

import { join } from "node:path";

export interface ModelRequest {
  readonly prompt: string;
  readonly rule: string | null;
  readonly session: string;
  readonly side: boolean;
  /** The end of the key that it was asked with. */
  readonly auth: string;
  readonly body: unknown;
}

interface Said {
  readonly id: number;
  readonly answer?: unknown;
  readonly refused?: string;
}

export class Model {
  readonly url: string;
  readonly #child: Bun.Subprocess<"pipe", "pipe", "inherit">;
  readonly #waiting = new Map<number, (said: Said) => void>();
  #next = 0;

  private constructor(url: string, child: Bun.Subprocess<"pipe", "pipe", "inherit">, lines: AsyncIterator<string>) {
    this.url = url;
    this.#child = child;
    void this.#listen(lines);
  }

  /** A process of its own, because it may have to run where the programs do: in another network namespace than the test. */
  static async start(prefix: readonly string[]): Promise<Model> {
    const command = [...prefix, process.execPath, "--no-env-file", "--config=/dev/null"];
    const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" };
    const child = Bun.spawn([...command, join(import.meta.dir, "model-door.ts")], {
      env,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    const lines = linesOf(child.stdout);
    const first = await lines.next();
    return new Model((JSON.parse(String(first.value)) as { url: string }).url, child, lines);
  }

  setRules(rules: unknown): Promise<unknown> {
    return this.#ask({ do: "rules", rules });
  }

  release(hold: string): Promise<unknown> {
    return this.#ask({ do: "release", hold });
  }

  /** All, or those from a place on: each holds the whole conversation up to it. */
  async requests(from = 0): Promise<readonly ModelRequest[]> {
    return (await this.#ask({ do: "requests", from })) as ModelRequest[];
  }

  /** Counts the requests of a turn, not of housekeeping, that carried this text anywhere. */
  async saw(text: string): Promise<number> {
    const needle = JSON.stringify(text).slice(1, -1);
    return (await this.requests()).filter((request) => JSON.stringify(request.body).includes(needle)).length;
  }

  async close(): Promise<void> {
    await this.#child.stdin.end();
    await this.#child.exited;
  }

  #ask(order: Record<string, unknown>): Promise<unknown> {
    const id = ++this.#next;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ answer, refused }) =>
        refused === undefined ? resolve(answer) : reject(new Error(refused)),
      );
      void this.#child.stdin.write(`${JSON.stringify({ ...order, id })}\n`);
      void this.#child.stdin.flush();
    });
  }

  async #listen(lines: AsyncIterator<string>): Promise<void> {
    for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
      const said = JSON.parse(line.value) as Said;
      this.#waiting.get(said.id)?.(said);
      this.#waiting.delete(said.id);
    }
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let parts: string[] = [];
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const text = decoder.decode(chunk, { stream: true });
    parts.push(text);
    // What was asked of the model in an hour is one line of many megabytes.
    if (!text.includes("\n")) continue;
    const lines = parts.join("").split("\n");
    parts = [lines.pop() ?? ""];
    yield* lines;
  }
}
