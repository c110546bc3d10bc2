// The daemon's socket as one caller sees it: let in once, then any number of requests.

import { dirname, join } from "node:path";
import type { DaemonProof } from "../ports/daemon-proof.ts";
import { Refusal } from "../protocol/errors.ts";
import { passHeader } from "../protocol/wire.ts";
import { type Admission, beAdmitted } from "./admission.ts";
import { outageAt } from "./no-daemon.ts";

export class Door {
  readonly #path: string;
  readonly #proof: DaemonProof | undefined;
  #admission: Promise<Admission> | undefined;
  /** Whether a request went through it since it was closed. */
  wasOpen = false;

  constructor(path: string, proof: DaemonProof | undefined) {
    this.#path = path;
    this.#proof = proof;
  }

  async request(route: string, init: BunFetchRequestInit = {}): Promise<Response> {
    try {
      return await this.#once(route, init);
    } catch (cause) {
      // The daemon was started anew, and has another socket: it says which when it is asked.
      if (!(cause instanceof Refusal) || cause.code !== "daemon.impostor" || cause.facts["path"] !== this.#path)
        throw cause;
      this.close();
      return this.#once(route, init);
    }
  }

  async #once(route: string, init: BunFetchRequestInit): Promise<Response> {
    const { pass, reach } = await this.#admitted();
    try {
      const headers = { ...(init.headers as Record<string, string> | undefined), [passHeader]: pass };
      return await reach((unix) => fetch(`http://constel${route}`, { ...init, headers, unix }));
    } catch (cause) {
      throw outageAt(this.#path, cause);
    }
  }

  /** The next request asks to be let in anew. */
  close(): void {
    this.#admission = undefined;
    this.wasOpen = false;
  }

  async #admitted(): Promise<Admission> {
    const known = this.#admission;
    if (known !== undefined) {
      this.wasOpen = true;
      return known;
    }
    const asked = beAdmitted({ who: join(dirname(this.#path), "who.sock"), door: this.#path, proof: this.#proof });
    this.#admission = asked;
    // One that was not there may be there the next time.
    asked.catch(() => this.close());
    return asked;
  }
}
