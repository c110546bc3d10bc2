// The day of a pull request with the real Claude Code on the scripted model: opened, a reviewer asks for a change on the forge
// double, the program mends it through its own shell, the reviewer approves, and it is merged and landed. Nobody types anything
// in between.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claude } from "../../../src/host/runtime/claude/claude.ts";
import { ForgeDouble, token } from "../../kit/forge/double.ts";
import { until } from "./lab.ts";
import { programOf } from "./programs.ts";
import { allAllowed, TaskLab } from "./task-lab.ts";

/** The model reads where to work and how to finish out of the message, as a real one would. */
const where = "[\\s\\S]*?Workspace: (\\S+)[\\s\\S]*?not find constel: (\\S+)/";
const rules = {
  default: { text: "default answer" },
  rules: [
    {
      name: "mend",
      when: { prompt: `/The pull request of task (\\d+) is not done[\\s\\S]*?\\| say (\\w+) instead${where}` },
      steps: [
        { calls: [{ shell: "cd {{3}} && echo {{2}} > hello.txt && git commit -qam 'Say {{2}}'" }] },
        { calls: [{ shell: "cd {{3}} && { constel task ready {{1}} || {{4}} task ready {{1}}; }" }] },
        { text: "It is mended." },
      ],
    },
    {
      name: "work",
      when: { prompt: `/Task (\\d+) is yours\\.${where}` },
      steps: [
        { calls: [{ shell: "cd {{2}} && echo hello > hello.txt && git add hello.txt && git commit -qm 'Say hello'" }] },
        { calls: [{ shell: "cd {{2}} && { constel task ready {{1}} || {{3}} task ready {{1}}; }" }] },
        { text: "It is done." },
      ],
    },
  ],
};

/** The environments of all processes that belong to this home. */
function processesOf(home: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
        return environment.includes(`CONSTEL_HOME=${home}`) ? [environment] : [];
      } catch {
        return []; // it has ended
      }
    });
}

const program = programOf(claude.name);
const isMissing = "missing" in program;
// Skipped where the real program cannot be had: there is nothing to drive then.
const describeOrSkip = isMissing ? describe.skip : describe;

describeOrSkip(`a pull request of the real claude${isMissing ? `: SKIPPED, ${program.missing}` : ""}`, () => {
  let here: TaskLab;
  let double: ForgeDouble;

  beforeAll(async () => {
    if (isMissing) return;
    const files = { "constel.toml": '[gate]\ncommand = "test -e hello.txt"\n[land]\nby = "pull-request"\n' };
    here = await TaskLab.open(claude, program.path, { config: allAllowed, files });
    const { lab } = here;
    double = new ForgeDouble(join(lab.directory, "forge"));
    await here.run(["git", "push", "-q", double.model.bare, "main"]);
    await here.run(["git", "remote", "set-url", "origin", double.origin]);
    double.model.protect();
    double.model.rules.reviews = 1;
    const file = join(lab.directory, "token");
    writeFileSync(file, token, { mode: 0o600 });
    const forge = `[[forge.hosts]]\nhost = "${double.host}"\nkind = "github"\napi = "${double.api("github")}"\ntoken_file = "${file}"\n`;
    writeFileSync(join(lab.constel, "config.toml"), `${allAllowed}${forge}`);
    await lab.model.setRules(rules);
    await here.begin();
  }, 180_000);
  afterAll(async () => {
    await here.close();
    await double.close();
  }, 60_000);

  test("a review on the forge is mended by the program and merged, with nobody typing", async () => {
    const { model } = double;
    await here.constel("task", "create", "Say hello");
    await here.constel("task", "dispatch", "1", "--no-wait");
    const state = async (): Promise<unknown> => (await here.query("select state from tasks"))[0]?.["state"];
    await until("ready", state, (now) => now === "ready", 120_000);
    await here.constel("task", "harvest", "1");
    const pull = await until(
      "opened",
      () => Promise.resolve(model.pull(1)),
      (one) => one !== undefined,
      60_000,
    );
    if (pull === undefined) throw new Error("it was not opened");
    const first = model.headOf(pull);
    model.check(first, "build", "green");
    model.say({ pull: 1, kind: "review", author: "mona", text: "say goodbye instead", verdict: "CHANGES_REQUESTED" });
    await until(
      "mended",
      () => Promise.resolve(model.headOf(pull)),
      (head) => head !== first,
      180_000,
    );
    expect(model.git("show", `${model.headOf(pull)}:hello.txt`)).toBe("goodbye\n");
    model.check(model.headOf(pull), "build", "green");
    model.say({ pull: 1, kind: "review", author: "mona", text: "", verdict: "APPROVED" });
    await until("landed", state, (now) => now === "closed", 120_000);
    expect(model.onMain("hello.txt")).toBe("goodbye\n");
    expect(model.pulls.map((one) => one.state)).toEqual(["merged"]);
    const dispatches = await here.query("select agent, about is null as first from dispatches order by asked_ms");
    expect(dispatches.map(({ agent }) => agent)).toEqual(["agent1", "agent1"]);
    // No process of the lab has anything of the token, the program's own least of all.
    expect(processesOf(here.lab.constel).length).toBeGreaterThan(0);
    expect(processesOf(here.lab.constel).filter((environment) => environment.includes(token))).toEqual([]);
  }, 600_000);
});
