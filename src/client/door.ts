// The daemon's socket as one caller sees it: let in once, then any number of requests.

import { dirname, join } from "node:path";
import type { DaemonProof } from "../ports/daemon-proof.ts";
import { passHeader } from "../protocol/wire.ts";
import { type Admission, beAdmitted } from "./admission.ts";
import { outageAt } from "./no-daemon.ts";
import { withShortPath } from "./short-path.ts";

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
    const { pass, unix } = await this.#admitted();
    try {
      const headers = { ...(init.headers as Record<string, string> | undefined), [passHeader]: pass };
      return await withShortPath(unix, (path) => fetch(`http://constel${route}`, { ...init, headers, unix: path }));
    } catch (cause) {
      throw outageAt(this.#path, cause);
    }
  }

  /** The next request asks to be let in anew. */
  close(): void {
    this.#admission?.then((admission) => admission.close()).catch(() => {});
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
