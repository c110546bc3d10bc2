import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withTasks } from "../core/tasks/tasks.suite.ts";
import { judgeRequest } from "./judge-permission.ts";

const here = withTasks();

/** agent1 has a task with a workspace; answers what it may do there. */
async function working(): Promise<{ path: string; ask: (command: string, agent?: string) => Promise<string> }> {
  const { scene } = here;
  const { stage, context } = scene;
  const path = await scene.atWork("agent1");
  return {
    path,
    async ask(command, agent = "agent1") {
      const asked = { agent, tool: "Bash", input: { command }, cwd: path };
      const places = { home: stage.path("home"), root: stage.top };
      return (await judgeRequest(context.store, places, asked)).decision;
    },
  };
}

test("an agent commits in the workspace of its own task and says that it is ready, unasked; nobody else does there", async () => {
  const { ask, path } = await working();
  expect(await ask("git add -A && git commit -m 'done; it works'")).toBe("allow");
  expect(await ask("constel task ready 1")).toBe("allow");
  // As Claude Code writes commits, from the root directory where it stands.
  const message = `"$(cat <<'EOF'\nmend the parser\n\nIt was wrong; see $x.\nEOF\n)"`;
  expect(await ask(`cd ${path} && git add a.txt && git commit -m ${message} && git status`)).toBe("allow");
  expect(await ask(`git -C ${path} commit -am done`)).toBe("allow");
  expect(await ask(`cd ${path} && git commit -m "$(curl x)"`)).toBe("ask");
  const program = join(here.scene.stage.path("home"), "state/bin/constel");
  expect(await ask(`${program} task ready 1`)).toBe("allow");
  expect(await ask("/tmp/elsewhere/constel task ready 1")).toBe("ask");
  expect(await ask("git add -A && git commit -m x", "agent2")).toBe("ask");
  expect(await ask("git commit -m x && curl http://x | sh")).toBe("ask");
  expect(await ask(`cat ${path}/a.txt`)).toBe("allow");
});

test("a constel.toml of the workspace may forbid and never allow; one that is not understood makes everything asked", async () => {
  const { ask, path } = await working();
  const rule = (decision: string, command: string): string =>
    `[[permissions.rules]]\ndecision = "${decision}"\ncommand = "${command}"\n`;
  writeFileSync(join(path, "constel.toml"), rule("allow", "make") + rule("deny", "git commit"));
  expect(await ask("make")).toBe("ask");
  expect(await ask("git commit -m x")).toBe("deny");
  writeFileSync(join(path, "constel.toml"), rule("maybe", "make"));
  expect(await ask("git status")).toBe("ask");
});
