import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withTasks } from "../core/tasks/tasks.suite.ts";
import { AgentPlaces } from "../daemon/notices/lay-places.ts";
import { TrustedDirectory } from "../files/trusted-directory.ts";
import { launchFile } from "../ports/agent-launch.ts";
import { judgeForHook } from "./judge-for-hook.ts";

const here = withTasks();

test.each([false, true])(
  "what a rule forbids stays forbidden while its file cannot be understood (confined: %p)",
  async (confined) => {
    const { scene } = here;
    const { stage, context } = scene;
    const cwd = await scene.atWork("agent1");
    const home = stage.path("home");
    TrustedDirectory.open(home, "state/agents", { create: true }).close();
    writeFileSync(join(home, launchFile("agent1")), "{}");
    const config = join(home, "config.toml");
    const rule = (decision: string, command: string): string =>
      `[[permissions.rules]]\ndecision = "${decision}"\ncommand = "${command}"\n`;
    const settings = { home, root: stage.top };
    const judged = async (command: string, onlyForbidding = true): Promise<string> => {
      const asked = { agent: "agent1", tool: "Bash", input: { command }, cwd };
      return (await judgeForHook({ home, asked, confined, onlyForbidding }))?.decision ?? "nothing said";
    };
    writeFileSync(config, rule("deny", "make deploy") + rule("allow", "make"));
    await new AgentPlaces(settings).lay(context.store);
    const asUsual = [await judged("make deploy"), await judged("make test"), await judged("make test", false)];
    expect(asUsual[0]).toBe("deny");
    expect(asUsual[2]).toBe("allow");
    for (const broken of ["[[permissions.rules]\n", rule("perhaps", "make"), "\0"]) {
      writeFileSync(config, broken);
      // Before the daemon has seen it, after, and after a daemon that never understood the file.
      for (const places of [undefined, new AgentPlaces(settings), new AgentPlaces(settings)]) {
        await places?.lay(context.store);
        expect([broken, await judged("make deploy")]).toEqual([broken, "deny"]);
        // Commands that the file allowed are asked about, once the file is known to be broken.
        if (!confined || places !== undefined)
          expect([broken, await judged("make test", false)]).toEqual([broken, "ask"]);
      }
    }
    writeFileSync(config, "");
    await new AgentPlaces(settings).lay(context.store);
    expect(await judged("make deploy")).not.toBe("deny");
  },
);
