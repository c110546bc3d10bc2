// What agents are told of findings, claims and events, on a real store: the same on both databases.

import { expect, test } from "bun:test";
import type { HearItem } from "../../protocol/hear.ts";
import type { MakeScene } from "../../../test/kit/databases.ts";
import { withStore } from "../../../test/kit/databases.ts";
import { addClaim, dropClaim } from "../claims/claim.ts";
import { blockFinding } from "../findings/block.ts";
import { dismissFinding } from "../findings/dismiss.ts";
import { register } from "../worktrees/register.ts";
import { addressEvent } from "./address-event.ts";
import { handleNotice } from "./handle.ts";
import { collision, NoticesScene, repository } from "./notices-scene.suite.ts";
import { pruneNotices } from "./prune.ts";
import { listNotices, whyNotice } from "./queries.ts";
import { subscribe } from "./subscribe.ts";

/** `isWhole`: also what says nothing new of another database. */
export function noticesSuite(makeScene: MakeScene, isWhole: boolean): void {
  const here = withStore(makeScene);
  const testOnce = isWhole ? test : (): void => {};
  const begun = async (names: readonly string[], more: ConstructorParameters<typeof NoticesScene>[2] = {}) => {
    const scene = new NoticesScene(here, names, more);
    await scene.begin();
    return scene;
  };
  const listed = async (scene: NoticesScene, agent?: string, all = false) =>
    (await listNotices(scene.context, { agent, all, limit: 100 })).notices;

  test("both sides hear of it once, a third hears nothing, and its end reaches who was told", async () => {
    const at = await begun(["a", "b", "c"]);
    await at.see([["a", "b", [collision("x.ts")]]]);
    await at.rounds();
    for (const agent of ["agenta", "agentb"]) expect(at.desk.items(agent)).toHaveLength(1);
    expect(at.desk.items("agentc")).toEqual([]);
    const [item] = at.desk.items("agenta");
    expect(item).toMatchObject({ at: ["edit", "prompt", "stop"], files: ["/w/a/x.ts"] });
    expect(item?.text).toContain("with: agentb on branch b");
    expect(await at.tell("agenta", "edit", "/w/a/other.ts")).toEqual([]);
    expect(await at.tell("agenta", "edit", "/w/a/x.ts")).toHaveLength(1);
    expect(at.desk.items("agenta")).toEqual([]);
    expect(await listed(at, "agenta")).toMatchObject([{ state: "told", told_by: "hook prompt-submitted" }]);
    // The same evidence on other lines is nothing new, a further file is, and one file less is not.
    const further = { evidenceKind: "content x.ts\ncontent y.ts", files: ["x.ts", "y.ts"] };
    await at.see([["a", "b", [collision("x.ts", further)]]]);
    await at.rounds();
    expect(await at.tell("agenta")).toHaveLength(1);
    await at.see([["a", "b", [collision("x.ts")]]]);
    await at.rounds();
    expect(at.desk.items("agenta")).toEqual([]);
    // Agent b never heard of it, so it does not hear of its end either.
    await at.see([["a", "b", []]]);
    await at.rounds();
    expect(at.desk.items("agentb")).toEqual([]);
    const [end] = await at.tell("agenta");
    expect(end?.text).toContain("No longer a problem:");
    expect(at.desk.items("agenta")).toEqual([]);
    expect(await listed(at)).toEqual([]);
    expect((await listed(at, undefined, true)).map(({ agent, state }) => [agent, state]).sort()).toEqual([
      ["agenta", "withdrawn"],
      ["agentb", "withdrawn"],
    ]);
    // It comes back: that is news.
    await at.see([["a", "b", [collision("x.ts")]]]);
    await at.rounds();
    expect(await at.tell("agenta")).toHaveLength(1);
  });

  testOnce(
    "a broken contract is for its consumer, not for who breaks it, nor for who works on both sides",
    async () => {
      const at = await begun(["consumer", "provider", "other"]);
      const broken = collision("cart.ts", { kind: "contract" });
      await at.see([["consumer", "provider", [broken]]]);
      await at.rounds();
      expect(at.desk.items("agentconsumer")).toMatchObject([{ files: ["/w/consumer/cart.ts"] }]);
      expect([at.desk.items("agentprovider"), at.desk.items("agentother")]).toEqual([[], []]);
      const place = { repository, path: "/w/provider", top: "/w/provider" };
      await register(at.context, { place, agent: "agentconsumer", isOwnersWord: true });
      await at.rounds();
      expect(at.desk.items("agentconsumer")).toEqual([]);
    },
  );

  testOnce("why shows the rule, the facts and the proof", async () => {
    const at = await begun(["a", "b"]);
    await at.see([["a", "b", [collision("x.ts")]]]);
    await at.rounds();
    await at.tell("agentb", "stop");
    const [notice] = await listed(at, "agentb");
    const why = await whyNotice(at.context, { id: notice?.id.slice(-8) ?? "" });
    expect(why.reasons).toEqual([{ rule: "side of the finding", fact: "/w/b is one side, and it was seen there" }]);
    expect(why).toMatchObject({
      means: "git cannot merge the two, uncommitted and untracked work included",
      facts: [{ title: "both change the same lines of x.ts", with: "agenta on branch a", told: true }],
      tellings: [{ state: "told", told_by: "hook prompt-submitted", moments: ["edit", "prompt", "stop"] }],
    });
    await expect(whyNotice(at.context, { id: "nosuch" })).rejects.toMatchObject({ code: "notice.unknown" });
  });

  testOnce("nine others on one file are one notice that names them", async () => {
    const names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    const at = await begun(names);
    await at.see(names.slice(1).map((name) => ["a", name, [collision("x.ts")]]));
    await at.rounds();
    const items = at.desk.items("agenta");
    expect(items).toHaveLength(1);
    // Eight are named, whichever come first.
    expect(items[0]?.text.match(/agent[b-j] on branch/g)).toHaveLength(8);
    expect(await listed(at, "agenta")).toHaveLength(1);
    expect(await listed(at)).toHaveLength(10);
    // One of them gives way: that alone is over, and the notice goes on.
    await at.tell("agenta");
    await at.see([["a", "b", []]]);
    await at.rounds();
    expect((await at.tell("agenta"))[0]?.text).toContain("No longer a problem:");
    expect(await listed(at, "agenta")).toMatchObject([{ state: "told" }]);
  });

  testOnce("what is low comes together, an hour's budget bundles the rest, and nothing is dropped", async () => {
    const at = await begun(["a", "b"], { budgetPerHour: 3 });
    const files = ["1", "2", "3", "4", "5", "6"];
    const low = files.map((path) => collision(path, { severity: "low" }));
    await at.see([["a", "b", low]]);
    await at.rounds();
    expect(at.desk.items("agenta")).toMatchObject([{ at: ["prompt"] }]);
    expect(await at.tell("agenta")).toHaveLength(1);
    const medium = files.map((path) => collision(`m${path}`, { severity: "medium" }));
    await at.see([["a", "b", [...low, ...medium]]]);
    await at.rounds();
    // Two are left of three: one stands alone, five are said in one piece.
    expect(at.desk.items("agenta")).toHaveLength(2);
    expect(await at.tell("agenta")).toHaveLength(2);
    const more = [collision("late", { severity: "medium" })];
    await at.see([["a", "b", [...low, ...medium, ...more]]]);
    await at.rounds();
    expect(at.desk.items("agenta")).toEqual([]);
    // What is high is told all the same; the rest waits for the hour to pass.
    await at.see([["a", "b", [...low, ...medium, ...more, collision("urgent")]]]);
    await at.rounds();
    expect((await at.tell("agenta"))[0]?.text).toContain("urgent");
    here.clock.advance(3_600_001);
    await at.rounds();
    expect((await at.tell("agenta"))[0]?.text).toContain("late");
    expect((await listed(at, "agenta")).every(({ state }) => state === "told")).toBe(true);
  });

  testOnce("in quiet hours only what is high is told, and nobody is held back from idling", async () => {
    let isQuiet = true;
    const at = await begun(["a", "b"], { isQuiet: () => isQuiet });
    await at.see([["a", "b", [collision("x"), collision("y", { severity: "medium" })]]]);
    await at.rounds();
    expect(at.desk.items("agenta")).toMatchObject([{ at: ["edit", "prompt"], files: ["/w/a/x"] }]);
    isQuiet = false;
    await at.rounds();
    expect(at.desk.items("agenta").map(({ at: moments }) => moments)).toEqual([
      ["edit", "prompt", "stop"],
      ["edit", "prompt"],
    ]);
  });

  testOnce(
    "a hook that died is offered its item again under another id; one that is telling is waited for",
    async () => {
      const at = await begun(["a", "b"]);
      await at.see([["a", "b", [collision("x")]]]);
      await at.rounds();
      const [first] = at.desk.takeUp("agenta", "prompt");
      here.clock.advance(11_000);
      await at.rounds();
      const [second] = at.desk.items("agenta");
      expect(second?.id).not.toBe(first?.id);
      // It is being told while it ends: its end is told too.
      const telling = at.desk.takeUp("agenta", "prompt");
      await at.see([["a", "b", []]]);
      await at.rounds();
      expect(at.desk.items("agenta")).toHaveLength(1);
      await at.prove("agenta", telling);
      expect((await at.tell("agenta"))[0]?.text).toContain("No longer a problem:");
      // A record of somebody else's telling proves nothing.
      await at.prove("agentb", telling);
      expect((await listed(at, "agentb", true))[0]?.told_ms).toBeNull();
    },
  );

  testOnce(
    "a record that comes after its item was given up still counts: its end is told, and nothing twice",
    async () => {
      const at = await begun(["a", "b"]);
      await at.see([["a", "b", [collision("x")]]]);
      await at.rounds();
      const late = at.desk.takeUp("agenta", "prompt");
      await at.see([["a", "b", []]]);
      here.clock.advance(11_000);
      await at.rounds();
      expect(at.desk.items("agenta")).toEqual([]);
      await at.prove("agenta", late);
      expect(at.desk.items("agenta")[0]?.text).toContain("No longer a problem:");
      // It comes back before that was said: its agent knows of it already.
      await at.see([["a", "b", [collision("x")]]]);
      await at.rounds();
      expect(at.desk.items("agenta")).toEqual([]);
      expect(await listed(at, "agenta")).toMatchObject([{ state: "told" }]);
    },
  );

  testOnce(
    "while its end is being told nothing is said of what came back, and then it is told anew, once",
    async () => {
      const at = await begun(["a", "b"]);
      await at.see([["a", "b", [collision("x")]]]);
      await at.rounds();
      await at.tell("agenta");
      await at.see([["a", "b", []]]);
      await at.rounds();
      const end = at.desk.takeUp("agenta", "prompt");
      await at.see([["a", "b", [collision("x", { evidenceKind: "mode x" })]]]);
      await at.rounds();
      expect(at.desk.takeUp("agenta", "prompt")).toEqual([]);
      await at.prove("agenta", end);
      expect(await at.tell("agenta")).toHaveLength(1);
      expect(at.desk.items("agenta")).toEqual([]);
    },
  );

  testOnce(
    "a hook that comes while its item is taken away gets nothing, and one that was faster is believed",
    async () => {
      const at = await begun(["a", "b"]);
      const { machine } = at;
      await at.see([["a", "b", [collision("x")]]]);
      await at.rounds();
      await at.see([["a", "b", []]]);
      const slower: unknown[] = [];
      const step = (name: string): void => {
        if (name === "notices.claimed") slower.push(...at.desk.takeUp("agenta", "prompt"));
      };
      at.machine = { ...machine, step };
      await at.rounds();
      expect(slower).toEqual([]);
      at.machine = machine;
      await at.see([["a", "b", [collision("x")]]]);
      await at.rounds();
      await at.see([["a", "b", []]]);
      // Between our look at the marks and our own mark, a hook makes its.
      const faster: HearItem[] = [];
      const claim = at.desk.claim.bind(at.desk);
      at.desk.claim = (agent, item) => {
        at.desk.claim = claim;
        faster.push(...at.desk.takeUp("agenta", "prompt"));
        return claim(agent, item);
      };
      await at.rounds();
      expect(faster).toHaveLength(1);
      expect(at.desk.items("agenta")).toHaveLength(1);
      await at.prove("agenta", faster);
      expect((await at.tell("agenta"))[0]?.text).toContain("No longer a problem:");
    },
  );

  test("an exclusive claim denies the edit to everybody else who works there, and its end reaches who met it", async () => {
    const at = await begun(["a", "b", "c"]);
    await at.see([]);
    const wish = {
      repository,
      top: "/w/a",
      cwd: "/w/a",
      agent: "agenta",
      forMs: 3_600_000,
      severity: "medium" as const,
    };
    const words = [{ word: "src/store", isThere: true }];
    const claim = await addClaim(at.context, { ...wish, words, reason: "moving it", isExclusive: true });
    await at.rounds();
    expect(at.desk.items("agenta")).toEqual([]);
    expect(at.desk.items("agentb")).toMatchObject([{ at: ["edit"], files: ["/w/b/src/store"], denies: true }]);
    await at.tell("agentb", "edit", "/w/b/src/store");
    // Told once, and denied as long as it lasts.
    expect(at.desk.items("agentb")).toMatchObject([{ denies: true }]);
    expect(await at.tell("agentb", "edit", "/w/b/src/store")).toEqual([]);
    await dropClaim(at.context, { id: claim.id });
    await at.rounds();
    expect(at.desk.items("agentb")).toMatchObject([{ at: ["edit", "prompt"] }]);
    expect(at.desk.items("agentb")[0]?.denies).toBeUndefined();
    expect(at.desk.items("agentc")).toEqual([]);
  });

  test("a claim that was never signed, or is not what was signed, keeps nobody from editing", async () => {
    const at = await begun(["a", "b"]);
    await at.see([]);
    at.verify = (sig) =>
      sig === "ours" ? { ok: true, key: "k", holder: "constellation" } : { ok: false, why: "wrong" };
    const said = { at_ms: 1, by: "agenta", known: "kernel" };
    const cases: [signature: string | null, denied: number][] = [
      [JSON.stringify({ ...said, sig: "ours" }), 1],
      [JSON.stringify({ ...said, sig: "another's" }), 0],
      ["nonsense", 0],
      [null, 0],
    ];
    const words = [{ word: "src/store", isThere: true }];
    const wish = { repository, top: "/w/a", cwd: "/w/a", agent: "agenta", forMs: 3_600_000, severity: "high" } as const;
    await addClaim(at.context, { ...wish, words, reason: "mine", isExclusive: true });
    for (const [signature, denied] of cases) {
      await here.store.write((tx) => tx.db.updateTable("claims").set({ signature }).execute());
      await at.rounds();
      expect([signature, at.desk.items("agentb").filter(({ denies }) => denies === true)]).toHaveProperty(
        "1.length",
        denied,
      );
    }
  });

  testOnce(
    "a finding that blocks denies the edit of its files to both sides, also who was told of it, until it ends",
    async () => {
      const at = await begun(["a", "b"]);
      await at.see([["a", "b", [collision("x")]]]);
      await at.rounds();
      await at.tell("agenta");
      const { id } = await here.store.db.selectFrom("findings").select("id").executeTakeFirstOrThrow();
      await blockFinding(at.context, { id, blocking: true });
      await at.rounds();
      for (const name of ["a", "b"]) {
        expect(at.desk.items(`agent${name}`)).toMatchObject([{ files: [`/w/${name}/x`], denies: true }]);
      }
      const [denial] = await at.tell("agenta");
      expect(denial?.text).toContain(
        "what to do: Work elsewhere: it was marked as blocking, and edits of these files are",
      );
      expect(denial?.text).toContain(
        `(constel conflicts block ${id} --off). What would settle it: Take in the other's`,
      );
      expect(at.desk.items("agenta")).toMatchObject([{ denies: true }]);
      await at.see([["a", "b", []]]);
      await at.rounds();
      expect(at.desk.items("agentb")).toEqual([]);
      const [end] = await at.tell("agenta");
      expect([end?.denies, end?.text.includes("No longer a problem:")]).toEqual([undefined, true]);
      expect(at.desk.items("agenta")).toEqual([]);
      await expect(blockFinding(at.context, { id, blocking: true })).rejects.toMatchObject({ code: "finding.unknown" });
    },
  );

  test("one event for a thousand agents is one write, and never comes back to who caused it", async () => {
    const at = await begun(["a", "b"]);
    const guests = Array.from({ length: 1_000 }, (_, number) => ({
      agent: `agentg${number}`,
      runtime: "claude",
      cwd: "/elsewhere",
    }));
    at.machine = { ...at.machine, guests: () => guests };
    const recipients = guests.map(({ agent }) => agent);
    let writes = 0;
    const { write } = here.store;
    const store = {
      ...here.store,
      write: ((job) => {
        writes += 1;
        return write(job);
      }) as typeof write,
    };
    const receipt = await addressEvent(
      { ...at.context, store },
      { event: "branch.ready", causedBy: "agentg7", recipients, severity: "low", text: "a is ready" },
      { guests },
    );
    expect([receipt.recipients.length, writes]).toEqual([999, 1]);
    await at.rounds();
    expect(at.desk.items("agentg7")).toEqual([]);
    expect(at.desk.items("agentg8")[0]?.text).toContain("a is ready");
    const before = at.desk.written;
    await at.rounds();
    expect(at.desk.written).toBe(before);
    await at.tell("agentg8");
    expect(await listed(at, "agentg8")).toEqual([]);
    expect(await listed(at, "agentg8", true)).toMatchObject([{ state: "told", kind: "branch.ready" }]);
  });

  test("subscribers, claim holders and those who can do it are addressed, each with the reason", async () => {
    const at = await begun(["a", "b", "c", "d", "e"]);
    const none = { paths: [], topics: [], services: [], capabilities: [] };
    await subscribe(at.context, { ...none, agent: "agentb", paths: ["src/api/**"] });
    await subscribe(at.context, { ...none, agent: "agentc", topics: ["release"], capabilities: ["review"] });
    await subscribe({ ...at.context, actor: "agentd" }, { ...none, services: ["billing"] });
    // Who never subscribed has nothing to end.
    expect(await subscribe(at.context, { ...none, agent: "agenta" })).toMatchObject({ subscriptions: 0, before: 0 });
    await subscribe(at.context, { ...none, agent: "agenta", topics: ["one", "two"] });
    expect(await subscribe(at.context, { ...none, agent: "agenta" })).toMatchObject({ subscriptions: 0, before: 2 });
    await expect(subscribe({ ...at.context, actor: "agentd" }, { ...none, agent: "agenta" })).rejects.toMatchObject({
      code: "notice.not-yours",
    });
    const words = [{ word: "src/api", isThere: true }];
    const wish = { repository, top: "/w/a", cwd: "/w/a", words, agent: "agenta", forMs: 1_000_000, reason: "" };
    await addClaim(at.context, { ...wish, severity: "low" });
    const { recipients } = await addressEvent(at.context, {
      event: "schema.changed",
      causedBy: "agente",
      repository,
      paths: ["src/api/users.ts"],
      topics: ["release"],
      services: ["billing"],
      capability: "review",
      recipients: ["agente"],
      severity: "medium",
      text: "users have another shape",
    });
    expect(
      Object.fromEntries(recipients.map(({ agent, reasons }) => [agent, reasons.map(({ rule }) => rule)])),
    ).toEqual({
      agenta: ["claim holder"],
      agentb: ["subscriber"],
      agentc: ["subscriber", "capability"],
      agentd: ["subscriber"],
    });
  });

  test("an agent without hooks is told by one message, at a turn of its own", async () => {
    const at = await begun(["a", "b"], { hasHooks: (runtime) => runtime !== "plain" });
    const seen = async (state: string): Promise<void> => {
      const row = {
        constellation: "constel0",
        agent: "agentb",
        role: "clone",
        runtime: "plain",
        wanted: "up",
        seen: state,
        seen_until_ms: null,
        evidence_on: "",
        evidence_says: "",
        evidence_at_ms: null,
        since_ms: 0,
        launched_ms: 0,
        session_id: null,
        task: null,
        cwd: "/root",
        model: null,
        mail_held: null,
        resume_due_ms: null,
        updated_ms: 0,
      };
      await here.store.write(async ({ db }) => {
        await db.deleteFrom("agents").execute();
        await db.insertInto("agents").values(row).execute();
      });
    };
    await seen("idle");
    const files = ["x", "y", "z"].map((path) => collision(path, { severity: "medium" }));
    await at.see([["a", "b", files]]);
    await at.rounds();
    expect(at.sent).toEqual([]);
    await seen("busy");
    await at.rounds();
    await at.rounds();
    expect(at.sent.map(({ agent }) => agent)).toEqual(["agentb"]);
    const [message] = at.sent;
    expect(message?.text).toContain("same lines of z");
    expect(at.desk.hear("agentb")).toBeUndefined();
    expect((await listed(at, "agentb")).map(({ state }) => state)).toEqual(["waiting", "waiting", "waiting"]);
    const { nextRow } = await import("../messages/account.ts");
    const content = {
      message_id: message?.id ?? "",
      kind: "notice",
      thread: null,
      in_reply_to: null,
      task: null,
      text: "",
      text_bytes: 0,
    };
    const sighting = { name: "n", receiver: "agentb", sender: "agentnotices", atMs: here.clock.nowMs(), content };
    await here.store.write(async (tx) => {
      await tx.insert(
        "messages",
        nextRow(undefined, "constel0", { ...sighting, state: "delivered", evidence: "bound" }),
      );
    });
    await at.rounds();
    expect((await listed(at, "agentb"))[0]).toMatchObject({ state: "told", told_by: `message ${message?.id}` });
    expect(at.sent).toHaveLength(1);
  });

  testOnce(
    "an agent that is known by its worktree alone, and never had a hook, is told by a message that it takes when it likes",
    async () => {
      const at = await begun(["a", "b"], { hasHooks: (runtime, agent) => runtime !== undefined || agent === "agenta" });
      await at.see([["a", "b", [collision("x", { severity: "medium" })]]]);
      await at.rounds();
      expect(at.desk.items("agenta")).toHaveLength(1);
      expect(at.desk.hear("agentb")).toBeUndefined();
      expect(at.sent.map(({ agent, text }) => [agent, text.includes("same lines of x")])).toEqual([["agentb", true]]);
      await at.rounds();
      expect(at.sent).toHaveLength(1);
    },
  );

  testOnce("an agent is done with its own notices only, and hears again of another kind of evidence", async () => {
    const at = await begun(["a", "b"]);
    await at.see([["a", "b", [collision("x")]]]);
    await at.rounds();
    const [notice] = await listed(at, "agenta");
    const id = notice?.id ?? "";
    expect(await handleNotice(at.context, { id })).toMatchObject({ state: "waiting" });
    await at.tell("agenta");
    await expect(handleNotice({ ...at.context, actor: "agentb" }, { id })).rejects.toMatchObject({
      code: "notice.not-yours",
    });
    expect(await handleNotice({ ...at.context, actor: "agenta" }, { id })).toMatchObject({ state: "handled" });
    await at.rounds();
    expect(at.desk.items("agenta")).toEqual([]);
    await at.see([["a", "b", [collision("x", { evidenceKind: "modify/delete x" })]]]);
    await at.rounds();
    expect(at.desk.items("agenta")).toHaveLength(1);
    expect((await listed(at, "agenta"))[0]?.state).toBe("waiting");
  });

  test("what an agent's own change or landing ended is handled, with that as the evidence; what another's ended is withdrawn", async () => {
    const at = await begun(["a", "b"]);
    const ends = async (ending: Parameters<typeof at.see>[1]) => {
      await at.see([["a", "b", [collision("x")]]], { trees: { a: "t2", b: "t2" } });
      await at.rounds();
      for (const agent of ["agenta", "agentb"]) expect(await at.tell(agent)).toHaveLength(1);
      here.clock.advance(1_000);
      await at.see([["a", "b", []]], ending);
      await at.rounds();
      for (const agent of ["agenta", "agentb"]) expect(await at.tell(agent)).toHaveLength(1);
      const newest = new Map((await listed(at, undefined, true)).map((one) => [one.agent, one] as const).toReversed());
      return ["agenta", "agentb"].map((agent) => {
        const { state, handled_by: by } = newest.get(agent) ?? { state: "none", handled_by: null };
        return [state, by?.replace(/fnd_\S+/, "it") ?? null];
      });
    };
    here.clock.advance(1_000);
    expect(await ends({ trees: { a: "t3", b: "t2" } })).toEqual([
      ["handled", "its own change in /w/a closed it"],
      ["withdrawn", null],
    ]);
    here.clock.advance(1_000);
    expect(await ends({ trees: { a: "t2", b: "t3" } })).toEqual([
      ["withdrawn", null],
      ["handled", "its own change in /w/b closed it"],
    ]);
    here.clock.advance(1_000);
    expect(await ends({ trees: { a: "t2", b: "t2" }, landed: ["/w/b"] })).toEqual([
      ["withdrawn", null],
      ["handled", "its own change in /w/b closed it"],
    ]);
  });

  test("what its agent ended and then brought back is told and no longer handled; what somebody called done stays so", async () => {
    const at = await begun(["a", "b"]);
    const open = async (tree: string) => {
      await at.see([["a", "b", [collision("x")]]], { trees: { a: tree } });
      await at.rounds();
    };
    const standing = async () =>
      (await listed(at, "agenta", true)).map(({ state, handled_by: by }) => [state, by?.replace(/fnd_\S+/, "it")]);
    await open("t2");
    expect(await at.tell("agenta")).toHaveLength(1);
    here.clock.advance(1_000);
    await at.see([["a", "b", []]], { trees: { a: "t3" } });
    await at.rounds();
    expect(await standing()).toEqual([["handled", "its own change in /w/a closed it"]]);
    await open("t2");
    expect([await standing(), at.desk.items("agenta")]).toEqual([[["told", undefined]], []]);
    const [notice] = await listed(at, "agenta");
    await handleNotice({ ...at.context, actor: "agenta" }, { id: notice?.id ?? "" });
    await open("t4");
    expect(await standing()).toEqual([["handled", "agenta"]]);
  });

  test("an event is handled once its agent took the task, settled the decision, or acknowledged the message", async () => {
    const at = await begun(["a", "b"]);
    const event = { event: "hand-off", severity: "high" as const, recipients: ["agenta"] };
    await addressEvent(at.context, { ...event, text: "take it", task: 12 });
    await addressEvent(at.context, { ...event, text: "decided", decision: "dec_1" });
    await addressEvent(at.context, { ...event, text: "read it" });
    await at.rounds();
    expect(await at.tell("agenta")).toHaveLength(3);
    const states = async () =>
      Object.fromEntries(
        (await listed(at, "agenta", true)).map(({ title, state, handled_by: by }) => [title, by ?? state]),
      );
    expect(await states()).toEqual({ "take it": "told", decided: "told", "read it": "told" });
    // What others do says nothing of this agent.
    const accepts = async (actor: string) => {
      const event = { type: "decision.accepted", subject: "decision:dec_1", actor, data: {} };
      await here.store.write(async (tx) => void (await tx.record(event)));
      await at.rounds();
    };
    await accepts("agentb");
    expect((await states())["decided"]).toBe("told");
    await accepts("agenta");
    const dispatch = { constellation: at.context.constellation, task: 12, workspace: null, state: "delivered" };
    const rest = { fencing_token: 1, asked_ms: 1, ended_ms: null, problem: null, about: null, said_ready_ms: null };
    const more = { told_ms: null, left_ms: null, fetch: 0, notes: "[]", brief: null };
    const nowMs = here.clock.nowMs();
    await here.store.write(async (tx) => {
      const row = { id: "dsp_1", agent: "agenta", delivered_ms: nowMs, ...dispatch, ...rest, ...more };
      await tx.insert("dispatches", row);
      await tx.db
        .updateTable("agent_notices")
        .set({ told_by: "message tel_1" })
        .where("title", "=", "read it")
        .execute();
    });
    const message = { name: "n", receiver: "agenta", constellation: at.context.constellation, message_id: "tel_1" };
    const blank = { kind: null, thread: null, in_reply_to: null, task: null, text: null, text_bytes: null };
    const proof = { because: null, evidence: null, verified_by: null, sent_ms: 1, delivered_ms: 1, acked_ms: 1 };
    const none = { unknown_ms: null, poisoned_ms: null, sender: "agentnotices", state: "acked" };
    await here.store.write((tx) => tx.insert("messages", { ...message, ...blank, ...proof, ...none }));
    await at.rounds();
    expect(await states()).toEqual({
      "take it": "it took task 12",
      decided: "it accepted decision dec_1",
      "read it": "it acknowledged message tel_1",
    });
  });

  test("an event that only the predecessor heard is told again for a day, unless somebody dealt with it", async () => {
    const at = await begun(["a"]);
    const told = async (session: string): Promise<number> => {
      at.machine.conversations.heard("agenta", session);
      await at.rounds();
      return (await at.tell("agenta", "prompt", undefined, session)).length;
    };
    await at.launch("agenta", "one");
    const say = (text: string) =>
      addressEvent(at.context, { event: "hand-off", severity: "medium", text, recipients: ["agenta"] });
    await say("the old one");
    expect(await told("one")).toBe(1);
    here.clock.advance(25 * 3_600_000);
    await say("take over the parser");
    const { recipients } = await say("done with already");
    expect(await told("one")).toBe(2);
    await handleNotice(at.context, { id: recipients[0]?.notice ?? "" });
    await at.launch("agenta", "two");
    await at.rounds();
    expect(at.desk.items("agenta").map(({ text }) => /take over|done with|old one/.exec(text)?.[0])).toEqual([
      "take over",
    ]);
    expect(await told("two")).toBe(1);
    expect(await told("two")).toBe(0);
  });

  test("what the owner dismissed is withdrawn from who was told, and what is long over is let go of", async () => {
    const at = await begun(["a", "b"]);
    await at.see([["a", "b", [collision("x")]]]);
    await at.rounds();
    await at.tell("agenta");
    const finding = await here.store.db.selectFrom("findings").select("id").executeTakeFirstOrThrow();
    await dismissFinding(at.context, { id: finding.id, reason: "agreed", scope: "finding" });
    await at.rounds();
    expect((await at.tell("agenta"))[0]?.text).toContain("(dismissed: agreed)");
    expect(at.desk.items("agentb")).toEqual([]);
    here.clock.advance(1_000);
    const removed = await pruneNotices(at.context, here.clock.nowMs());
    expect(removed).toEqual({ removed: 5, more: false });
    expect(await listed(at, undefined, true)).toEqual([]);
  });

  testOnce("a death at any step of a round loses nothing and tells nothing twice", async () => {
    for (const step of ["notices.reviewed", "notices.claimed", "notices.written", "notices.laid"]) {
      const file = `${step}.ts`;
      const at = await begun(["a", "b"]);
      const dying = { ...at.machine, step: (name: string) => expect(name).not.toBe(step) };
      const alive = at.machine;
      const dies = async (): Promise<void> => {
        at.machine = dying;
        await at.rounds().catch(() => {});
        at.machine = alive;
      };
      await at.see([["a", "b", [collision(file)]]]);
      await dies();
      await at.rounds();
      expect((await at.tell("agenta")).map(({ text }) => text.includes(file))).toEqual([true]);
      // Agent b's item is replaced by one that says more: in between the daemon dies.
      await at.see([["a", "b", [collision(file, { evidenceKind: `content ${file}\nmode ${file}` })]]]);
      await dies();
      here.clock.advance(11_000);
      await at.rounds();
      expect(at.desk.takeUp("agentb", "prompt").map(({ text }) => text.includes(file))).toEqual([true]);
      expect(at.desk.items("agentb")).toHaveLength(1);
      await at.see([["a", "b", []]]);
      here.clock.advance(11_000);
      await at.rounds();
      // What its hook took up was never told, as far as anybody knows: nothing is left to say.
      expect(at.desk.items("agentb")).toEqual([]);
      await at.tell("agenta");
    }
  });
}
