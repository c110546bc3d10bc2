// A home that serves outside agents, with clones that work on what they are given, and the ways to ask it over A2A.

import { A2A } from "./a2a-wire.ts";
import { WorkingAgents } from "./working-agents.ts";

export class A2aHome extends WorkingAgents {
  address = "";

  /** Off on loopback until asked for; nothing is let through unless a rule is given. */
  async serve(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const all = { "http.enabled": "true", "http.port": "0", "a2a.enabled": "true", ...settings };
    for (const [name, value] of Object.entries(all)) await this.constel(["config", "set", name, value]);
    await this.constel(["daemon", "start"], { cwd: this.root });
    await this.readAddress();
  }

  async readAddress(): Promise<void> {
    this.address = (await this.json<{ http: string }>(["daemon", "status"])).http;
  }

  async token(name: string, role = "outside"): Promise<string> {
    return (await this.json<{ token: string }>(["token", "create", name, "--role", role])).token;
  }

  async outside(name: string): Promise<A2A> {
    return new A2A(() => this.address, await this.token(name));
  }

  requests(): Promise<{ requests: { id: string; held: number; state: string; task: number | null; text: string }[] }> {
    return this.ask("a2a", "ls", "--all");
  }
}
