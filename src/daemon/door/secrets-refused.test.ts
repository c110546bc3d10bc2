// Secrets in what others will read, at the one place that every door passes.

import { expect, test } from "bun:test";
import { scanText } from "../../host/secrets/shapes.ts";
import { type Asker, askerNamed } from "../../protocol/authority.ts";
import type { Operation } from "../../protocol/operation.ts";
import { type SecretModeOf, surfaceOf } from "../../protocol/secret-surfaces.ts";
import { warningHeader } from "../../protocol/wire.ts";
import { operations } from "../../protocol/operations/all.ts";
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
  "google oauth": `ya29.a0AfH6${random}`,
  azure: `Account${"Key="}${random}${random}==`,
  password: `pass${"word: "}hunter2-${random.slice(0, 4)}`,
  "named key": `api_${"key = "}${random}`,
  own: `constel_${"a1B2".repeat(10)}abc`,
};

function door(secretMode?: SecretModeOf) {
  const done: string[] = [];
  const warnings: (string | null)[] = [];
  const events: { type: string; actor: string; data: unknown }[] = [];
  const fetch = makeFetch({
    handlers: Object.fromEntries(Object.keys(operations).map((name) => [name, async () => (done.push(name), {})])),
    contextFor: ({ name: actor }: Asker) => ({ actor }),
    store: {
      write: async (job: (tx: object) => unknown) =>
        job({ record: (event: (typeof events)[number]) => void events.push(event) }),
    },
    findSecrets: scanText,
    secretMode,
    version: "0",
    log: () => {},
    stopping: new AbortController().signal,
  } as unknown as ServeParts);
  const ask = async (name: string, input: object, actor = "owner") => {
    const request = new Request(`http://constel/op/${name}`, { method: "POST", body: JSON.stringify(input) });
    const response = await fetch(request, () => askerNamed(actor));
    warnings.push(response.headers.get(warningHeader));
    return await response.text();
  };
  return { ask, done, events, warnings };
}

/** For each field that an operation names, an input that is good but for what it holds there. */
const inputs: Readonly<Record<string, Readonly<Record<string, (text: string) => object>>>> = {
  "timeline.announce": { text: (text) => ({ text }) },
  "task.create": {
    title: (text) => ({ title: inline(text), root: "/r" }),
    directive: (directive) => ({ title: "x", directive, root: "/r" }),
    accept: (text) => ({ title: "x", root: "/r", accept: ["true", text] }),
  },
  "task.dispatch": {
    title: (text) => ({ title: inline(text), root: "/r" }),
    directive: (directive) => ({ title: "x", directive, root: "/r" }),
    accept: (text) => ({ title: "x", root: "/r", accept: [text] }),
  },
  "task.ready": { evidence: (text) => ({ task: 1, evidence: inline(text) }) },
  "artefact.add": {
    content_base64: (text) => ({ task: 1, name: "x.txt", content_base64: Buffer.from(text).toString("base64") }),
  },
  "task.update": {
    title: (text) => ({ task: 1, title: inline(text) }),
    directive: (directive) => ({ task: 1, directive }),
    accept: (text) => ({ task: 1, accept: [text] }),
  },
  "review.ask": { note: (note) => ({ task: 1, note }) },
  "review.answer": {
    text: (text) => ({ task: 1, verdict: "changes", read: "0123456", text }),
    comments: (text) => ({ task: 1, verdict: "changes", read: "0123456", comments: [{ path: "a", line: 1, text }] }),
  },
  "task.comment": { comments: (text) => ({ task: 1, comments: [{ path: "a.ts", line: 1, text }] }) },
  "task.cancel": { reason: (reason) => ({ task: 1, reason }) },
  "task.import": { tasks: (directive) => ({ root: "/r", tasks: [{ key: "k", title: "x", directive }] }) },
  "finding.dismiss": { reason: (reason) => ({ id: "f", reason }) },
  "finding.tell": { note: (note) => ({ id: "f", note }) },
  "claim.add": { reason: (reason) => ({ path: "/r", paths: ["a"], reason }) },
  "event.publish": {
    text: (text) => ({ type: "blocked", text, to: ["agent1"] }),
    fields: (test) => ({ type: "test-failed", text: "x", to: ["agent1"], fields: { test } }),
  },
  "decision.record": { title: (text) => ({ title: inline(text) }), text: (text) => ({ title: "x", text }) },
  "decision.settle": { reason: (reason) => ({ id: "dec_1", verdict: "reject", reason }) },
  "task.handover": { because: (because) => ({ task: 1, to: "agent1", because }) },
  "worker.declare": { about: (about) => ({ name: "one", runtime: "script", about }) },
  "memory.remember": { text: (text) => ({ text }) },
  "chat.send": { text: (text) => ({ to: "agent1", text }) },
  "chat.reply": { text: (text) => ({ message: "msg_1", text }) },
  "approval.answer": { note: (note) => ({ id: "apr_1", allow: true, note }) },
  "a2a.send": { parts: (text) => ({ message: "m", parts: [{ text }] }) },
  "a2a.accept": {
    title: (text) => ({ id: "a2a_1", root: "/r", title: inline(text) }),
    accept: (text) => ({ id: "a2a_1", root: "/r", accept: [text] }),
  },
  "mesh.evict": { reason: (reason) => ({ name: "desk", reason }) },
  "a2a.refuse": { reason: (reason) => ({ id: "a2a_1", reason }) },
  "a2a.answer": {
    text: (text) => ({ id: "a2a_1", text }),
    artefacts: (text) => ({ id: "a2a_1", text: "x", artefacts: [{ id: "a", name: "a", parts: [{ text }] }] }),
  },
  "directive.add": { text: (text) => ({ id: `dir_${"0".repeat(26)}`, at_ms: 1, text, sig: "x" }) },
  "schedule.add-cron": {
    action: (prompt) => ({ label: "l", schedule: "* * * * *", action: { kind: "prompt", agent: "agent1", prompt } }),
  },
  "schedule.add-loop": {
    action: (prompt) => ({ label: "l", every_ms: 60_000, action: { kind: "prompt", agent: "agent1", prompt } }),
    until: (until) => ({
      label: "l",
      every_ms: 60_000,
      until,
      action: { kind: "prompt", agent: "agent1", prompt: "x" },
    }),
    on_change: (on_change) => ({
      label: "l",
      every_ms: 60_000,
      on_change,
      action: { kind: "prompt", agent: "agent1", prompt: "x" },
    }),
  },
};

const ofOutside = new Set(
  (Object.values(operations) as readonly Operation[]).filter(({ may }) => may === "outside").map(({ name }) => name),
);
const inline = (text: string): string => text.replaceAll("\n", " ");
/** An outside agent asks for what is its own, which is nobody else's. */
const askerOf = (operation: string): string => (ofOutside.has(operation) ? "outside:bot" : "owner");
const cases = Object.entries(inputs).flatMap(([operation, fields]) =>
  Object.entries(fields).map(([field, input]) => ({ operation, field, input })),
);

/** Texts that are no words to others, each with the reason. A field of a new operation belongs in its `speaks`, or here. */
const silent: Readonly<Record<string, string>> = {
  "id message request thread key ack": "names something there is already",
  "label name read": "one plain word, checked by its shape",
  "watchdog.quiet time": "a span or a time of day, checked by its shape",
  "agent to by runtime tool capability capabilities services service topics zone":
    "one plain word, checked by its shape",
  "path paths files root repository repositories target branch scope brief cwd directory supersedes valid_while":
    "a path, a branch or a repository; a brief's file is looked through when it is read",
  origin: "an address, of which a name and a password are taken off before it is kept",
  "schedule sig sender crons": "a shape of its own",
  "permission.ask input": "what is asked must be shown to the owner as it is",
  "query.save sql": "the owner's own question, which nobody else is sent",
  "a2a.send task": "names a request of its own",
  "a2a.send context": "the sender's own name for what belongs together",
  "a2a.send skill": "one of those that our card names; any other is refused",
  "mesh.confirm fingerprint": "digits, compared with ours",
  "mesh.rename new_name": "one plain word, checked by its shape",
  "mesh.invite at": "the address that a code names",
  "mesh.join code": "the code itself, which is good once and sent to nobody but whoever made it",
  "mesh.add at": "where a peer is reached, shown to the owner alone",
  "a2a.push-set push": "as in a2a.send",
  "a2a.send push": "where the sender wants to be told, with a token of its own, which only that address is sent",
  "owner.reply text": "the owner's own words, through the owner's channel",
};

/** Every text that an input can hold, by the field it is in. */
function textFields(type: unknown, field = ""): string[] {
  const { def } = (type as { _zod: { def: Record<string, unknown> & { type: string } } })._zod;
  const inner = def["innerType"] ?? def["in"] ?? def["element"] ?? def["valueType"];
  if (inner !== undefined) return textFields(inner, field);
  if (def.type === "object")
    return Object.entries(def["shape"] as object).flatMap(([name, one]) =>
      textFields(one, field === "" ? name : field),
    );
  if (def.type === "union") return (def["options"] as unknown[]).flatMap((one) => textFields(one, field));
  return ["string", "unknown", "any"].includes(def.type) ? [field] : [];
}

test("every text that an operation takes is looked through, or is no words to others for a reason", () => {
  const known = new Set(Object.keys(silent).flatMap((names) => (names.includes(".") ? names : names.split(" "))));
  const undecided: string[] = [];
  for (const { name, effect, input, speaks = [] } of Object.values(operations) as readonly Operation[]) {
    if (effect === "reads") continue;
    const fields = [...new Set(textFields(input))];
    const open = fields.filter((one) => !speaks.includes(one) && !known.has(one) && !known.has(`${name} ${one}`));
    undecided.push(...open.map((field) => `${name} ${field}`));
    expect({ name, tried: Object.keys(inputs[name] ?? {}) }).toEqual({ name, tried: [...speaks] });
  }
  expect(undecided).toEqual([]);
});

test("every operation that speaks refuses every kind, with kind and place and without the secret", async () => {
  const { ask, done } = door();
  for (const { operation, field, input } of cases) {
    for (const [kind, secret] of Object.entries(secrets)) {
      const said = await ask(operation, input(`first line\nuse ${secret} here`), askerOf(operation));
      expect([operation, field, kind, said]).toEqual([
        operation,
        field,
        kind,
        expect.stringContaining('"secret.found"'),
      ]);
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

test("the owner's word lets it pass in every operation that speaks, those that take no stranger's field among them", async () => {
  const { ask, done } = door();
  const owners = cases.filter(({ operation }) => !ofOutside.has(operation));
  for (const { operation, input } of owners)
    await ask(operation, { ...input(`use ${secrets["github"]}`), allow_secret: true });
  expect(done).toEqual(owners.map(({ operation }) => operation));
});

test("where the settings say warn it passes with a warning and a record, off looks for nothing, and each surface has its own", async () => {
  const surfaces: SecretModeOf = (surface) =>
    ({ messages: "warn", records: "refuse", outside: "off" })[surface] as never;
  const { ask, done, events, warnings } = door(surfaces);
  const secret = `use ${secrets["github"]}`;
  const passed: string[] = [];
  for (const { operation, field, input } of cases) {
    const [before, recorded] = [done.length, events.length];
    await ask(operation, input(secret), askerOf(operation));
    const warning = warnings.at(-1) ?? null;
    const met = {
      messages: { done: 1, events: ["secret.warned"], isWarned: true },
      records: { done: 0, events: [], isWarned: false },
      outside: { done: 1, events: [], isWarned: false },
    }[surfaceOf(operation)];
    expect({
      case: `${operation} ${field}`,
      done: done.length - before,
      events: events.slice(recorded).map(({ type }) => type),
      isWarned: warning?.includes("it passed, and this is recorded") ?? false,
    }).toEqual({ case: `${operation} ${field}`, ...met });
    passed.push(`${warning}${JSON.stringify(events)}`);
  }
  expect(passed.join("\n")).not.toContain(random);
});
