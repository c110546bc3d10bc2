// The unix sockets that commands come to: one for requests, one that says who a caller is. They stay open while the daemon begins anew with other
// settings: what is under way is finished first, and who comes meanwhile waits and is answered by what begins.

import { chmodSync } from "node:fs";
import { join } from "node:path";
import { withShortPath } from "../../client/short-path.ts";
import { removeTrusted } from "../../files/trusted-files.ts";
import { systemClock, systemRandom } from "../../host/clock/system-clock.ts";
import { installation } from "../../ports/build.ts";
import type { Household } from "../../ports/household.ts";
import { Outage, Refusal } from "../../protocol/errors.ts";
import { actorHeader, passHeader } from "../../protocol/wire.ts";
import { inHome } from "../../settings/paths.ts";
import { closeDoors, openDoors } from "./doors.ts";
import { ownDoor } from "./own-door.ts";
import { type Passes, servePasses } from "./passes.ts";
import type { WhoAsks } from "./serve.ts";

export type Server = ReturnType<typeof Bun.serve>;
export type Fetch = (request: Request, whoAsks: WhoAsks) => Promise<Response>;

/** The time that a stop waits for requests under way. */
const graceMs = 3_000;

interface Answering {
  readonly fetch: Fetch;
  readonly household: () => Household;
}

export class SocketDoor {
  readonly #home: string;
  readonly #build: string;
  readonly #version: string;
  #server: Server | undefined;
  #passes: Passes | undefined;
  #answering = Promise.withResolvers<Answering>();
  #now: Answering | undefined;
  /** The one that answers, or did last. */
  #last: Answering | undefined;
  readonly #underWay = new Set<Promise<Response>>();

  constructor(home: string, build: string, version: string) {
    this.#home = home;
    this.#build = build;
    this.#version = version;
  }

  /** Lets in who comes, and who has come since a pause. */
  async open(answering: Answering): Promise<void> {
    this.#now = answering;
    this.#last = answering;
    this.#answering.resolve(answering);
    if (this.#server === undefined) await this.#listen(() => (this.#last ?? answering).household());
  }

  /** From now on who comes waits; what is under way is finished, but nobody who does not read the answer is waited for. */
  async pause(): Promise<void> {
    this.#now = undefined;
    this.#answering = Promise.withResolvers<Answering>();
    const inTime = new AbortController();
    await Promise.race([Promise.allSettled(this.#underWay), systemClock.sleep(graceMs, inTime.signal)]);
    inTime.abort();
  }

  async close(): Promise<void> {
    if (this.#server !== undefined) await endServer(this.#server);
    this.#server = undefined;
    closeDoors(this.#home);
    this.#passes?.close();
    this.#passes = undefined;
    removeTrusted(this.#home, inHome.socket);
  }

  async #listen(household: () => Household): Promise<void> {
    const home = this.#home;
    removeTrusted(home, inHome.socket); // the lock is ours, so a socket file that is there is a dead daemon's
    // The socket for requests first: whoever is given a pass is told which file it is.
    const socket = join(home, inHome.socket);
    this.#server = await listenOnSocket(socket, (request) => this.#answer(request));
    this.#passes = await servePasses({
      home,
      random: systemRandom,
      household,
      door: await ownDoor(socket),
      build: this.#build,
      version: this.#version,
      installation: installation(),
    });
    openDoors(home);
  }

  #answer(request: Request): Promise<Response> {
    return this.#now === undefined
      ? this.#answering.promise.then((answering) => this.#answerBy(answering, request))
      : this.#answerBy(this.#now, request);
  }

  #answerBy({ fetch }: Answering, request: Request): Promise<Response> {
    const response = fetch(request, this.#byPass);
    this.#underWay.add(response);
    const forget = (): void => void this.#underWay.delete(response);
    response.then(forget, forget);
    return response;
  }

  readonly #byPass: WhoAsks = ({ headers }) => {
    if (this.#passes === undefined) throw new Refusal("identity.no-pass", "no pass was given to anybody yet");
    return this.#passes.askerOf(headers.get(passHeader), headers.get(actorHeader));
  };
}

/** Lets what is under way finish, but waits for no client that does not read its answer or never sends its request. */
export async function endServer(server: Server): Promise<void> {
  const finished = server.stop();
  const inTime = new AbortController();
  await Promise.race([finished, systemClock.sleep(graceMs, inTime.signal)]);
  inTime.abort();
  await server.stop(true);
}

export function listen(where: string, start: () => Server): Server {
  try {
    return start();
  } catch (cause) {
    throw new Outage("listen on", where, cause);
  }
}

async function listenOnSocket(path: string, fetch: (request: Request) => Promise<Response>): Promise<Server> {
  return withShortPath(path, async (unix) => {
    // Mode 0600 from the start: the umask is 0077, and the directory is 0700. No idle timeout: it would cut streams; Bun's
    // types leave it out for sockets although it applies there too.
    const options = { unix, fetch, idleTimeout: 0, maxRequestBodySize: 64 * 1024 * 1024 };
    const server = listen(path, () => Bun.serve(options as unknown as Bun.Serve.Options<undefined>));
    chmodSync(path, 0o600);
    return server;
  });
}
