// One life of a tmux control-mode client: a child process, what was asked of it, and the answers in order. When the
// child ends, or makes no sense, everything still open fails; a new life is the control client's business.
//
// A request is a few lines closed by a mark of our own. Whatever answers come before the mark belong to the request: a
// line may answer with one block, or with several (`if-shell`), or a failed one with fewer.

import type { Outage } from "../../protocol/errors.ts";
import { markDescendants } from "../process/mark-descendants.ts";
import { type Block, ControlParser, type Notification } from "./control-parser.ts";
import { spawnClient } from "./spawn-client.ts";
import { tmuxOutage } from "./tmux-outage.ts";

export interface Reply {
  readonly ok: boolean;
  readonly body: string;
}

export interface ConnectionOptions {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly target: string;
  /** No server is there: this client starts it. */
  readonly starts: boolean;
  readonly notify: (notification: Notification) => void;
}

interface Pending {
  readonly mark: string;
  readonly replies: Reply[];
  readonly resolve: (replies: Reply[]) => void;
  readonly reject: (cause: Outage) => void;
  readonly repeatable: boolean;
}

let lastMark = 0;

export class ControlConnection {
  readonly #options: ConnectionOptions;
  readonly #child: Bun.Subprocess<"pipe", "pipe", "pipe">;
  readonly #pending: Pending[] = [];
  readonly #attached = Promise.withResolvers<"attached" | "no-server">();
  #reason = "the tmux client ended";
  #alive = true;
  /** Resolves when the child is gone and everything open has failed. */
  readonly ended: Promise<void>;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#child = spawnClient(options.command, options.env, { stdin: "pipe", starts: options.starts });
    this.#attached.promise.catch(() => undefined); // those who wait hear of it; nobody may be waiting
    this.ended = this.#live();
  }

  /** Tells whether there is a server behind it. Known once the client is in its session. */
  get attached(): Promise<"attached" | "no-server"> {
    return this.#attached.promise;
  }

  get alive(): boolean {
    return this.#alive;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** `repeatable`: doing it twice does no harm, so losing the answer is no reason not to try again. */
  ask(lines: readonly string[], options: { repeatable: boolean }): Promise<Reply[]> {
    const mark = `constel-mark-${++lastMark}`;
    const { promise, resolve, reject } = Promise.withResolvers<Reply[]>();
    if (!this.#alive) {
      reject(this.#outage(true));
      return promise;
    }
    this.#pending.push({ mark, replies: [], resolve, reject, repeatable: options.repeatable });
    this.#write([...lines, `display-message -p ${mark}`]);
    return promise;
  }

  /** Written without waiting for an answer. */
  tell(line: string): void {
    if (this.#alive) this.#write([line]);
  }

  /** Leaves at once; tmux takes our session away when it sees the client gone. */
  drop(reason: string): void {
    this.#reason = reason;
    this.#fail();
    this.#child.kill("SIGKILL");
  }

  /** Leaves in order: what was asked before is still done. */
  leave(): void {
    this.#reason = "the connection was closed";
    void this.#child.stdin.end();
  }

  #write(lines: readonly string[]): void {
    try {
      void this.#child.stdin.write(`${lines.join("\n")}\n`);
      const flushed = this.#child.stdin.flush();
      if (flushed instanceof Promise) flushed.catch(() => undefined);
    } catch {
      // A broken pipe shows as the child's end too, and there we learn what it had to say.
    }
  }

  async #live(): Promise<void> {
    const parser = new ControlParser({
      block: (block) => this.#block(block),
      notification: (notification) => this.#options.notify(notification),
      lost: (reason) => this.drop(reason),
    });
    const complaint = new Response(this.#child.stderr).text();
    for await (const chunk of this.#child.stdout) parser.push(chunk);
    await this.#child.exited;
    const said = (await complaint).trim();
    if (said !== "") this.#reason = said;
    if (isNoServer(said)) this.#attached.resolve("no-server");
    this.#fail();
  }

  #block(block: Block): void {
    if (!block.solicited) {
      // The client's own start: its new session either came to be or not.
      if (block.ok) {
        // From here on it is a client and nothing more: the server it may have started stands beside it.
        markDescendants(this.#child.pid);
        this.#attached.resolve("attached");
      } else this.#reason = block.body;
      return;
    }
    const first = this.#pending[0];
    if (first === undefined) return;
    if (block.ok && block.body === first.mark) {
      this.#pending.shift();
      first.resolve(first.replies);
    } else first.replies.push({ ok: block.ok, body: block.body });
  }

  #fail(): void {
    this.#alive = false;
    this.#attached.reject(this.#outage(true));
    for (const pending of this.#pending.splice(0)) pending.reject(this.#outage(pending.repeatable));
  }

  #outage(mayRetry: boolean): Outage {
    return tmuxOutage(this.#options.target, this.#reason, mayRetry);
  }
}

/** True when a client complained that there is no server to talk to. */
export function isNoServer(complaint: string): boolean {
  return /^(no server running|error connecting to .*\((No such file|Connection refused))/.test(complaint);
}

/** True when a client complained that the server closed the door on it: the server is ending, and has not ended. */
export function isTurnedAway(complaint: string): boolean {
  return /^(server exited unexpectedly|lost server|server exited)/.test(complaint);
}
