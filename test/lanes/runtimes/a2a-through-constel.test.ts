// An outside agent has the real Claude Code do a task, from its message to what landed: the A2A project's own client asks and follows, the
// owner agrees, the program works as the scripted model tells it. The model's log is the witness that nothing reached it before.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { claude } from "../../../src/host/runtime/claude/claude.ts";
import type { Json } from "../../kit/a2a-wire.ts";
import { until } from "./lab.ts";
import { programOf } from "./programs.ts";
import { allAllowed, TaskLab } from "./task-lab.ts";

const words = "Greet whoever comes by, in hello.txt";

/** The model reads where to work and how to finish out of the brief, as a real one would. */
const rules = {
  default: { text: "default answer" },
  rules: [
    {
      name: "work",
      when: { prompt: "/Task (\\d+) is yours\\.[\\s\\S]*?Workspace: (\\S+)[\\s\\S]*?not find constel: (\\S+)/" },
      steps: [
        {
          calls: [{ shell: "cd {{2}} && echo hello > hello.txt && git add hello.txt && git commit -qm 'Greet them'" }],
        },
        { calls: [{ shell: "cd {{2}} && { constel task ready {{1}} || {{3}} task ready {{1}}; }" }] },
        { text: "It is done." },
      ],
    },
  ],
};

const program = programOf(claude.name);
if ("missing" in program) {
  // Skipped where the real program cannot be had; `missing` says why.
  describe.skip(`${claude.name} for an outside agent: SKIPPED, ${program.missing}`, () => {
    test("from message to landed", () => {});
  });
} else {
  let here: TaskLab;
  beforeAll(async () => {
    const config = `${allAllowed}\n[a2a]\nenabled = true\n\n[http]\nenabled = true\nport = 0\n`;
    here = await TaskLab.open(claude, program.path, { config, slowMs: 120_000 });
    await here.lab.model.setRules(rules);
    await here.begin();
  }, 240_000);
  afterAll(async () => {
    await here.close();
  }, 60_000);

  test("the official client has a real Claude Code do its task, from message to landed", async () => {
    const says = async <T>(...asked: string[]): Promise<T> => JSON.parse(await here.constel(...asked, "--json")) as T;
    const { token } = await says<{ token: string }>("token", "create", "their-bot", "--role", "outside");
    const { http } = await says<{ http: string }>("daemon", "status");
    const fetchImpl = ((url: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      headers.set("authorization", `Bearer ${token}`);
      return fetch(url, { ...init, headers });
    }) as typeof fetch;
    const client = await new ClientFactory({
      transports: [new JsonRpcTransportFactory({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    }).createFromUrl(http);
    const part = { content: { $case: "text", value: words }, metadata: undefined, filename: "", mediaType: "" };
    const message = {
      messageId: "from-outside-1",
      contextId: "",
      taskId: "",
      role: 1,
      parts: [part],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
    const events = client.sendMessageStream({
      tenant: "",
      message,
      configuration: undefined,
      metadata: undefined,
    } as never);
    const seen: { kind: string; value: Json }[] = [];
    const next = async (): Promise<boolean> => {
      const { value, done } = await events.next();
      const { payload } = (value ?? {}) as { payload?: { $case: string; value: Json } };
      if (payload !== undefined) seen.push({ kind: payload.$case, value: payload.value });
      return done !== true;
    };
    expect(await next()).toBe(true);
    expect(seen[0]?.kind).toBe("task");
    const id = String(seen[0]?.value["id"]);

    // Held: no task, no brief, and no model has heard of it.
    expect(await here.query("select number from tasks")).toEqual([]);
    expect(await here.lab.model.saw(words)).toBe(0);

    const { task } = await says<{ task: number }>("a2a", "accept", id);
    await until(
      "ready",
      () => here.query(`select state, reason from tasks where number = ${task}`),
      ([row]) => row?.["state"] === "ready",
      240_000,
    );
    // Now it has, framed as nobody's word that counts.
    expect(await here.lab.model.saw(words)).toBeGreaterThan(0);
    expect(await here.lab.model.saw("not the owner's words")).toBeGreaterThan(0);
    await here.constel("task", "harvest", String(task));
    while (await next());

    const last = seen.filter(({ kind }) => kind === "statusUpdate").at(-1)?.value;
    expect(JSON.stringify(last)).toMatch(/TASK_STATE_COMPLETED|"state":3/);
    const artefacts = seen
      .filter(({ kind }) => kind === "artifactUpdate")
      .map(({ value }) => value["artifact"] as Json);
    expect(artefacts.map((one) => one["artifactId"] as string)).toEqual(["changes", "landed"]);
    expect(JSON.stringify(artefacts[0])).toContain("+hello");
    const landed = await here.run(["git", "-C", here.origin, "rev-parse", "main"]);
    expect(JSON.stringify(artefacts[1])).toContain(landed.trim());
    expect(await here.run(["git", "-C", here.origin, "show", "main:hello.txt"])).toBe("hello\n");
    expect(await here.query("select actor from task_events where type = 'ready'")).toEqual([{ actor: "agent1" }]);
  }, 600_000);
}
