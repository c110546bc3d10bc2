// On a phone, the owner answers the real Claude Code, which waits: from the list of what needs them in at most three taps, and the scripted
// model's own log shows that the agent went on.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { claude } from "../../../src/host/runtime/claude/claude.ts";
import { projectTop, until } from "../../kit/home.ts";
import { programOf } from "../runtimes/programs.ts";
import { TaskLab } from "../runtimes/task-lab.ts";
import { type Looking, phone, WindowBrowser } from "./browser.ts";
import type { WindowHome } from "./demo-home.ts";

const slowMs = 90_000;
const program = programOf(claude.name);
const rules = {
  default: { text: "default answer" },
  rules: [
    {
      name: "outside",
      when: { prompt: "/please make (\\S+)/" },
      steps: [{ calls: [{ shell: "git status && touch {{1}}" }] }, { text: "heard: {{result}}" }],
    },
  ],
};

if ("missing" in program) {
  // Skipped where the real program cannot be had; `missing` says why. There is nobody to answer then.
  describe.skip(`a phone answers Claude Code: SKIPPED, ${program.missing}`, () => {
    test("an approval", () => {});
  });
} else {
  let here: TaskLab;
  let browser: WindowBrowser;
  let looking: Looking;
  let taps = 0;

  beforeAll(async () => {
    here = await TaskLab.open(claude, program.path, { config: "[http]\nenabled = true\nport = 0\n", slowMs });
    await here.lab.model.setRules(rules);
    await here.begin();
    browser = await WindowBrowser.open();
    looking = await browser.look(asHome(here), { size: phone, theme: "dark" });
  }, slowMs * 2);
  afterAll(async () => {
    await browser.close();
    await here.close();
  }, 60_000);

  const tap = async (name: string): Promise<void> => {
    taps += 1;
    await looking.page.locator("main").getByRole("button", { name, exact: true }).first().tap();
  };
  const asks = (path: string) => here.constel("channel", "send", "agent1", `please make ${path}`, "--kind", "brief");
  const modelHeard = (text: string) =>
    until(
      `the model heard ${text}`,
      () => here.lab.model.saw(text),
      (count) => count > 0,
    );

  describe("a phone answers Claude Code", () => {
    for (const [button, says] of [
      ["Allow once", undefined],
      ["Deny", "The owner denied it"],
    ] as const) {
      test(
        button,
        async () => {
          const outside = join(here.lab.directory, button.replace(" ", "-"));
          await asks(outside);
          const article = looking.page.getByRole("article", {
            name: new RegExp(`asks to run git status && touch ${outside}`),
          });
          await article.waitFor({ timeout: slowMs });
          // The exact command, where, and until when.
          expect(await article.locator("pre").textContent()).toBe(`git status && touch ${outside}`);
          expect(await article.textContent()).toMatch(/in \/.*ends in \d/);
          taps = 0;
          await tap(button);
          await article.waitFor({ state: "detached" });
          expect(taps).toBeLessThanOrEqual(3);
          // The agent went on: what came of the call is in the model's next request.
          if (says === undefined) {
            await modelHeard("nothing to commit");
            await until("the command ran", () => existsSync(outside), Boolean);
          } else {
            await modelHeard(says);
            expect(existsSync(outside)).toBe(false);
          }
          await here.becomes("idle");
          expect(looking.problems).toEqual([]);
        },
        slowMs * 2,
      );
    }
  });
}

/** The lab, as the tests of the window ask a home. */
function asHome(lab: TaskLab): WindowHome {
  const command = join(projectTop, "bin/constel");
  return {
    home: lab.lab.constel,
    daemonPid: undefined,
    async constel(words) {
      const { code, out, err } = await lab.tried([command, ...words]);
      return { code, stdout: out, stderr: err };
    },
    json: async (words) => JSON.parse((await lab.tried([command, ...words, "--json"])).out),
  };
}
