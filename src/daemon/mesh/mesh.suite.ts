// Constellations in one process, for tests of the mesh: each with a home, keys, a store, and lines of its own over loopback.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { until } from "../../../test/kit/home.ts";
import { storeOptions } from "../../app/store-options.ts";
import type { Context } from "../../core/context.ts";
import { systemClock, systemRandom } from "../../host/clock/system-clock.ts";
import { auditEvidence } from "../../host/keys/audit-machine.ts";
import { type Config, defaultConfig } from "../../settings/declarations.ts";
import type { Settings } from "../../settings/settings.ts";
import { openStore, type Store } from "../../store/open.ts";
import { meshHandlers } from "./mesh-handlers.ts";
import { type Mesh, openMesh } from "./open-mesh.ts";
import { prepareKeys } from "../prepare-keys.ts";

export class Constellation {
  readonly name: string;
  readonly logged: string[] = [];
  /** All that came on lines, as `peer: text`. */
  readonly heard: string[] = [];
  readonly #directory = temporaryDirectory("mesh");
  readonly settings: Settings;
  #store: Store | undefined;
  #mesh: Mesh | undefined;

  private constructor(name: string, config: Partial<Config>) {
    this.name = name;
    const home = join(this.#directory.path, "home");
    mkdirSync(home, { mode: 0o700 });
    this.settings = {
      home,
      root: home,
      homeOnly: true,
      agent: undefined,
      config: { ...defaultConfig, "constellation.name": name, "mesh.enabled": true, ...config },
      origins: {},
      databaseUrl: `sqlite:${join(home, "meta.db")}`,
    } as Settings;
  }

  static async begin(name: string, config: Partial<Config> = { "mesh.listen": "127.0.0.1:0" }): Promise<Constellation> {
    const made = new Constellation(name, config);
    await made.start();
    return made;
  }

  async start(): Promise<void> {
    const { settings, logged } = this;
    const log = (line: string): void => void logged.push(line);
    this.#store = await openStore(storeOptions(settings));
    prepareKeys(settings.home, log);
    this.#mesh = await openMesh({
      settings,
      store: this.#store,
      clock: systemClock,
      random: systemRandom,
      audit: auditEvidence(settings.home),
      version: "0.1.0",
      log,
    });
    this.#mesh.lines.attend((line) => {
      void (async () => {
        for await (const frame of line.frames) this.heard.push(`${line.peer}: ${Buffer.from(frame).toString()}`);
      })();
    });
  }

  get mesh(): Mesh {
    if (this.#mesh === undefined) throw new Error(`${this.name} does not run`);
    return this.#mesh;
  }

  get store(): Store {
    if (this.#store === undefined) throw new Error(`${this.name} does not run`);
    return this.#store;
  }

  get ask(): ReturnType<typeof meshHandlers> {
    return meshHandlers(this.settings, this.mesh);
  }

  get context(): Context {
    const audit = auditEvidence(this.settings.home);
    const { store } = this;
    return { store, clock: systemClock, random: systemRandom, constellation: this.name, actor: "owner", audit };
  }

  async peer(name: string) {
    const { peers } = await this.ask["mesh.peers"](this.context, { all: false });
    return peers.find((peer) => peer.name === name);
  }

  async untilPeer(name: string, holds: (peer: Awaited<ReturnType<Constellation["peer"]>>) => boolean): Promise<void> {
    await until(`${this.name} about ${name}`, () => this.peer(name), holds);
  }

  async pairWith(other: Constellation): Promise<void> {
    const { code } = await other.ask["mesh.invite"](other.context, { as: "sibling" });
    const { peer } = await this.ask["mesh.join"](this.context, { code });
    const fingerprint = peer.fingerprint ?? "";
    await this.ask["mesh.confirm"](this.context, { name: peer.name, fingerprint });
    // Nothing is sent back over the wire of the handshake: the entry there comes a moment later.
    await other.untilPeer(this.name, (there) => there !== undefined);
    await other.ask["mesh.confirm"](other.context, { name: this.name, fingerprint });
    await this.untilPeer(peer.name, (there) => there?.state === "connected");
    await other.untilPeer(this.name, (there) => there?.state === "connected");
  }

  async stop(): Promise<void> {
    await this.#mesh?.close();
    await this.#store?.close();
    this.#mesh = undefined;
    this.#store = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.#directory[Symbol.dispose]();
  }
}
