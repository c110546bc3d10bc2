// Reviews on the real program, with clones that are processes of their own: a turned clone approves its own work in no way, and what somebody
// else approved lands.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "./kit/home.ts";
import { ObedientHome } from "./kit/obedient-home.ts";

const at = new ObedientHome();
const root = join(at.top, "root");
const origin = join(at.top, "origin.git");
let head = "";

function git(directory: string, ...words: string[]): string {
  const run = Bun.spawnSync(["git", ...words], { cwd: directory, env: at.env });
  if (run.exitCode !== 0) throw new Error(`git ${words.join(" ")}: ${run.stderr.toString()}`);
  return run.stdout.toString().trim();
}
const owner = (...words: string[]) => at.constel(words, { cwd: root });
const ask = <T>(...words: string[]): Promise<T> => at.json<T>(words, { cwd: root });
const verdict = async (): Promise<{ verdict: string; head: string }> =>
  (await ask<{ review: { verdict: string; head: string } }>("task", "show", "1")).review;
const workspace = join(root, "workspaces/1/repo");

beforeAll(async () => {
  writeFileSync(
    join(at.top, ".gitconfig"),
    "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n",
  );
  git(at.top, "init", "-q", "--bare", origin);
  git(at.top, "clone", "-q", origin, root);
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "constel.toml"), "[harvest]\nrequire_review = true\n");
  writeFileSync(join(root, ".gitignore"), "workspaces/\n");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "base");
  git(root, "push", "-q", "-u", "origin", "main");
  await at.start(root);
  // What it says by its hook: that it stands idle, and can be given something to do.
  for (const agent of ["agent1", "agent2"])
    await at.ordered(
      `for event in session-started turn-ended; do echo "{\\"event\\":\\"$event\\"}" | "$constel" hook script; done`,
      agent,
    );
  await until(
    "agent1 can be given the task",
    async () => (await owner("task", "dispatch", "1", "--agent", "1", "--no-wait", "--no-fetch", "--json")).stdout,
    (said) => !said.includes("queued"),
  );
  await until(
    "its workspace stands",
    () => at.json<{ state: string }[]>(["query", "select state from workspaces"]),
    (rows) => JSON.stringify(rows).includes("ready"),
  );
  await at.ordered(
    `cd ${workspace} && echo 10 >price.txt && git add -A && git commit -qm price && "$constel" task ready 1`,
  );
  ({ head } = await verdict());
}, 120_000);
afterAll(() => at[Symbol.asyncDispose]());

describe("a clone cannot approve its own work", () => {
  const clean = 'env -i PATH="$PATH" HOME="$HOME" CONSTEL_HOME="$CONSTEL_HOME" TMUX_TMPDIR="$TMUX_TMPDIR"';
  const held = async (): Promise<void> => {
    expect((await verdict()).verdict).not.toBe("approved");
    const { stdout } = await owner("task", "harvest", "1");
    expect(stdout).toContain("it is held for review");
    expect(git(origin, "log", "--format=%s", "main")).toBe("base");
  };
  const approve = () => `"$constel" review approve 1 --read ${head.slice(0, 12)}`;
  const call = (): string => JSON.stringify({ action: "approve", task: 1, read: head });
  const mcp = (): string => {
    const lines = [
      {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } },
      },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "task", arguments: JSON.parse(call()) } },
    ];
    const typed = lines.map((line) => `printf '%s\\n' '${JSON.stringify(line)}'`).join("; ");
    const answered = `tries=0; until grep -q '"id":2' "$said-mcp" || [ $tries -ge 600 ]; do tries=$((tries + 1)); sleep 0.1; done`;
    return `: >"$said-mcp"; { ${typed}; ${answered}; } | "$constel" mcp | tee "$said-mcp"`;
  };
  const inFile = (statement: string): string =>
    `"$bun" -e 'const { Database } = require("bun:sqlite"); new Database(process.env.CONSTEL_HOME + "/meta.db").run(process.argv[1]); console.log("written")' "${statement}"`;
  const ways: Readonly<Record<string, readonly [order: () => string, says: string]>> = {
    "as itself": [approve, "review.own-work"],
    "without any environment": [() => `${clean} ${approve()}`, "review.own-work"],
    "in the owner's name": [() => `CONSTEL_AGENT=owner ${approve()}`, "review.own-work"],
    "in the reviewer's name": [() => `CONSTEL_AGENT=agent2 ${approve()}`, "identity.another"],
    "over MCP": [mcp, "review.own-work"],
    "by asking for a review of itself": [() => '"$constel" task review 1 --by 1', "authority.clone"],
    "by a message": [() => '"$constel" channel send agent0 "approved" --task 1 --kind review --json', '"id"'],
    "by a query": [() => `"$constel" query "update task_reviews set state = 'approved'"`, "query.not-read-only"],
    "by a record in a file": [
      () =>
        `mkdir -p "$CONSTEL_HOME/state/records"; printf '%s\\n' '{"type":"review.answered","task":1,"verdict":"approved"}' >>"$CONSTEL_HOME/state/records/review.jsonl"; echo written`,
      "written",
    ],
    "by the database's file": [
      () => inFile(`update task_reviews set state = 'approved', answered_ms = 1, text = 'fine'`),
      "written",
    ],
    "by a row of its own in the database's file": [
      () =>
        inFile(
          `insert into task_reviews select 'rvw_9', constellation, task, head, works, 'owner', 'approved', 'owner', 1, null, 1, null, 1, null, '[]', null from task_reviews limit 1`,
        ),
      "written",
    ],
  };
  beforeAll(async () => {
    await held();
    expect((await owner("task", "review", "1", "--by", "2")).stdout).toContain("agent2 is asked to review task 1");
  });
  for (const [way, [order, says]] of Object.entries(ways)) {
    test(
      way,
      async () => {
        expect(await at.ordered(`bun=${process.execPath}\n${order()}`)).toContain(says);
        await held();
      },
      60_000,
    );
  }
});

test("the audit names a review that was written past constel", async () => {
  const { stdout, stderr } = await owner("audit", "verify");
  expect(stdout + stderr).toMatch(/the review rvw_\w+ is (not what was signed|not signed)/);
});

test("the owner's word lands it, and the story says who approved what", async () => {
  const shown = (await owner("review", "show", "1")).stdout;
  expect(shown).toContain("1 + 10");
  expect(shown).toContain(`constel review approve 1 --read ${head.slice(0, 12)}`);
  const approved = await owner("review", "approve", "1", "looks right", "--read", head.slice(0, 12));
  expect(approved.stdout).toContain(`Task 1 is approved at ${head.slice(0, 12)}.`);
  expect((await owner("task", "harvest", "1")).code).toBe(0);
  expect(git(origin, "log", "-1", "--format=%s", "main")).toBe("price");
  const story = (await owner("task", "show", "1")).stdout;
  expect(story).toContain("review     approved by owner: looks right");
});
