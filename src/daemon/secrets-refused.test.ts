// Secrets in what others will read, at the one place that every door passes.

import { expect, test } from "bun:test";
import { scanText } from "../host/secrets/shapes.ts";
import { type Asker, askerNamed } from "../protocol/authority.ts";
import { operations } from "../protocol/operations/all.ts";
import { makeFetch, type ServeParts } from "./serve.ts";

// Put together at run time: a scanner of this repository should find no key in it.
const random = ["Zx81", "QpLm", "77tY", "vB2n", "K0sD", "9fGh", "J3wE", "Qq7r", "Tt5u"].join("");
const secrets: Readonly<Record<string, string>> = {
  github: `ghp_${random}`,
  aws: `AKIA${"Q7".repeat(8)}`,
  "private key": `-----BEGIN OPENSSH PRIVATE ${"KEY"}-----\nabc`,
  address: `postgres://admin:${random}@db.example.org/x`,
  bearer: `Authorization: Bearer ${random}`,
  slack: `xoxb-${"1".repeat(12)}-${random}`,
  "json web token": `eyJ${random}.eyJ${random}.${random}`,
  own: `constel_${"a1B2".repeat(10)}abc`,
};

function door() {
  const done: string[] = [];
  const events: { type: string; actor: string; data: unknown }[] = [];
  const fetch = makeFetch({
    handlers: Object.fromEntries(Object.keys(operations).map((name) => [name, async () => (done.push(name), {})])),
    contextFor: ({ name: actor }: Asker) => ({ actor }),
    store: {
      write: async (job: (tx: object) => unknown) =>
        job({ record: (event: (typeof events)[number]) => void events.push(event) }),
    },
    findSecrets: scanText,
    version: "0",
    log: () => {},
    stopping: new AbortController().signal,
  } as unknown as ServeParts);
  const ask = async (name: string, input: object, actor = "owner") => {
    const request = new Request(`http://constel/op/${name}`, { method: "POST", body: JSON.stringify(input) });
    return await (await fetch(request, () => askerNamed(actor))).text();
  };
  return { ask, done, events };
}

const inputs: Readonly<Record<string, (text: string) => object>> = {
  "timeline.announce": (text) => ({ text }),
  "task.create": (text) => ({ title: "x", directive: text, root: "/r" }),
  "task.update": (text) => ({ task: 1, title: text.replaceAll("\n", " ") }),
  "task.cancel": (reason) => ({ task: 1, reason }),
  "task.import": (directive) => ({ root: "/r", tasks: [{ key: "k", title: "x", directive }] }),
  "finding.dismiss": (reason) => ({ id: "f", reason }),
};

test("every operation that speaks refuses every kind, with kind and place and without the secret", async () => {
  const { ask, done } = door();
  for (const [operation, input] of Object.entries(inputs)) {
    for (const [kind, secret] of Object.entries(secrets)) {
      const said = await ask(operation, input(`first line\nuse ${secret} here`));
      expect([operation, kind, said]).toEqual([operation, kind, expect.stringContaining('"secret.found"')]);
      expect(said).toMatch(/"line":[12]/);
      expect(said).not.toContain(random);
    }
  }
  expect(done).toEqual([]);
});

test("plain words pass, long names and commit ids among them", async () => {
  const { ask, done } = door();
  const plain = [
    "add a password reset flow",
    "see src/doors/cli/commands/channel-2.test.ts and commit 4257158aa0b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5",
    "msg_01m7h6vtsxvjhrwhd268pmbrng arrived; the token in state/agents/agent12.json is a fencing token",
    "http://127.0.0.1:8080/x?y=1 and user@example.org",
  ];
  for (const text of plain) await ask("timeline.announce", { text });
  expect(done).toHaveLength(plain.length);
});

test("only the owner lets one pass, and that is recorded without the secret", async () => {
  const { ask, done, events } = door();
  const input = { text: `use ${secrets["github"]}`, allow_secret: true };
  for (const actor of ["agent0", "agent1", "human:ann"])
    expect(await ask("timeline.announce", input, actor)).toContain("secret.found");
  await ask("timeline.announce", input);
  expect(done).toEqual(["timeline.announce"]);
  expect(events).toMatchObject([{ type: "secret.allowed", actor: "owner", data: { operation: "timeline.announce" } }]);
  expect(JSON.stringify(events)).not.toContain(random);
});
