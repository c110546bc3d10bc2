// Objects by id: loose ones are read where they lie, the others through one long-lived `git cat-file`, because a process per
// blob would cost more than the blob. Its questions are answered in the order they were asked. When the process ends, the
// next question starts another.

import { Bounded } from "../../../ports/bounded.ts";
import { Outage } from "../../../protocol/errors.ts";
import type { Git } from "../git.ts";
import { readObject } from "./loose-object.ts";
import { Patience, unlessEnded } from "../patience.ts";
import { pathToBytes } from "./path-text.ts";

export interface ObjectInfo {
  readonly id: string;
  readonly type: string;
  readonly size: number;
}

interface Answer {
  readonly info: ObjectInfo;
  readonly content: Uint8Array;
}

/** In bytes. The versions of a file that several pairs have in common are asked for once for each pair, and once for each question. */
const keptBytes = 2_000_000;
const largestKept = 100_000;

export class Blobs {
  readonly #git: Git;
  readonly #variables: Readonly<Record<string, string>>;
  readonly #places: () => Iterable<string>;
  /** By id, which names the content: nobody may write into what is handed out. */
  readonly #kept = new Bounded<Uint8Array>(keptBytes, (content) => 200 + content.length);
  #conversation: Conversation | undefined;
  #closed = false;

  /** `places` are the object directories that may have loose ones. */
  constructor(git: Git, variables: Readonly<Record<string, string>>, places: () => Iterable<string> = () => []) {
    this.#git = git;
    this.#variables = variables;
    this.#places = places;
  }

  /** Returns the facts of an object. Undefined when it is missing. */
  async info(id: string): Promise<ObjectInfo | undefined> {
    return (await this.#ask("info", id))?.info;
  }

  /** An object's bytes; undefined when it is missing or larger than the bound, which is then never read. */
  async read(id: string, maxBytes: number): Promise<Uint8Array | undefined> {
    if (!isId(id)) throw new Error(`not an object id: ${id}`);
    const kept = this.#kept.get(id);
    if (kept !== undefined) return kept.length > maxBytes ? undefined : kept;
    const content = this.#loose(id, maxBytes) ?? (await this.#packed(id, maxBytes));
    if (content !== undefined) this.keep(id, content);
    return content;
  }

  /** Of an object that was just written: it need not be read back. */
  keep(id: string, content: Uint8Array): void {
    // A copy: what came may be a part of something much larger.
    if (content.length <= largestKept) this.#kept.set(id, new Uint8Array(content));
  }

  #loose(id: string, maxBytes: number): Uint8Array | undefined {
    for (const objects of this.#places()) {
      const loose = readObject(objects, id, maxBytes);
      if (loose !== undefined) return loose.content;
    }
    return undefined;
  }

  async #packed(id: string, maxBytes: number): Promise<Uint8Array | undefined> {
    const info = await this.info(id);
    if (info === undefined || info.size > maxBytes) return undefined;
    return (await this.#ask("contents", id))?.content;
  }

  /** A file's bytes by its place in a tree that is known to have it. */
  async readAt(tree: string, path: string, maxBytes: number): Promise<Uint8Array | undefined> {
    const info = (await this.#ask("info", tree, path))?.info;
    return info === undefined ? undefined : await this.read(info.id, maxBytes);
  }

  /** Ends the process after the answers under way, so that the next question sees newly borrowed objects. */
  async restart(): Promise<void> {
    const conversation = this.#conversation;
    this.#conversation = undefined;
    await conversation?.end();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.restart();
  }

  async #ask(verb: "info" | "contents", id: string, path?: string): Promise<Answer | undefined> {
    if (this.#closed) throw new Error("the object reader is closed");
    if (!isId(id)) throw new Error(`not an object id: ${id}`);
    if (this.#conversation === undefined || this.#conversation.ended) {
      this.#conversation = new Conversation(this.#git, this.#variables);
    }
    const name = path === undefined ? Buffer.from(id) : Buffer.concat([Buffer.from(`${id}:`), pathToBytes(path)]);
    return await this.#conversation.ask(verb, name);
  }
}

const isId = (text: string): boolean => /^[0-9a-f]{40,64}$/.test(text);

interface Question {
  readonly name: Uint8Array;
  readonly wantsContent: boolean;
  readonly answer: (found: Answer | undefined) => void;
  readonly fail: (cause: unknown) => void;
}

class Conversation {
  ended = false;
  readonly #child: Bun.Subprocess<"pipe", "pipe", "ignore">;
  readonly #waiting: Question[] = [];
  readonly #listening: Promise<void>;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #isFlushing = false;
  /** The number of bytes that must have come before it is worth looking again. */
  #needed = 1;
  readonly #patience: Patience;

  constructor(git: Git, variables: Readonly<Record<string, string>>) {
    this.#child = Bun.spawn(git.command(["cat-file", "--batch-command", "-z"]), {
      env: git.variables({ variables }),
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
    });
    this.#patience = new Patience(this.#child, git.signal);
    this.#listening = this.#listen();
  }

  ask(verb: "info" | "contents", name: Uint8Array): Promise<Answer | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer | undefined>();
    if (this.#waiting.length === 0) this.#patience.wait();
    this.#waiting.push({ name, wantsContent: verb === "contents", answer: resolve, fail: reject });
    unlessEnded(() => this.#child.stdin.write(Buffer.concat([Buffer.from(`${verb} `), name, Buffer.of(0)])));
    // Questions that are asked together go out together: waking the other process costs more than most answers.
    if (!this.#isFlushing) queueMicrotask(() => this.#flush());
    this.#isFlushing = true;
    return promise;
  }

  #flush(): void {
    this.#isFlushing = false;
    if (!this.ended) unlessEnded(() => this.#child.stdin.flush());
  }

  async end(): Promise<void> {
    unlessEnded(() => this.#child.stdin.end());
    await this.#listening;
    await this.#child.exited;
  }

  async #listen(): Promise<void> {
    for await (const chunk of this.#child.stdout) {
      this.#chunks.push(chunk);
      this.#size += chunk.length;
      if (this.#size >= this.#needed) this.#takeAnswers();
      if (this.#waiting.length === 0) this.#patience.rest();
      else this.#patience.wait();
    }
    this.ended = true;
    this.#patience.over();
    const cause = new Outage("git", "cat-file", this.#patience.why ?? "ended before it answered", { mayRetry: true });
    for (const question of this.#waiting.splice(0)) question.fail(cause);
  }

  #takeAnswers(): void {
    let pending: Uint8Array =
      this.#chunks.length === 1 ? (this.#chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#chunks);
    this.#needed = pending.length + 1;
    for (let question = this.#waiting[0]; question !== undefined; question = this.#waiting[0]) {
      const newline = pending.indexOf(10);
      if (newline === -1) break;
      const match = /^([0-9a-f]+) (\w+) (\d+)$/.exec(Buffer.from(pending.subarray(0, newline)).toString("latin1"));
      const info = match === null ? undefined : { id: match[1] ?? "", type: match[2] ?? "", size: Number(match[3]) };
      // A missing object is answered with its name, which may hold newlines.
      const start = info === undefined ? question.name.length + " missing\n".length : newline + 1;
      const end = info !== undefined && question.wantsContent ? start + info.size + 1 : start;
      if (pending.length < end) {
        this.#needed = end;
        break;
      }
      const content = pending.slice(start, Math.max(start, end - 1));
      pending = pending.subarray(end);
      this.#waiting.shift();
      question.answer(info === undefined ? undefined : { info, content });
      this.#needed = 1;
    }
    this.#chunks = pending.length === 0 ? [] : [pending];
    this.#size = pending.length;
  }
}
