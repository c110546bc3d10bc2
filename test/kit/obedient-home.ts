// A home on a shared account with clones that do what they are told, for stories about what a turned one can and cannot do.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectTop, TestHome, until } from "./home.ts";

export class ObedientHome extends TestHome {
  #count = 0;

  /** Two clones, and a task of the owner's, which is the first. */
  async start(cwd?: string): Promise<void> {
    const where = cwd === undefined ? {} : { cwd };
    mkdirSync(join(this.top, "orders"));
    const agent = join(projectTop, "test/kit/obedient-agent.sh");
    await this.constel(["config", "set", "agents.script_command", JSON.stringify([agent])]);
    await this.constel(["config", "set", "http.enabled", "true"]);
    await this.constel(["up", "2", "--type", "script"], where);
    await this.constel(["task", "create", "the owner's task"], where);
    await until("agent1 listens", () => existsSync(join(this.top, "orders/agent1")), Boolean);
  }

  /** The path of what the last order leaves under `$said`. */
  get said(): string {
    return join(this.top, `said-${this.#count}`);
  }

  /** Has agent1, or another, run a script in its own terminal; answers what it said. `$constel` is the program, without the agent's PATH. */
  async ordered(script: string, agent = "agent1"): Promise<string> {
    this.#count += 1;
    const order = join(this.top, "orders", agent, `${this.#count}.sh`);
    const program = join(this.home, "state/bin/constel");
    writeFileSync(`${order}.written`, `constel=${program}\nsaid=$HOME/said-${this.#count}\n${script}\n`);
    renameSync(`${order}.written`, order);
    await until(`the order ${script}`, () => existsSync(`${order}.done`), Boolean);
    return readFileSync(`${order}.done`, "utf8");
  }

  async stateOfTask(number = 1): Promise<string> {
    return (await this.json<{ task: { state: string } }>(["task", "show", String(number)])).task.state;
  }
}
