// The one long-lived tmux client on constel's own socket. It connects when something is asked, connects again when the
// server or the client died, and puts a deadline on everything: a stuck server makes an outage, never a wait.
//
// A control client must be attached to a session, and it must not disturb an agent's. So each lives in a hidden session
// of its own that tmux takes away with it (`destroy-unattached`), however it ends; a server without sessions ends itself.
//
// A client comes in only when its predecessor is gone from the server, and under the server's lock (see there why).

import { Outage } from "../../protocol/errors.ts";
import type { Clock } from "../../protocol/ports.ts";
import { ControlConnection, type Reply } from "./control-connection.ts";
import type { Notification } from "./control-parser.ts";
import { ServerLock } from "./server-lock.ts";

export interface ControlClientOptions {
  /** The name given to `tmux -L`. */
  readonly socket: string;
  /** What the server, when we start it, and every client of ours inherits. */
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** A file for the lock that all who use this socket share; its directory must exist. */
  readonly lockPath: string;
  readonly program?: string;
  /** For one request, connecting included. */
  readonly deadlineMs?: number;
}

export interface AskOptions {
  readonly deadlineMs?: number;
  /** Doing it twice does no harm. */
  readonly repeatable: boolean;
  /** It makes, renames or ends a session, of which tmux tells all control clients. */
  readonly stirs?: boolean;
}

export const hiddenPrefix = "constel-control-";

const defaultDeadlineMs = 10_000;
// A server that is just ending refuses or drops a client that comes meanwhile; the next attempt meets it gone.
const connectAttempts = 5;

export class ControlClient {
  readonly #options: ControlClientOptions;
  readonly #env: Readonly<Record<string, string>>;
  readonly #listeners = new Set<(notification: Notification) => void>();
  /** Sent first on each new connection. */
  readonly #greeting: string[] = [...ourServer];
  readonly #lock: ServerLock;
  #connection: ControlConnection | undefined;
  #opening: Promise<void> | undefined;
  /** The hidden session of the client before, which the server may not have taken away yet. */
  #departing: string | undefined;
  #probe: Bun.Subprocess | undefined;
  #generation = 0;
  #closed = false;

  constructor(options: ControlClientOptions) {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(options.socket)) throw new Error(`not a socket name: ${options.socket}`);
    this.#options = options;
    this.#lock = new ServerLock(options.lockPath, options.clock);
    // What says "inside tmux" or "this is an agent" must not reach a server that serves all agents.
    const { TMUX: _, TMUX_PANE: __, CONSTEL_AGENT: ___, ...env } = options.env;
    this.#env = env;
  }

  /** Counts connections: ids of panes are good only within one. */
  get generation(): number {
    return this.#generation;
  }

  /** The process of the client, while there is one. */
  get pid(): number | undefined {
    return this.#connection?.alive ? this.#connection.pid : undefined;
  }

  /** The replies, or undefined when no server is up. */
  ask(lines: readonly string[], options: AskOptions): Promise<Reply[] | undefined> {
    return this.#ask(lines, options, false);
  }

  /** The same, and starts a server when none is up. */
  async askStarting(lines: readonly string[], options: AskOptions): Promise<Reply[]> {
    const replies = await this.#ask(lines, options, true);
    if (replies === undefined) throw this.#outage("no server came up", true);
    return replies;
  }

  onNotification(listener: (notification: Notification) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Has tmux send `%subscription-changed` when the format's value changes (it looks once a second). */
  subscribe(name: string, format: string): void {
    const line = `refresh-client -B "${name}::${format}"`;
    if (this.#greeting.includes(line)) return;
    this.#greeting.push(line);
    if (this.#connection?.alive) greet(this.#connection, [line]);
  }

  /** Ends the server and everything in it. */
  async killServer(): Promise<void> {
    await this.#withDeadline({ repeatable: true }, async () => {
      const connection = await this.#connect(false);
      if (connection === undefined) return;
      await this.#lock.hold(() => {
        connection.tell("kill-server");
        return connection.ended;
      });
    });
  }

  /** Lets go of the server until something is asked again. */
  async release(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection?.alive) await this.#lock.hold(() => this.#leave(connection));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.release();
    this.#listeners.clear();
  }

  #ask(lines: readonly string[], options: AskOptions, start: boolean): Promise<Reply[] | undefined> {
    return this.#withDeadline(options, async () => {
      const connection = await this.#connect(start);
      if (connection === undefined || !options.stirs) return connection?.ask(lines, options);
      return this.#lock.hold(() => connection.ask(lines, options));
    });
  }

  async #leave(connection: ControlConnection): Promise<void> {
    connection.leave();
    const waiting = new AbortController();
    await Promise.race([connection.ended, this.#options.clock.sleep(1000, waiting.signal)]);
    waiting.abort();
    if (connection.alive) connection.drop("the connection was closed");
    await connection.ended;
    await this.#departed();
  }

  /** Past the deadline the connection is dropped: its answers would come out of step with what is asked next. */
  async #withDeadline<T>(options: AskOptions, work: () => Promise<T>): Promise<T> {
    const deadlineMs = options.deadlineMs ?? this.#options.deadlineMs ?? defaultDeadlineMs;
    const reason = `no answer within ${deadlineMs} ms`;
    const finished = new AbortController();
    const late = this.#options.clock.sleep(deadlineMs, finished.signal).then(() => {
      if (finished.signal.aborted) return undefined;
      this.#connection?.drop(reason);
      this.#probe?.kill("SIGKILL");
      throw this.#outage(reason, options.repeatable);
    });
    try {
      return (await Promise.race([work(), late])) as T;
    } finally {
      finished.abort();
    }
  }

  async #connect(start: boolean): Promise<ControlConnection | undefined> {
    for (let attempt = 1; ; attempt++) {
      if (this.#closed) throw this.#outage("the client was closed", false);
      try {
        const connection = await this.#current(start);
        if ((await connection?.attached) === "attached") return connection;
        if (connection !== undefined && !start) return undefined;
        await connection?.ended;
      } catch (cause) {
        if (attempt >= connectAttempts) throw cause;
        await this.#connection?.ended;
      }
    }
  }

  /** The connection there is, or a new one that all who ask meanwhile share; undefined when it was let go of again. */
  async #current(start: boolean): Promise<ControlConnection | undefined> {
    if (!this.#connection?.alive) {
      this.#opening ??= this.#lock.hold(() => this.#open(start)).finally(() => (this.#opening = undefined));
      await this.#opening;
    }
    return this.#connection;
  }

  async #open(start: boolean): Promise<void> {
    await this.#departed();
    const { socket, program = "tmux" } = this.#options;
    const hidden = `${hiddenPrefix}${process.pid}-${crypto.randomUUID().slice(0, 8)}`;
    const connection = new ControlConnection({
      // The pane of the hidden session waits for input that never comes.
      // prettier-ignore
      command: [
        program, ...(start ? [] : ["-N"]), "-u", "-L", socket, "-f", "/dev/null", "-C",
        "new-session", "-s", hidden, "-x", "80", "-y", "24", "-f", "no-output,ignore-size", "cat", ";",
        "set-option", "destroy-unattached", "on",
      ],
      env: this.#env,
      target: socket,
      notify: (notification) => {
        // Apart from the reading of the stream, which a listener's mistake must not end.
        for (const listener of this.#listeners) queueMicrotask(() => listener(notification));
      },
    });
    this.#connection = connection;
    this.#generation++;
    greet(connection, this.#greeting);
    const outcome = await connection.attached.catch(() => "failed");
    if (outcome !== "no-server") this.#departing = hidden;
  }

  /** Returns when the server has seen the last client off. An ordinary client asks: those come and go without notice. */
  async #departed(): Promise<void> {
    const { socket, program = "tmux" } = this.#options;
    while (this.#departing !== undefined) {
      const command = [program, "-N", "-L", socket, "-f", "/dev/null", "has-session", "-t", `=${this.#departing}`];
      this.#probe = Bun.spawn(command, { env: this.#env, stdin: "ignore", stdout: "ignore", stderr: "ignore" });
      const code = await this.#probe.exited;
      if (this.#probe.signalCode !== null) throw this.#outage("the server does not answer", true);
      if (code !== 0) this.#departing = undefined;
    }
  }

  #outage(reason: string, mayRetry: boolean): Outage {
    return new Outage("ask tmux", this.#options.socket, reason, { mayRetry });
  }
}

/** Asked like anything else, so that its answers are not taken for another's; if it fails, so does what comes after. */
function greet(connection: ControlConnection, lines: readonly string[]): void {
  connection.ask(lines, { repeatable: true }).catch(() => undefined);
}

/** How our server differs from tmux as it comes. An older tmux that lacks an option says so to nobody. */
const ourServer = [
  // A dead pane keeps its last screen, as it was, and its exit status.
  "set-option -g remain-on-exit on",
  'set-option -g remain-on-exit-format ""',
  // A person who attaches must not change what agents inherit.
  'set-option -g update-environment ""',
  "set-option -g default-terminal screen-256color",
  "set-option -g history-limit 5000",
  // A lone Escape reaches a program at once.
  "set-option -s escape-time 10",
] as const;
