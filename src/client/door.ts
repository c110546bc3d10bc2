// The daemon's socket as one caller sees it: let in once, then any number of requests.

import { dirname, join } from "node:path";
import type { DaemonProof } from "../ports/daemon-proof.ts";
import { Refusal } from "../protocol/errors.ts";
import { passHeader } from "../protocol/wire.ts";
import { type Admission, beAdmitted, type DaemonMet } from "./admission.ts";
import type { Answer } from "./answer-reader.ts";
import { Connection, type Question } from "./connection.ts";
import { Connections } from "./connections.ts";
import { NoDaemon, outageAt } from "./no-daemon.ts";

export class Door {
  readonly #path: string;
  readonly #proof: DaemonProof | undefined;
  readonly #meet: ((daemon: DaemonMet) => void) | undefined;
  #admission: Promise<Admission> | undefined;
  readonly #connections = new Connections();
  /** True if a request went through it since it was closed. */
  wasOpen = false;

  /** @param meet hears which daemon it is before anything is asked of it, and may throw */
  constructor(path: string, proof: DaemonProof | undefined, meet?: (daemon: DaemonMet) => void) {
    this.#path = path;
    this.#proof = proof;
    this.#meet = meet;
  }

  /** An answer that is read as it comes. */
  request(route: string, init: BunFetchRequestInit = {}): Promise<Response> {
    return this.#throughIt(({ pass, reach }) => {
      const headers = { ...(init.headers as Record<string, string> | undefined), [passHeader]: pass };
      return reach((unix) => fetch(`http://constel${route}`, { ...init, headers, unix }));
    });
  }

  /** An answer that is wanted whole. `begun` is told how to give up. */
  ask(question: Question, begun: (giveUp: (why: unknown) => void) => void): Promise<Answer> {
    return this.#throughIt(async ({ pass, reach }) => {
      const asked = { ...question, headers: { ...question.headers, [passHeader]: pass } };
      // A connection once made leads to the same daemon for as long as it is open.
      return this.#connections.use(
        () => reach(Connection.open),
        async (connection) => {
          begun((why) => connection.end(why));
          const answer = connection.ask(asked);
          if (answer === undefined) throw new NoDaemon(this.#path, "it ended before it heard anything");
          return answer;
        },
      );
    });
  }

  async #throughIt<T>(use: (admission: Admission) => Promise<T>): Promise<T> {
    try {
      return await this.#once(use);
    } catch (cause) {
      // The daemon was started anew, and has another socket: it says which when it is asked.
      if (!(cause instanceof Refusal) || cause.code !== "daemon.impostor" || cause.facts["path"] !== this.#path)
        throw cause;
      this.close();
      return this.#once(use);
    }
  }

  async #once<T>(use: (admission: Admission) => Promise<T>): Promise<T> {
    const admission = await this.#admitted();
    try {
      return await use(admission);
    } catch (cause) {
      throw outageAt(this.#path, cause);
    }
  }

  /** The next request asks to be let in anew. */
  close(): void {
    this.#admission = undefined;
    this.wasOpen = false;
    this.#connections.endIdle();
  }

  async #admitted(): Promise<Admission> {
    const known = this.#admission;
    if (known !== undefined) {
      this.wasOpen = true;
      return known;
    }
    const asked = this.#ask();
    this.#admission = asked;
    // One that was not there may be there the next time.
    asked.catch(() => this.close());
    return asked;
  }

  async #ask(): Promise<Admission> {
    const who = join(dirname(this.#path), "who.sock");
    const admission = await beAdmitted({ who, door: this.#path, proof: this.#proof });
    this.#meet?.(admission.daemon);
    return admission;
  }
}
