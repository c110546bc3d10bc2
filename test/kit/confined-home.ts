// A home with confined clones that do what they are told, for stories about what such a one can and cannot do.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectTop, until } from "./home.ts";
import { TaskHome } from "./task-home.ts";

/** Says that it is idle, takes one message from its terminal, in parts if need be, and acknowledges it in its own hook file. */
const listening = `
note() { printf '{"event":"%s","session":"s","messages":[%s]}' "$1" "$2" | constel hook script; }
note session-started; note turn-ended
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":"\\([^"]*\\)".*/\\1/p')
  [ -n "$id" ] || continue
  set -- $(printf '%s' "$line" | sed -n 's/.*"part":\\([0-9]*\\),"of":\\([0-9]*\\).*/\\1 \\2/p')
  [ "\${1:-}" = "\${2:-}" ] && break
done
note prompt-submitted "\\"$id\\""; note turn-ended`;

export class ConfinedHome extends TaskHome {
  /** The one place that both sides can write: the orders for agent1, and what it said. */
  readonly own = join(this.root, "workspaces/agent1");
  #count = 0;

  async start(): Promise<void> {
    mkdirSync(join(this.own, "orders"), { recursive: true });
    // The obedient agent looks for its orders below HOME, which is hidden: it is told of another place.
    const agent = join(projectTop, "test/kit/obedient-agent.sh");
    const start = `HOME='${this.root}'/workspaces/$CONSTEL_AGENT exec '${agent}'`;
    await this.run("config", "set", "agents.script_command", JSON.stringify(["sh", "-c", start]));
    const up = await this.run("up", "1", "--type", "script", "--confined", "--no-attach");
    if (up.code !== 0) throw new Error(up.stderr);
    await until("agent1 listens", () => existsSync(join(this.own, "orders/agent1")), Boolean);
  }

  /** Has agent1 run a script in its own terminal; answers what it said. */
  async ordered(script: string): Promise<string> {
    this.#count += 1;
    const order = join(this.own, "orders/agent1", `${this.#count}.sh`);
    writeFileSync(`${order}.written`, `export HOME='${this.top}'\n${script}\n`);
    renameSync(`${order}.written`, order);
    await until(`the order ${script}`, () => existsSync(`${order}.done`), Boolean);
    return readFileSync(`${order}.done`, "utf8");
  }

  /** A new task, given to agent1, which does `first` before it listens; answers its number and its workspace. */
  async given(title: string, first = ""): Promise<{ number: number; workspace: string }> {
    const { number } = await this.ask<{ number: number }>("task", "create", title);
    const heard = this.ordered(`${first}\n${listening}`);
    await until(
      "agent1 is idle",
      () => this.ask<{ agent: string; now: { state: string } | null }[]>("agents"),
      (agents) => agents.find(({ agent }) => agent === "agent1")?.now?.state === "idle",
    );
    await this.ask("task", "dispatch", String(number), "--agent", "1", "--no-fetch");
    // Where the agent began its order in this moment it is busy, and the task waits until it is seen to listen.
    const given = await until(
      `task ${number} is given`,
      () => this.ask<{ task: { state: string }; workspaces: { path: string }[] }>("task", "show", String(number)),
      ({ task, workspaces: [made] }) => task.state === "in_progress" && made !== undefined && existsSync(made.path),
    );
    await heard;
    return { number, workspace: given.workspaces[0]?.path ?? "" };
  }
}
