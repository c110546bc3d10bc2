// The scripted model as a test sees it: a witness of what really reached a model.

import { existsSync } from "node:fs";
import { join } from "node:path";

const top = join(import.meta.dir, "..", "..", "..");

/** Where the scripted model is: beside the project, unless the environment says otherwise. */
export function scriptedModelPath(): string | undefined {
  const path =
    process.env["CONSTEL_SCRIPTED_MODEL"] ?? join(top, "..", "shared", "scripted-model", "scripted-model.mjs");
  return existsSync(path) ? path : undefined;
}

export interface ModelRequest {
  readonly prompt: string;
  readonly rule: string | null;
  readonly session: string;
  readonly side: boolean;
  readonly body: unknown;
}

export class Model {
  readonly url: string;
  readonly #child: Bun.Subprocess<"pipe", "pipe", "inherit">;
  readonly #waiting = new Map<number, (answer: unknown) => void>();
  #next = 0;

  private constructor(url: string, child: Bun.Subprocess<"pipe", "pipe", "inherit">, lines: AsyncIterator<string>) {
    this.url = url;
    this.#child = child;
    void this.#listen(lines);
  }

  static async start(prefix: readonly string[], path: string): Promise<Model> {
    const door = join(import.meta.dir, "model-door.mjs");
    const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" };
    const child = Bun.spawn([...prefix, "node", door, path], { env, stdin: "pipe", stdout: "pipe", stderr: "inherit" });
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

  async requests(): Promise<readonly ModelRequest[]> {
    return (await this.#ask({ do: "requests" })) as ModelRequest[];
  }

  /** How many requests of a turn, not of housekeeping, carried this text anywhere. */
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
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      void this.#child.stdin.write(`${JSON.stringify({ ...order, id })}\n`);
      void this.#child.stdin.flush();
    });
  }

  async #listen(lines: AsyncIterator<string>): Promise<void> {
    for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
      const { id, answer } = JSON.parse(line.value) as { id: number; answer: unknown };
      this.#waiting.get(id)?.(answer);
      this.#waiting.delete(id);
    }
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    yield* lines;
  }
}
