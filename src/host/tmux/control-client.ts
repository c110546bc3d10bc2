// The one long-lived tmux client on constel's own socket. It connects when something is asked, connects again when the
// server or the client died, and puts a deadline on everything: a stuck server makes an outage, never a wait.
//
// A control client must be attached to a session, and it must not disturb an agent's. So each lives in a hidden session
// of its own and takes it away when it leaves; one that a killed program left behind is cleared by the next to come. (tmux
// could do that itself by `destroy-unattached`, but a client that ends at the wrong moment then ends the server, up to
// 3.6.) A server without sessions ends itself.
//
// A client comes in only when its predecessor is gone from the server, and under the server's lock (see there why).

import type { Outage } from "../../protocol/errors.ts";
import type { Clock } from "../../ports/machine.ts";
import type { ProcessIdentity } from "../process/process-table.ts";
import { ControlConnection, isNoServer, isTurnedAway, type Reply } from "./control-connection.ts";
import type { Notification } from "./control-parser.ts";
import { endOrphan, hiddenPrefix, isOrphan, readClient } from "./orphaned-client.ts";
import { ServerLock } from "./server-lock.ts";
import { endWithin, serverProcess } from "./server-process.ts";
import { spawnClient } from "./spawn-client.ts";
import { tmuxOutage } from "./tmux-outage.ts";

export interface ControlClientOptions {
  /** The name given to `tmux -L`. */
  readonly socket: string;
  /** The environment that every client of ours inherits, and the server when we start it. */
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

const defaultDeadlineMs = 10_000;
// A server that is just ending refuses or drops a client that comes meanwhile; the next attempt meets it gone.
const connectAttempts = 5;
// One look takes a few milliseconds. A client that still has not gone by then is not going.
const maxLooks = 100;
// A client whose program was killed has had its time by then.
const orphanLooks = 5;
// A server that was told to end, or turns newcomers away, has ended its sessions already and needs milliseconds.
const endGraceMs = 500;

export class ControlClient {
  readonly #options: ControlClientOptions;
  readonly #env: Readonly<Record<string, string>>;
  readonly #listeners = new Set<(notification: Notification) => void>();
  /** Sent first on each new connection. */
  readonly #greeting: readonly string[] = ourServer;
  /** Formats by name. */
  readonly #subscriptions = new Map<string, string>();
  readonly #lock: ServerLock;
  #connection: ControlConnection | undefined;
  #opening: Promise<ControlConnection | undefined> | undefined;
  #hidden = "";
  /** The process of the client before, of whose end the server may not know yet. */
  #departing: number | undefined;
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
    if (this.#subscriptions.has(name)) return;
    this.#subscriptions.set(name, format);
    if (this.#connection?.alive) void this.#sendSubscriptions(this.#connection);
  }

  /**
   * Bound to the pane of our hidden session, not to the session: tmux 3.3a ends its whole server by a null pointer when it looks
   * at a session's subscription while the session is gone and the client not yet, which a killed program leaves for a moment.
   */
  async #sendSubscriptions(connection: ControlConnection): Promise<void> {
    try {
      const question = `display-message -p -t =${this.#hidden}: "#{pane_id}"`;
      const [reply] = await connection.ask([question], { repeatable: true });
      const pane = /^%\d+$/.exec(reply?.body.trim() ?? "")?.[0];
      if (pane === undefined) return;
      const lines = [...this.#subscriptions].map(([name, format]) => `refresh-client -B "${name}:${pane}:${format}"`);
      await connection.ask(lines, { repeatable: true });
    } catch {
      // The connection ended; the next one is told anew. Rounds look without any hint.
    }
  }

  /** Ends the server and everything in it, also one that does not answer or that a client holds back (server-process.ts). */
  async killServer(): Promise<void> {
    const server = await serverProcess(this.#options);
    const told = this.#withDeadline({ repeatable: true }, async () => {
      const connection = await this.#connect(false);
      if (connection !== undefined) await this.#lock.hold(() => this.#tellToEnd(connection));
    });
    if (server === undefined) return told;
    await told.catch(() => undefined); // it is ended in any case
    await endWithin(server, this.#options.clock, endGraceMs);
  }

  async #tellToEnd(connection: ControlConnection): Promise<void> {
    connection.tell("kill-server");
    await this.#endedWithin(connection, endGraceMs, "the server was told to end");
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
    connection.tell(`kill-session -t =${this.#hidden}`);
    connection.leave();
    await this.#endedWithin(connection, 1000, "the connection was closed");
    await this.#departures();
  }

  async #endedWithin(connection: ControlConnection, ms: number, reason: string): Promise<void> {
    const waiting = new AbortController();
    await Promise.race([connection.ended, this.#options.clock.sleep(ms, waiting.signal)]);
    waiting.abort();
    if (connection.alive) connection.drop(reason);
    await connection.ended;
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
        if (!start) return undefined;
        // One who only looks opened it, and found no server.
        if (attempt >= connectAttempts) throw this.#outage("no server came up", true);
      } catch (cause) {
        if (attempt >= connectAttempts) throw cause;
      }
    }
  }

  /** The connection there is, or a new one that all who ask meanwhile share; undefined when there is no server. */
  #current(start: boolean): Promise<ControlConnection | undefined> {
    if (this.#connection?.alive) return Promise.resolve(this.#connection);
    this.#opening ??= this.#lock.hold(() => this.#open(start)).finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #open(start: boolean): Promise<ControlConnection | undefined> {
    const isMissing = (await this.#departures()) === "no-server";
    if (isMissing && !start) return undefined;
    const { socket, program = "tmux" } = this.#options;
    const hidden = `${hiddenPrefix}${process.pid}-${crypto.randomUUID().slice(0, 8)}`;
    const connection = new ControlConnection({
      // The pane of the hidden session waits for input that never comes. Two words: one alone tmux gives to the account's shell, which may be nologin.
      // prettier-ignore
      command: [
        program, ...(isMissing ? [] : ["-N"]), "-u", "-L", socket, "-f", "/dev/null", "-C",
        "new-session", "-s", hidden, "-x", "80", "-y", "24", "-f", "no-output,ignore-size", "cat", "-",
      ],
      env: this.#env,
      starts: isMissing,
      target: socket,
      notify: (notification) => {
        // Apart from the reading of the stream, which a listener's mistake must not end.
        for (const listener of this.#listeners) queueMicrotask(() => listener(notification));
      },
    });
    this.#connection = connection;
    this.#generation++;
    this.#hidden = hidden;
    greet(connection, this.#greeting);
    const outcome = await connection.attached.catch(() => "failed");
    if (outcome !== "no-server") this.#departing = connection.pid;
    if (outcome === "attached") {
      if (this.#subscriptions.size > 0) void this.#sendSubscriptions(connection);
      await this.#clearStale(connection);
    }
    return connection;
  }

  /** A hidden session that shows nowhere has lost its client. */
  async #clearStale(connection: ControlConnection): Promise<void> {
    const [reply] = await connection.ask(['list-sessions -F "#{session_attached} #{session_name}"'], {
      repeatable: true,
    });
    const stale = (reply?.body ?? "").split("\n").filter((line) => line.startsWith(`0 ${hiddenPrefix}`));
    if (stale.length === 0) return;
    await connection.ask(
      stale.map((line) => `kill-session -t =${line.slice(2)}`),
      { repeatable: true },
    );
  }

  /**
   * Returns when the server has seen off our client before, and those of programs that were killed. An ordinary client asks:
   * those come and go without notice. A server that turns it away is ending; if it stays, it is ended, having no sessions any more.
   */
  async #departures(): Promise<"none" | "no-server"> {
    let ending: ProcessIdentity | undefined;
    for (let look = 1; look <= maxLooks; look++) {
      const { clients, complaint } = await this.#listClients();
      if (isNoServer(complaint)) return "no-server";
      if (isTurnedAway(complaint)) {
        // Known before it turned us away again: another server, started meanwhile, is never meant.
        if (ending !== undefined) await endWithin(ending, this.#options.clock, endGraceMs);
        ending = await serverProcess(this.#options);
        continue;
      }
      const leaving = clients.split("\n").flatMap((line) => readClient(line) ?? []);
      const waitedFor = leaving.filter((client) => client.pid === this.#departing || isOrphan(client));
      if (waitedFor.length === 0) break;
      if (look >= orphanLooks) for (const client of waitedFor) endOrphan(client);
    }
    return "none";
  }

  async #listClients(): Promise<{ readonly clients: string; readonly complaint: string }> {
    const { socket, program = "tmux" } = this.#options;
    const format = "#{client_pid} #{session_name}";
    const question = [program, "-N", "-L", socket, "-f", "/dev/null", "list-clients", "-F", format];
    const probe = spawnClient(question, this.#env, { stdin: "ignore", starts: false });
    this.#probe = probe;
    const [clients, complaint] = await Promise.all([probe.stdout.text(), probe.stderr.text(), probe.exited]);
    if (probe.signalCode !== null) throw this.#outage("the server does not answer", true);
    return { clients, complaint };
  }

  #outage(reason: string, mayRetry: boolean): Outage {
    return tmuxOutage(this.#options.socket, reason, mayRetry);
  }
}

/** Asked like anything else, so that its answers are not taken for another's; if it fails, so does what comes after. */
function greet(connection: ControlConnection, lines: readonly string[]): void {
  connection.ask(lines, { repeatable: true }).catch(() => undefined);
}

/** The settings in which our server differs from tmux as it comes. An older tmux that lacks an option tells nobody. */
const ourServer = [
  // Whoever reaches the server could have a command of ours mean something else.
  "set-option -su command-alias",
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
