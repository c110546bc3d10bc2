// Homes that are constellations of their own, and lines between them.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TestHome, until } from "./home.ts";

export interface Peer {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly evidence: string;
  readonly step: string | null;
  readonly key: string;
  readonly route: string | null;
  readonly seen_ms: number | null;
  readonly waiting_items: number;
}

interface Entry {
  readonly peer: { readonly name: string; readonly fingerprint: string | null; readonly state: string };
}

export class MeshHome extends TestHome {
  readonly name: string;

  constructor(name: string) {
    super();
    this.name = name;
  }

  /** Listens at a free port of loopback, if it is to be dialled. */
  async keepLines(
    settings: Readonly<Record<string, string | boolean | readonly string[]>> = { "mesh.listen": "127.0.0.1:0" },
  ): Promise<void> {
    const all = { "constellation.name": this.name, "mesh.enabled": true, ...settings };
    const lines = Object.entries(all).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
    mkdirSync(this.home, { recursive: true, mode: 0o700 });
    writeFileSync(join(this.home, "config.toml"), lines.join(""), { mode: 0o600 });
    await this.json(["daemon", "start"]);
  }

  until(holds: () => Promise<boolean>): Promise<boolean> {
    return until(`${this.name}: ${String(holds)}`, holds, (answer) => answer);
  }

  async peers(...flags: string[]): Promise<Peer[]> {
    return (await this.json<{ peers: Peer[] }>(["mesh", "peers", ...flags])).peers;
  }

  async peer(name: string): Promise<Peer | undefined> {
    return (await this.peers()).find((peer) => peer.name === name);
  }

  /** Joins with a code of the other's; neither has confirmed. Answers the names that each has for the other, and the digits that each shows. */
  async joinTo(other: MeshHome): Promise<{ here: Entry["peer"]; there: Entry["peer"] }> {
    const { code, id } = await other.json<{ code: string; id: string }>(["mesh", "invite"]);
    const { peer: here } = await this.json<Entry>(["mesh", "join", code]);
    await other.until(async () => (await other.peer(this.name)) !== undefined);
    const there = (await other.peer(this.name)) as unknown as Entry["peer"];
    if (there === undefined) throw new Error(`the code ${id} brought nobody`);
    return { here, there };
  }

  async pairWith(other: MeshHome): Promise<void> {
    const { here, there } = await this.joinTo(other);
    await this.json(["mesh", "confirm", here.name, here.fingerprint ?? ""]);
    await other.json(["mesh", "confirm", there.name, there.fingerprint ?? ""]);
    await this.connectedTo(here.name);
    await other.connectedTo(there.name);
  }

  async connectedTo(name: string): Promise<void> {
    await this.until(async () => (await this.peer(name))?.state === "connected");
  }
}
