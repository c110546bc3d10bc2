import { expect, test } from "bun:test";
import { onEachDatabase, withStore } from "../../../test/kit/databases.ts";
import { seededRandom } from "../../ports/fake-clock.ts";
import { waitForApproval } from "../../daemon/door/ask-permission.ts";
import type { Context } from "../context.ts";
import { answerApproval, askApproval, endApprovals, hearApproval, listApprovals } from "./approve.ts";
import { wakeAskers } from "./wake-askers.ts";
import { askedText } from "./asked-text.ts";
import { rejection, throwing } from "../../../test/kit/rejection.ts";

onEachDatabase("permission requests", (makeScene) => {
  const here = withStore(makeScene);
  const context = (actor = "owner"): Context => ({
    store: here.store,
    clock: here.clock,
    random: seededRandom(3),
    constellation: "constel0",
    actor,
  });
  const ask = (request: string, agent = "agent1", asked = "make deploy", cwd = "/w") =>
    askApproval(context(agent), {
      request,
      agent,
      runtime: "claude",
      task: "4",
      tool: "Bash",
      asked,
      part: "make deploy",
      why: "no rule allows make",
      cwd,
      timeoutMs: 600_000,
    });

  test("the same request twice is one row, answered once", async () => {
    const first = await ask("request-1");
    expect((await ask("request-1")).id).toBe(first.id);
    expect((await listApprovals(context(), { all: false })).approvals).toHaveLength(1);
    await answerApproval(context(), { id: first.id.slice(-8), allow: true });
    expect(await hearApproval(context("agent1"), first.id)).toMatchObject({ state: "allowed", answered_by: "owner" });
    expect(await throwing(answerApproval(context(), { id: first.id, allow: false }))).toThrow("is over: allowed");
  });

  test("an answer is for what the owner was shown: the request of another, or for something else, is another one", async () => {
    const { id } = await ask("request-once", "agent1", "make test");
    await answerApproval(context(), { id, allow: true });
    const isRefused = { code: "permission.not-yours" };
    expect(await rejection(ask("request-once"))).toMatchObject(isRefused);
    expect(await rejection(ask("request-once", "agent2", "make test"))).toMatchObject(isRefused);
    expect(await rejection(ask("request-once", "agent1", "make test", "/elsewhere"))).toMatchObject(isRefused);
    expect((await ask("request-once", "agent1", "make test")).state).toBe("allowed");
    // A hook that was cut off asks again within moments; nobody shows the same request another day.
    here.clock.advance(11 * 60_000);
    expect(await rejection(ask("request-once", "agent1", "make test"))).toMatchObject({ code: "approval.over" });
  });

  test("an agent whose hook no longer waits is woken by a refusal, once; one whose hook waits, or that got a yes, is not", async () => {
    const put: string[] = [];
    const told = new Set<string>();
    const wake = (letters = told): Promise<void> =>
      wakeAskers(
        context("daemon"),
        { put: ({ id, to, task, text }) => void put.push(`${id} ${to} ${task} ${text}`) },
        letters,
      );
    const waits = await ask("request-waits", "agent1");
    await answerApproval(context(), { id: waits.id, allow: false });
    here.clock.advance(1);
    const gone = await ask("request-gone", "agent2");
    here.clock.advance(1);
    const granted = await ask("request-granted", "agent3");
    here.clock.advance(60_000);
    await answerApproval(context(), { id: gone.id, allow: false, note: "use the test server" });
    await answerApproval(context(), { id: granted.id, allow: true });
    await wake();
    await wake();
    expect(put).toHaveLength(1);
    expect(put[0]).toStartWith(`${gone.id}:denied agent2 4 Your permission request was denied: make deploy`);
    expect(put[0]).toContain("use the test server");
    // Another daemon puts the same letter, which is one message by its id.
    await wake(new Set());
    expect(new Set(put).size).toBe(1);
    here.clock.advance(3_600_001);
    await wake(new Set());
    expect(put).toHaveLength(2);
  });

  test("nobody but who asked keeps a request alive by waiting for it", async () => {
    const { id } = await ask("request-alive");
    expect(await rejection(hearApproval(context("agent2"), id))).toMatchObject({ code: "permission.not-yours" });
    expect((await hearApproval(context("agent1"), id)).state).toBe("waiting");
    expect((await hearApproval(context(), id)).state).toBe("waiting");
  });

  test("a wait ends with whoever waits, not when its time is over", async () => {
    const { id } = await ask("request-gone");
    const gone = new AbortController();
    const waiting = waitForApproval({ ...context("agent1"), untilGone: () => gone.signal }, { id, for_ms: 20_000 });
    gone.abort();
    expect(await waiting).toEqual({ state: "waiting", note: null });
  });

  test("nobody answers: it is denied when its time is over, and cannot be allowed later", async () => {
    const { id } = await ask("request-2");
    const startMs = here.clock.nowMs();
    for (let minute = 1; minute < 10; minute++) {
      here.clock.advance(60_000);
      await hearApproval(context("agent1"), id);
      expect(await endApprovals(context(), startMs)).toBeGreaterThan(here.clock.nowMs());
    }
    here.clock.advance(60_000);
    expect(await throwing(answerApproval(context(), { id, allow: true }))).toThrow("timed out");
    expect(await endApprovals(context(), startMs)).toBeUndefined();
    expect((await hearApproval(context("agent1"), id)).state).toBe("timed_out");
  });

  test("an agent that no longer asks withdraws its request, and asking again brings it back", async () => {
    const { id } = await ask("request-3");
    here.clock.advance(100_000);
    // A daemon that has just come up has heard nobody yet.
    await endApprovals(context(), here.clock.nowMs());
    expect((await listApprovals(context(), { all: false })).approvals).toHaveLength(1);
    await endApprovals(context(), 0);
    expect((await listApprovals(context(), { all: false })).approvals).toHaveLength(0);
    expect((await hearApproval(context("agent1"), id)).state).toBe("waiting");
    await answerApproval(context(), { id, allow: false, note: "no" });
    expect((await hearApproval(context("agent1"), id)).note).toBe("no");
  });
});

test("what is asked is shown whole, with nothing in it that moves a cursor or passes for something else", () => {
  expect(askedText("Bash", { command: "echo \u001b[2Jhi\nrm -rf x" }, "/w")).toBe("echo \\x1b[2Jhi⏎rm -rf x");
  expect(askedText("Bash", { command: "curl g\u0456thub.com" }, "/w")).toBe("curl g\\u{456}thub.com");
  expect(askedText("shell", { command: ["rm", "-rf", "x"], workdir: "/" }, "/w")).toBe("(in /) rm -rf x");
  expect(askedText("Read", { file_path: "/a" }, "/w")).toBe("Read /a");
  expect(askedText("Edit", { file_path: "/a" }, "/w")).toBe("Edit /a");
  expect(askedText("Write", { file_path: "/a", content: "x\n" }, "/w")).toBe('Write /a {"content":"x\\n"}');
  expect(askedText("mcp__x__y", { a: 1 }, "/w")).toBe('mcp__x__y {"a":1}');
});

test("of what is too long the beginning and the end are shown, and two that differ in between are not the same", () => {
  const long = (inner: string): string =>
    askedText("Bash", { command: `echo ${"a".repeat(20_000)}${inner}${"a".repeat(5_000)}; rm -rf /` }, "/w");
  expect(long("b")).toMatch(
    /^echo aaa.* … \(\d+ characters left out; SHA-256 of the whole: [0-9a-f]{16}\) … a+; rm -rf \/$/,
  );
  expect(long("b")).toHaveLength(long("c").length);
  expect(long("b")).not.toBe(long("c"));
});
