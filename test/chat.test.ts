// Chat on the command line: files only, no daemon.

import { afterAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { projectTop, TestHome, until } from "./kit/home.ts";

const at = new TestHome();
afterAll(() => at[Symbol.asyncDispose]());

const bin = join(projectTop, "bin/constel");
const as = (agent: string) => ({ env: { CONSTEL_AGENT: agent } });
const send = async (from: string, to: string, text: string): Promise<string> =>
  (await at.json<{ id: string }>(["channel", "send", to, text], as(from))).id;

test("a message is answered in its thread, and whoever waits for the answer has it", async () => {
  const id = await send("agent1", "agent2", "which port?");
  const waiting = at.json<{ outcome: string; reply: { text: string; from: string; in_reply_to: string } }>(
    ["channel", "wait", id, "--timeout", "30s"],
    as("agent1"),
  );
  const answer = await at.json<{ to: string }>(["channel", "reply", id, "8080,", "as", "ever"], as("agent2"));
  expect(answer.to).toBe("agent1");
  expect(await waiting).toMatchObject({
    outcome: "reply",
    reply: { from: "agent2", text: "8080, as ever", in_reply_to: id },
  });
  const { messages: told } = await at.json<{ messages: { envelope: { text: string } }[] }>(["channel", "history", id]);
  expect(told.map(({ envelope }) => envelope.text)).toEqual(["which port?", "8080, as ever"]);
  expect(existsSync(join(at.home, "state/daemon.sock"))).toBe(false);
});

test("only who was sent a message answers it; a wait must be for something, and says when nothing came", async () => {
  const id = await send("agent1", "agent2", "for agent2");
  const stranger = await at.constel(["channel", "reply", id, "hello", "--json"], as("agent3"));
  expect(stranger.stderr).toContain('"bus.unknown-message"');
  const posing = await at.constel(["channel", "reply", id, "hello", "--as", "agent2", "--json"], as("agent3"));
  expect(posing.stderr).toContain('"authority.mailbox"');
  expect((await at.constel(["channel", "wait", "--json"], as("agent1"))).stderr).toContain("usage.missing-argument");
  const nothing = await at.constel(["channel", "wait", id, "--timeout", "0s"], as("agent1"));
  expect(nothing).toMatchObject({ code: 1, stdout: "No reply came.\n" });
});

test("a wait ends with the program that started it, and the answer stays in the inbox", async () => {
  const id = await send("agent4", "agent5", "anybody?");
  // The pipe is held open by us, so only its parent's end can end it.
  const shell = Bun.spawn(["sh", "-c", `'${bin}' channel wait ${id} & echo $!; exec sleep 1000`], {
    env: { ...at.env, CONSTEL_AGENT: "agent4" },
    cwd: at.top,
    stdout: "pipe",
    stderr: "ignore",
  });
  const { value } = await shell.stdout.getReader().read();
  const pid = new TextDecoder().decode(value).trim();
  // It has a mailbox from the moment it waits.
  await until("it waits", () => existsSync(join(at.home, "channels/agent/agent4/inbox")), Boolean);
  shell.kill();
  await until(
    "it has ended",
    () => existsSync(`/proc/${pid}`),
    (isThere) => !isThere,
  );
  await at.json(["channel", "reply", id, "here"], as("agent5"));
  const {
    mailboxes: [box],
  } = await at.json<{ mailboxes: { counts: { inbox: number } }[] }>(["channel", "ls", "agent4"]);
  expect(box?.counts.inbox).toBe(1);
});
