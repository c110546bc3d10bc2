// The real programs driven over a pipe: delivered means that the model saw it, permissions are answered from elsewhere, the daemon's death ends
// no turn, and a restarted holder goes on with the conversation. The model's own log is the witness.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runtimes } from "../../../src/host/runtime/all.ts";
import { readLaunch } from "../../../src/floor/agents/launch-files.ts";
import { until } from "./lab.ts";
import { programOf } from "./programs.ts";
import { TaskLab } from "./task-lab.ts";

const top = join(import.meta.dir, "..", "..", "..");
const escalated = { sandbox_permissions: "require_escalated", justification: "scripted" };

const rules = (isCodex: boolean) => ({
  default: { text: "default answer" },
  rules: [
    // It quotes the last screen, and with it what the other rules listen for.
    { name: "handoff", when: { prompt: "agentticker" }, reply: { text: "going on" } },
    {
      name: "outside",
      when: { prompt: "/please make (\\S+)/" },
      steps: [
        { calls: [isCodex ? { shell: "touch {{1}}", input: escalated } : { shell: "touch {{1}}" }] },
        { text: "heard: {{result}}" },
      ],
    },
    { name: "held", when: { prompt: "take your time" }, reply: { text: "that took a while", hold: "while" } },
  ],
});

// These start slowly, so they run only in `bin/check --all`.
const isWhole = process.env["CONSTEL_CHECK_ALL"] === "yes";
const names = ["claude", "codex", ...(isWhole ? ["opencode", "qwen", "kimi"] : [])];

for (const runtime of runtimes.filter(({ name }) => names.includes(name))) {
  const { name } = runtime;
  const program = programOf(name);
  if ("missing" in program) {
    // Skipped where the real program cannot be had; `missing` says why. There is nothing to drive then.
    describe.skip(`${name}: SKIPPED, ${program.missing}`, () => {
      test("driven over a pipe", () => {});
    });
    continue;
  }

  describe(`${name} driven over a pipe`, () => {
    const slowMs = isWhole ? 240_000 : 60_000;
    let here: TaskLab;
    const send = async (text: string): Promise<string> => {
      const said = await here.constel("channel", "send", "agent1", text, "--json");
      return (JSON.parse(said) as { id: string }).id;
    };
    const messages = (id: string) =>
      here.query(`select state, evidence from messages where message_id = '${id}' and receiver = 'agent1'`);
    const delivered = (id: string) =>
      until(
        `${id} is delivered`,
        () => messages(id),
        ([row]) => row?.["state"] === "delivered",
        slowMs,
      );
    const waiting = () =>
      until(
        "a request waits",
        () => here.says<{ approvals: { id: string; asked: string }[] }>("approvals", "ls"),
        ({ approvals }) => approvals.length > 0,
        slowMs,
      ).then(({ approvals: [first] }) => first ?? { id: "", asked: "" });

    beforeAll(async () => {
      here = await TaskLab.open(runtime, program.path, { slowMs });
      await here.lab.model.setRules(rules(name === "codex"));
      await here.constel("daemon", "start");
      await here.constel("agent", "1", "--type", name, "--driven");
      await here.becomes("idle");
    }, slowMs * 2);
    afterAll(() => here.close(), 60_000);

    test(
      "what it asks waits by its exact command; denied it is not done, allowed it is",
      async () => {
        const outside = join(here.lab.directory, "outside");
        const id = await send(`please make ${outside}`);
        const first = await waiting();
        expect(first.asked).toBe(`touch ${outside}`);
        await here.becomes("waiting-permission");
        await here.constel("approvals", "deny", first.id.slice(-6), "not", "outside");
        await here.becomes("idle");
        expect(existsSync(outside)).toBe(false);
        await delivered(id);
        expect(await here.lab.model.saw(id)).toBeGreaterThan(0);

        await send(`please make ${outside}`);
        await here.constel("approvals", "allow", (await waiting()).id.slice(-6));
        await until(
          "it was done",
          () => Promise.resolve(existsSync(outside)),
          (done) => done,
          slowMs,
        );
        await here.becomes("idle");
      },
      slowMs * 2,
    );

    test(
      "a message is not delivered before the model answers it; the daemon's death ends no turn",
      async () => {
        const id = await send("take your time");
        await until(
          "the model has it",
          () => here.lab.model.saw(id),
          (count) => count > 0,
          slowMs,
        );
        expect((await messages(id))[0]?.["state"]).not.toBe("delivered");
        const { pid } = await here.says<{ pid: number }>("daemon", "status");
        process.kill(pid, "SIGKILL");
        await here.lab.model.release("while");
        await here.constel("daemon", "start");
        await delivered(id);
        await here.becomes("idle");
        const asked = (await here.lab.model.requests()).filter(({ side }) => !side);
        const held = asked.filter(({ rule }) => rule === "held");
        expect(held.length).toBe(1);
      },
      slowMs * 2,
    );

    test(
      "a holder that is killed comes back with its conversation",
      async () => {
        const leader = readLaunch(here.lab.constel, "agent1")?.leader?.pid ?? 0;
        const before = await here.query("select session_id from agents where agent = 'agent1'");
        process.kill(leader, "SIGKILL");
        // No ticker runs in the lab.
        await here.tried([join(top, "bin/constel"), "watchdog", "tick"]);
        await until(
          "another holder",
          () => Promise.resolve(readLaunch(here.lab.constel, "agent1")?.leader?.pid),
          (pid) => pid !== undefined && pid !== leader,
          slowMs,
        );
        await here.becomes("idle");
        const id = await send("are you there?");
        await delivered(id);
        expect(await here.query("select session_id from agents where agent = 'agent1'")).toEqual(before);
        const last = (await here.lab.model.requests()).findLast(({ side }) => !side);
        expect(JSON.stringify(last?.body)).toContain("take your time");
      },
      slowMs * 3,
    );
  });
}
