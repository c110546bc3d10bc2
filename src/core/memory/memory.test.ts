import { expect, test } from "bun:test";
import { onEachDatabase, withStore } from "../../../test/kit/databases.ts";
import { seededRandom } from "../../ports/fake-clock.ts";
import type { TextContext } from "../keep-text.ts";
import type { WorktreesTable } from "../../store/tables/observed.ts";
import { forget, pin, pinnedMemories, recall, remember } from "./memory.ts";

onEachDatabase("memory", (makeScene) => {
  const here = withStore(makeScene);
  const random = seededRandom(5);

  function as(actor: string): TextContext {
    const { store, clock } = here;
    const texts = { hideSecrets: async (text: string) => text.replaceAll("hunter2", "***") };
    return { store, clock, random, constellation: store.constellation, actor, texts } as TextContext;
  }

  const keep = (actor: string, text: string, more: { own?: boolean; pinned?: boolean } = {}) =>
    remember(as(actor), { text, own: false, pinned: false, ...more });
  const found = async (actor: string, query?: string): Promise<string[]> =>
    (await recall(as(actor), { query, pinned: false, stale: false, limit: 10 })).memories
      .map(({ text }) => text)
      .sort();
  const code = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => "allowed",
      (cause: { code?: string }) => cause.code ?? String(cause),
    );

  test("what is for everybody is everybody's, what is an agent's own is its own and the owner's", async () => {
    await keep("agent1", "the tests need redis");
    await keep("agent1", "I prefer small commits", { own: true });
    expect(await found("agent1")).toEqual(["I prefer small commits", "the tests need redis"]);
    expect(await found("agent2")).toEqual(["the tests need redis"]);
    expect(await found("owner")).toEqual(["I prefer small commits", "the tests need redis"]);
  });

  test("words are found whatever their case and accents; a question without a letter finds nothing", async () => {
    await keep("agent1", "Das Café öffnet um neun");
    expect(await found("agent2", "cafe OFFNET")).toHaveLength(1);
    expect(await found("agent2", "zehn")).toEqual([]);
    expect(await found("agent2", "?!")).toEqual([]);
  });

  test("the same words again renew what is there, and secrets are not kept", async () => {
    const first = await keep("agent1", "the password is hunter2");
    expect([first.text, first.masked, first.renewed]).toEqual(["the password is ***", true, false]);
    here.clock.advance(5);
    const again = await keep("agent1", "the password is hunter2");
    expect([again.id, again.renewed]).toEqual([first.id, true]);
    expect(again.updated_ms).toBe(first.updated_ms + 5);
    expect(await found("owner")).toHaveLength(1);
  });

  test("a clone pins and forgets its own, the root any agent's, and nobody but the owner what is the owner's", async () => {
    const mine = await keep("agent1", "mine");
    const owners = await keep("owner", "the owner's");
    expect(await code(forget(as("agent2"), { id: mine.id }))).toBe("memory.not-yours");
    expect(await code(pin(as("agent2"), { id: mine.id, pinned: true }))).toBe("memory.not-yours");
    expect(await code(forget(as("agent0"), { id: owners.id }))).toBe("memory.not-yours");
    expect(await code(pin(as("agent0"), { id: mine.id, pinned: true }))).toBe("allowed");
    expect((await pinnedMemories(as("owner"))).map(({ text }) => text)).toEqual(["mine"]);
    expect(await code(forget(as("agent1"), { id: mine.id }))).toBe("allowed");
    expect(await code(forget(as("agent1"), { id: mine.id }))).toBe("memory.unknown");
    expect(await code(forget(as("owner"), { id: owners.id }))).toBe("allowed");
  });

  test("an agent cannot find, pin or forget what is another's alone", async () => {
    const { id } = await keep("agent1", "only mine", { own: true });
    expect(await code(pin(as("agent2"), { id, pinned: true }))).toBe("memory.unknown");
    expect(await code(forget(as("agent0"), { id }))).toBe("memory.unknown");
  });

  test("twenty may be pinned and a thousand kept by one, each with its own count", async () => {
    for (let at = 0; at < 20; at++) await keep("agent1", `pinned ${at}`, { pinned: true });
    expect(await code(keep("agent1", "one more", { pinned: true }))).toBe("memory.full");
    expect(await code(keep("agent2", "another's", { pinned: true }))).toBe("allowed");
    for (let at = 20; at < 1_000; at++) await keep("agent1", `number ${at}`);
    expect(await code(keep("agent1", "too much"))).toBe("memory.full");
    expect(await code(keep("agent1", "number 30"))).toBe("allowed");
  });

  test("the timeline says that something was remembered and forgotten, never what", async () => {
    const { id } = await keep("agent1", "a word nobody else knows");
    await forget(as("agent1"), { id });
    const rows = await here.store.db.selectFrom("events").selectAll().execute();
    expect(rows.map(({ type }) => type)).toEqual(["memory.remembered", "memory.forgotten"]);
    expect(JSON.stringify(rows)).not.toContain("nobody else knows");
  });

  /** Files by their path, and the blob that each has. */
  const files = new Map<string, string>();

  async function watched(path: string, agent: string | null = null): Promise<void> {
    const row = { constellation: here.store.constellation, path, repository: "git:r", agent, uncommitted: 0 };
    const times = { first_seen_ms: 1, last_observed_ms: 1, changed_ms: null };
    await here.store.write((tx) => tx.insert("worktrees", { ...unknown, ...row, ...times }));
  }

  const unknown: Omit<
    WorktreesTable,
    | "constellation"
    | "path"
    | "repository"
    | "agent"
    | "uncommitted"
    | "first_seen_ms"
    | "last_observed_ms"
    | "changed_ms"
  > = {
    branch: null,
    head: null,
    snapshot_commit: null,
    snapshot_tree: null,
    operation: null,
    skipped: null,
    detail: null,
    ahead: null,
    behind: null,
  };

  test("what rests on a file is told while the file is as it was, and listed as stale from then on", async () => {
    await watched("/w/main");
    await watched("/w/mine", "agent2");
    const seeing = (actor: string): TextContext => ({ ...as(actor), blobOf: (path) => files.get(path) });
    const told = async (actor: string, stale = false) => {
      const answer = await recall(seeing(actor), { pinned: false, stale, limit: 10 });
      return { told: answer.memories.map(({ text }) => text), stale: answer.stale };
    };
    files.set("/w/main/src/retry.ts", "one").set("/w/mine/src/retry.ts", "one");
    const text = "retry is safe to call twice";
    const wish = { text, own: false, pinned: true, valid_while: "/w/main/src/retry.ts" };
    expect(await remember(seeing("agent1"), wish)).toMatchObject({
      valid_while: { path: "src/retry.ts", holds: true },
    });
    expect(await told("agent1")).toEqual({ told: [text], stale: 0 });

    // In the reader's own worktree it is another file by now: there it no longer holds.
    files.set("/w/mine/src/retry.ts", "two");
    expect(await told("agent1")).toEqual({ told: [text], stale: 0 });
    expect(await told("agent2")).toEqual({ told: [], stale: 1 });
    expect(await told("agent2", true)).toEqual({ told: [text], stale: 1 });
    const [pinned] = await pinnedMemories(seeing("daemon"));
    expect([pinned?.holdsAt("/w/main"), pinned?.holdsAt("/w/mine"), pinned?.holdsAt(undefined)]).toEqual([
      true,
      false,
      true,
    ]);

    files.delete("/w/main/src/retry.ts");
    expect(await told("agent1")).toEqual({ told: [], stale: 1 });
    // Where nobody can look, it is not told either.
    expect(await found("agent1")).toEqual([]);
    // Said again of the file as it is now, it holds again.
    files.set("/w/main/src/retry.ts", "three");
    expect(await remember(seeing("agent1"), wish)).toMatchObject({ renewed: true });
    expect(await told("agent1")).toEqual({ told: [text], stale: 0 });
  });

  test("a memory rests on no file outside of what is watched", async () => {
    await watched("/w/main");
    const seeing: TextContext = { ...as("agent1"), blobOf: () => "one" };
    for (const file of ["/etc/passwd", "/w/main", "/w/main/../other", "/w/mainly/x"])
      expect(await code(remember(seeing, { text: "x", own: false, pinned: false, valid_while: file }))).toBe(
        "memory.no-file",
      );
  });
});
