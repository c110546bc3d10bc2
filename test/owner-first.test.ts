// What waits for the owner's word, and what only some agents may do, on the real program.

import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TestHome, until } from "./kit/home.ts";

function configure(home: TestHome, text: string): void {
  mkdirSync(home.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(home.home, "config.toml"), text);
}

const as = (agent: string) => ({ env: { CONSTEL_AGENT: agent } });

test("a blocking event of an agent waits among the approvals; allowed, it arrives, and its publisher is told", async () => {
  await using home = new TestHome();
  const words = ["publish", "hand-off", "release 2.0 can go out", "--to", "agent2", "--to", "agent1", "--blocking"];
  await home.constel(["notices", "subscribe", "--topic", "release"], as("agent2"));
  const said = await home.constel([...words, "--topic", "release"], as("agent1"));
  expect(said.stdout).toMatch(/^Held until the owner allows it \(constel approvals allow \w{6}\)/);
  const [asked] = (await home.json<{ approvals: { id: string; asked: string; cwd: string }[] }>(["approvals"]))
    .approvals;
  expect(asked).toMatchObject({ asked: "publish hand-off (high): release 2.0 can go out", cwd: "" });
  const listed = (await home.constel(["approvals"])).stdout;
  expect(listed).toContain("it is marked as blocking, and reaches nobody before you allow it");
  expect(listed).not.toMatch(/^ *in /m);
  expect((await home.constel(["attention"])).stdout).toContain("release 2.0 can go out");
  const sql = "select recipient, state from event_deliveries";
  expect(JSON.stringify(await home.json(["query", sql]))).not.toMatch(/waiting|sent|noticed/);
  // No agent lets it go.
  expect((await home.constel(["approvals", "allow", asked?.id ?? ""], as("agent1"))).code).not.toBe(0);
  expect((await home.constel(["approvals", "allow", asked?.id ?? ""])).code).toBe(0);
  const told = await until(
    "the publisher is told",
    () => home.constel(["channel", "drain", "agent1", "--json"]),
    ({ stdout }) => stdout.includes("The owner allowed your event hand-off"),
  );
  expect(told.stdout).toContain("release 2.0 can go out");
  await until(
    "it is routed",
    () => home.json(["query", sql]),
    (rows) => JSON.stringify(rows).includes("agent2"),
  );
});

test("a capability that is a permission stops other agents, and a typing error in it stops the daemon's start", async () => {
  await using home = new TestHome();
  const rule = (operations: string): void =>
    configure(
      home,
      `[[authority.capabilities]]\ncapability = "release"\noperations = "${operations}"\nagents = "agent1"\n`,
    );
  rule("event.publsh");
  const wrong = await home.constel(["daemon", "start"]);
  expect(wrong.code).not.toBe(0);
  expect(wrong.stderr).toContain('there is no operation "event.publsh"');
  rule("event.publish");
  expect((await home.constel(["daemon", "start"])).code).toBe(0);
  const publish = ["publish", "note", "out", "--topic", "release"];
  const refused = await home.constel([...publish, "--json"], as("agent2"));
  expect(JSON.parse(refused.stderr)).toMatchObject({
    error: { code: "authority.capability", facts: { capability: "release", agents: ["agent1"] } },
  });
  const claimed = await home.constel(["notices", "subscribe", "--capability", "release"], as("agent2"));
  expect(claimed.stderr).toContain("needs the capability release here, which agent2 was not given");
  for (const agent of ["agent1", "owner"])
    expect((await home.constel(publish, agent === "owner" ? {} : as(agent))).code).toBe(0);
});

test("a secret is refused by default, passes with a warning where the settings say warn, and without a word where they say off", async () => {
  await using home = new TestHome();
  const secret = `ghp_${["Zx81", "QpLm", "77tY", "vB2n", "K0sD", "9fGh", "J3wE", "Qq7r", "Tt5u"].join("")}`;
  const announce = ["announce", `the key is ${secret}`];
  const send = ["channel", "send", "agent1", `the key is ${secret}`];
  for (const words of [announce, send]) expect((await home.constel(words)).stderr).toContain("holds what looks like");
  await home.constel(["daemon", "stop"]);
  configure(home, '[secrets]\nrecords = "warn"\nmessages = "off"\n');
  const warned = await home.constel(announce);
  expect(warned.stderr).toMatch(
    /constel: text holds what looks like .*, at line 1, column \d+; it passed, and this is recorded/,
  );
  expect(warned.code).toBe(0);
  const sent = await home.constel(send);
  expect([sent.code, sent.stderr.includes("looks like")]).toEqual([0, false]);
  const events = await home.constel(["events", "--json"]);
  expect(events.stdout).toContain("secret.warned");
});
