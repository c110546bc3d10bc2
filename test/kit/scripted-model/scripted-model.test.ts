// The server itself: holds, errors, cut connections, the control paths and the log.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../directory.ts";
import { type ScriptedModel, startScriptedModel } from "./scripted-model.ts";

const rules = {
  default: { text: "default" },
  vars: { who: "nobody" },
  rules: [
    { name: "hold", when: { prompt: "/hold (\\w+)/" }, reply: { text: "held {{1}}", hold: "{{1}}" } },
    { name: "once", when: { prompt: "once" }, times: 1, reply: { text: "first" } },
    { name: "drop", when: { prompt: "drop" }, reply: { drop: true } },
    {
      name: "error",
      when: { prompt: "/error (\\d+)/" },
      reply: { error: { status: "{{1}}", headers: { "retry-after": "7" } } },
    },
    { name: "slow", when: { prompt: "slow" }, reply: { text: "x".repeat(90), delay_ms: 1, chunk_ms: 1 } },
    {
      name: "all",
      when: { prompt: "/fill (.*)/" },
      reply: { text: "{{1}}|{{2}}|{{prompt}}|{{session}}|{{model}}|{{api}}|{{step}}|{{vars.who}}|{{cwd}}" },
    },
    { name: "impossible", when: { prompt: "edit" }, reply: { calls: [{ edit: "/a", old: "b", new: "c" }] } },
  ],
};

let model: ScriptedModel;
beforeEach(async () => {
  model = await startScriptedModel({ rules, vars: { who: "Ada" } });
});
afterEach(() => model.close());

const send = (content: string, stream = false, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${model.url}/v1/chat/completions`, {
    method: "POST",
    headers,
    body: JSON.stringify({ model: "one", stream, messages: [{ role: "user", content }] }),
  });
const said = async (response: Promise<Response>): Promise<string> => {
  const body = (await (await response).json()) as { choices: { message: { content: string } }[] };
  return body.choices[0]?.message.content ?? "";
};
const control = (method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`${model.url}${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
const holds = async (): Promise<unknown> => (await control("GET", "/__holds")).json();

async function until(look: () => Promise<boolean>): Promise<void> {
  while (!(await look())) await new Promise((resolve) => setImmediate(resolve));
}

describe("an answer", () => {
  test("is held until it is released, and the request is in the log meanwhile", async () => {
    const held = said(send("hold gate"));
    await until(async () => JSON.stringify(await holds()) === '["gate"]');
    expect(model.requests.at(-1)).toMatchObject({ rule: "hold", reply: { hold: "gate" } });
    await control("POST", "/__release", { hold: "gate" });
    expect(await held).toBe("held gate");
    expect(await holds()).toEqual([]);
  });

  test("that was released before is not held, until a reset", async () => {
    model.release("gate");
    expect(await said(send("hold gate"))).toBe("held gate");
    await control("POST", "/__reset");
    expect(model.requests).toEqual([]);
    const held = said(send("hold gate"));
    await until(async () => JSON.stringify(await holds()) === '["gate"]');
    model.release("gate");
    expect(await held).toBe("held gate");
  });

  test("is no longer held when its client has gone", async () => {
    const leaving = new AbortController();
    const request = fetch(`${model.url}/v1/chat/completions`, {
      method: "POST",
      signal: leaving.signal,
      body: JSON.stringify({ model: "one", messages: [{ role: "user", content: "hold gate" }] }),
    });
    await until(async () => JSON.stringify(await holds()) === '["gate"]');
    leaving.abort();
    expect(await request.catch((cause: Error) => cause.name)).toBe("AbortError");
    await until(async () => JSON.stringify(await holds()) === "[]");
  });

  test("is given as often as its rule says, and again after a reset", async () => {
    const texts = [await said(send("once")), await said(send("once"))];
    model.reset();
    expect([...texts, await said(send("once"))]).toEqual(["first", "default", "first"]);
  });

  test("may be a cut connection", async () => {
    const outcome = await send("drop").then(
      () => "answered",
      () => "cut",
    );
    expect(outcome).toBe("cut");
    expect(await said(send("hello"))).toBe("default");
  });

  test("may be an error with headers, its number from the prompt", async () => {
    const response = await send("error 529");
    expect([response.status, response.headers.get("retry-after")]).toEqual([529, "7"]);
    expect(await response.json()).toMatchObject({ error: { type: "api_error", message: "scripted failure" } });
  });

  test("comes piece by piece when it is to be slow", async () => {
    const text = await (await send("slow", true)).text();
    expect(text.split("\n\n").filter((record) => record.includes('"content":"x')).length).toBe(3);
  });

  test("is filled from the situation", async () => {
    expect(await said(send("fill $1 in", false, { "x-session-id": "s" }))).toBe("$1 in||fill $1 in|s|one|chat|1|Ada|");
  });

  test("that cannot be made is an error that says why, here and in the log", async () => {
    const response = await send("edit");
    expect(response.status).toBe(500);
    expect(await response.text()).toContain("no tool for");
    expect(model.requests.at(-1)?.problem).toContain("no tool for");
  });
});

describe("control", () => {
  test("tells that it is ready, and what it received", async () => {
    expect((await control("GET", "/__health")).status).toBe(200);
    await send("hello");
    const requests = (await (await control("GET", "/__requests")).json()) as unknown[];
    expect(requests).toMatchObject([{ n: 1, api: "chat", prompt: "hello", rule: null, reply: { text: "default" } }]);
  });

  test("replaces the rules, and keeps those it has when the new ones are not understood", async () => {
    const bad = await control("PUT", "/__rules", { rules: [{ when: { promt: "x" }, reply: {} }] });
    expect([bad.status, await bad.text()]).toEqual([400, expect.stringMatching(/promt.+ is not known/)]);
    expect(await said(send("hello"))).toBe("default");
    await control("PUT", "/__rules", { default: { text: "new" } });
    expect(await said(send("hello"))).toBe("new");
  });

  test("has nothing elsewhere", async () => {
    expect((await control("GET", "/__nothing")).status).toBe(404);
    expect((await control("GET", "/v1/models")).status).toBe(404);
    expect(model.requests.at(-1)).toMatchObject({ path: "/v1/models" });
    expect(model.requests.at(-1)?.api).toBeUndefined();
  });
});

test("from the command line it reads a rules file, says where it is, and writes the log without bodies or keys", async () => {
  using directory = temporaryDirectory("scripted-model");
  const [file, log] = [join(directory.path, "rules.json"), join(directory.path, "log.jsonl")];
  writeFileSync(file, JSON.stringify({ default: { text: "for {{vars.who}}" }, vars: { who: "x" } }));
  const words = ["--rules", file, "--log", log, "--var", "who=a=b", "--light"];
  const command = [process.execPath, "--no-env-file", "--config=/dev/null", join(import.meta.dir, "run.ts"), ...words];
  const child = Bun.spawn(command, { stdout: "pipe" });
  const line = await child.stdout.getReader().read();
  const { url, pid } = JSON.parse(new TextDecoder().decode(line.value)) as { url: string; pid: number };
  expect(pid).toBe(child.pid);
  const body = JSON.stringify({ model: "one", messages: [{ role: "user", content: "hello" }] });
  const headers = { authorization: "Bearer secret-key" };
  expect(await said(fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body }))).toBe("for a=b");
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  const text = readFileSync(log, "utf8");
  const entry = JSON.parse(text) as Record<string, unknown>;
  expect(entry).toMatchObject({ n: 1, api: "chat", prompt: "hello", auth: "-key" });
  expect("body" in entry).toBe(false);
  expect(text).not.toContain("secret");
});
