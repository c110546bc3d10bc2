// What the demo leaves out, so that every page has something to show: a request that waits, a message that has not arrived, a schedule, a
// decision, something to remember, a directive, a saved query, what a model cost.

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { tradeLink } from "./browser.ts";
import type { DemoHome } from "./demo-home.ts";

export interface Planted {
  /** The collision of the demo that is a rename which the other side began to use. */
  readonly finding: string;
  /** The task on its one side, which renames. */
  readonly task: number;
  readonly ask: Awaited<ReturnType<typeof tradeLink>>;
  /** Makes an agent ask for permission, as its hook would; answers the request's id. */
  readonly askFor: (agent: string, command: string) => Promise<string>;
}

export async function plant(home: DemoHome): Promise<Planted> {
  const ask = await tradeLink(home);
  for (const words of [
    ["decision", "add", "Prices are whole cents"],
    ["memory", "add", "Run the tests with bun test"],
    ["cron", "add", "nightly", "0 22 * * *", "agent1", "critique the day"],
    ["owner", "init"],
    ["owner", "direct", "Keep the receipts to one line"],
    ["query", "select receiver, count(*) as n from messages group by receiver", "--save", "mail"],
    ["channel", "send", "agent99", "nobody will read this", "--thread", "lost"],
    ["tell", "agent1", "how is it going?", "--thread", "talk"],
    ["task", "create", "Count the stars"],
    ["task", "create", "Name the stars"],
  ])
    await home.json(words);
  plantCost(home);
  const { findings } = await home.json<{ findings: { id: string; kind: string; title: string }[] }>(["conflicts"]);
  const renamed = findings.find(({ title }) => title.includes(" renames "));
  if (renamed === undefined) throw new Error(`no rename among ${JSON.stringify(findings)}`);
  const task = Number(/constel\/constel0\/(\d+)-\S+ renames/.exec(renamed.title)?.[1]);
  const askFor = async (agent: string, command: string): Promise<string> => {
    const request = `request-${crypto.randomUUID()}`;
    const asked = { request, agent, runtime: "script", tool: "Bash", input: { command }, cwd: home.root };
    const { id } = (await ask("permission.ask", asked)) as { id: string | null };
    if (id === null) throw new Error(`a rule answered ${command}`);
    return id;
  };
  return { finding: renamed.id, task, ask, askFor };
}

function plantCost({ home }: DemoHome): void {
  using database = new Database(join(home, "meta.db"));
  database.run("pragma busy_timeout = 10000");
  const columns = database.query("pragma table_info(token_usage)").all() as {
    name: string;
    notnull: number;
    type: string;
  }[];
  const day = 86_400_000;
  const now = Date.now();
  for (let at = 0; at < 12; at++) {
    const known: Record<string, string | number | null> = {
      constellation: "constel0",
      agent: `agent${1 + (at % 3)}`,
      model: at % 2 === 0 ? "claude-opus-4-6" : "gpt-5.2-codex",
      task: at % 4 === 0 ? null : String(1 + (at % 3)),
      at_ms: now - at * day,
      input: 12_000 * (at + 1),
      output: 900 * (at + 1),
      cache_read: 50_000,
      cache_write: 4_000,
      cost_micros: 310_000 * (1 + (at % 5)),
    };
    const row = columns.map(
      ({ name, notnull, type }) =>
        known[name] ?? (notnull === 0 ? null : type === "TEXT" ? `planted-${name}-${at}` : 0),
    );
    const names = columns.map(({ name }) => name).join(", ");
    database.run(`insert into token_usage (${names}) values (${columns.map(() => "?").join(", ")})`, row);
  }
}
