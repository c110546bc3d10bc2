// A connection to a daemon that carries one request after the other. Bun's fetch has each request and each answer go through a thread of its
// own, which was a quarter of what a caller waited for (decision 44).

import { type Answer, AnswerReader } from "./answer-reader.ts";

export interface Question {
  readonly route: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Called whenever something of the answer has come. */
  readonly heard: () => void;
}

interface Waiting {
  readonly heard: () => void;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (cause: unknown) => void;
}

export type Socket = Bun.Socket<undefined>;
export type SocketEvents = Pick<Bun.SocketHandler<undefined>, "data" | "drain" | "error" | "close">;

export class Connection {
  #socket: Socket | undefined;
  #waiting: Waiting | undefined;
  /** The part of the request that the kernel has not taken yet. */
  #unsent: Uint8Array = new Uint8Array();
  #reader: AnswerReader | undefined;
  /** By us, and why. */
  #ended: { readonly why: unknown } | undefined;

  readonly #host: string;
  readonly #mostBytes: number;

  private constructor(host: string, mostBytes: number) {
    this.#host = host;
    this.#mostBytes = mostBytes;
  }

  static open = (unix: string): Promise<Connection> =>
    Connection.over("constel", (events) =>
      Bun.connect({ unix, socket: { ...events, data: events.data ?? (() => {}) } }),
    );

  /** Over a socket that somebody else opens. `host`: the name that requests say they are for. `mostBytes`: of one answer. */
  static async over(
    host: string,
    connect: (events: SocketEvents) => Promise<Socket>,
    mostBytes = Number.POSITIVE_INFINITY,
  ): Promise<Connection> {
    const connection = new Connection(host, mostBytes);
    connection.#socket = await connect({
      data: (_, bytes) => connection.#take(bytes),
      drain: () => void connection.#send(),
      error: (_, cause) => connection.end(cause),
      close: () => connection.#close(),
    });
    return connection;
  }

  /** One at a time. Undefined when the other end is gone and has heard nothing of it. */
  ask({ route, headers, body, heard }: Question): Promise<Answer> | undefined {
    if (this.#ended !== undefined) return Promise.reject(this.#ended.why);
    let head = `POST ${route} HTTP/1.1\r\nhost: ${this.#host}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    for (const name of Object.keys(headers)) head += `${name}: ${headers[name]}\r\n`;
    this.#unsent = Buffer.from(`${head}\r\n${body}`);
    if (!this.#send()) return undefined;
    this.#socket?.ref();
    this.#reader = new AnswerReader(this.#mostBytes);
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting = { heard, resolve, reject };
    return promise;
  }

  /** Whoever waits for an answer is told why there will be none. */
  end(why: unknown): void {
    this.#ended = { why };
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(why);
    this.#drop();
  }

  /** By the other end. */
  #close(): void {
    const answer = this.#reader?.close();
    if (answer === undefined) this.#waiting?.reject(broken());
    else this.#waiting?.resolve(answer);
    this.#waiting = undefined;
    this.#drop();
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.terminate();
  }

  /** Sends what is left, and tells whether the other end is there to hear it. */
  #send(): boolean {
    if (this.#socket === undefined) return false;
    const sent = this.#socket.write(this.#unsent);
    if (sent >= 0) this.#unsent = this.#unsent.subarray(sent);
    return sent >= 0;
  }

  #take(bytes: Buffer): void {
    const waiting = this.#waiting;
    // Nobody asked: whatever this is, the next answer could not be told from it.
    if (waiting === undefined || this.#reader === undefined) return this.#drop();
    let answer: Answer | undefined;
    try {
      answer = this.#reader.read(bytes);
    } catch (cause) {
      return this.end(cause);
    }
    if (answer === undefined) return waiting.heard();
    this.#waiting = undefined;
    // A program whose work is done does not stay for a connection that nobody uses.
    this.#socket?.unref();
    waiting.resolve(answer);
  }
}

/** As the kernel says it of a connection that ended before all was said. */
const broken = (): Error => Object.assign(new Error("the connection ended before the answer"), { code: "ECONNRESET" });
