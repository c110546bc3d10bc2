// Conversations by lines over TCP, with TLS from the start or later. See LineConnections in ports/notify.ts.

import { type Socket, connect, isIP } from "node:net";
import { connect as connectTls } from "node:tls";
import { Outage } from "../../protocol/errors.ts";
import type { LineConnection, LineConnections } from "../../ports/notify.ts";

/** No server's line is longer than this unless it means harm. */
const longestLine = 64 * 1024;

/** `ca` is a certificate to trust besides those of the machine, in PEM. */
export function lineConnections(options: { ca?: string } = {}): LineConnections {
  return {
    async open({ host, port, tls, deadlineMs }) {
      const target = `${host}:${port}`;
      const connection = new Lines(target, host, options.ca, deadlineMs);
      await connection.start(
        tls ? connectTls({ host, port, ...servedAs(host), ...caOf(options.ca) }) : connect({ host, port }),
        tls ? "secureConnect" : "connect",
      );
      return connection;
    },
  };
}

const caOf = (ca: string | undefined): { ca?: string } => (ca === undefined ? {} : { ca });

/** The server name to ask for. A server that is named by its address is not asked; its certificate must name the address. */
const servedAs = (host: string): { servername?: string } => (isIP(host) === 0 ? { servername: host } : {});

class Lines implements LineConnection {
  readonly #target: string;
  readonly #host: string;
  readonly #ca: string | undefined;
  readonly #timer: ReturnType<typeof setTimeout>;
  #socket: Socket | undefined;
  #pending = "";
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(target: string, host: string, ca: string | undefined, deadlineMs: number) {
    this.#target = target;
    this.#host = host;
    this.#ca = ca;
    this.#timer = setTimeout(() => this.#fail(new Error("no answer in time")), deadlineMs);
  }

  async start(socket: Socket, event: "connect" | "secureConnect"): Promise<void> {
    let ready = false;
    this.#socket = socket;
    socket.once(event, () => {
      ready = true;
      this.#wake?.();
    });
    socket.on("error", (cause: Error) => this.#fail(cause));
    socket.on("close", () => this.#fail(new Error("the other side closed the connection")));
    socket.on("data", (bytes: Buffer) => {
      this.#pending += bytes.toString("utf8");
      if (this.#pending.length > longestLine) this.#fail(new Error("a line without end"));
      this.#wake?.();
    });
    await this.#until(() => ready);
  }

  async readLine(): Promise<string> {
    await this.#until(() => this.#pending.includes("\n"));
    const end = this.#pending.indexOf("\n");
    const line = this.#pending.slice(0, end).replace(/\r$/, "");
    this.#pending = this.#pending.slice(end + 1);
    return line;
  }

  write(text: string): void {
    if (this.#failure !== undefined) throw new Outage("write to", this.#target, this.#failure, { mayRetry: true });
    this.#socket?.write(text);
  }

  async startTls(): Promise<void> {
    const plain = this.#socket;
    if (plain === undefined) throw new Error("startTls before start");
    // Lines that came before encryption could be anybody's: they must not be read as if they came after it.
    this.#pending = "";
    plain.removeAllListeners("data");
    plain.removeAllListeners("close");
    const secured = connectTls({ socket: plain, host: this.#host, ...servedAs(this.#host), ...caOf(this.#ca) });
    await this.start(secured, "secureConnect");
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#failure ??= new Error("closed");
    this.#socket?.destroy();
  }

  async #until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.#failure !== undefined) throw new Outage("talk to", this.#target, this.#failure, { mayRetry: true });
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #fail(cause: Error): void {
    this.#failure ??= cause;
    clearTimeout(this.#timer);
    this.#socket?.destroy();
    this.#wake?.();
  }
}
