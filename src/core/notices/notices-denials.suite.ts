// Edits that are denied: what an exclusive claim or a blocking finding keeps others from, and until when.

import { expect, test } from "bun:test";
import { addClaim, dropClaim } from "../claims/claim.ts";
import { blockFinding } from "../findings/block.ts";
import type { NoticesGround } from "./notices-ground.suite.ts";
import { collision, repository } from "./notices-scene.suite.ts";
import { rejection } from "../../../test/kit/rejection.ts";

export function denialsSuite({ here, testOnce, begun }: NoticesGround): void {
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

  test("an exclusive claim of the whole repository denies, and one of a pattern is refused", async () => {
    const at = await begun(["a", "b"]);
    await at.see([]);
    const wish = { repository, top: "/w/a", cwd: "/w/a", agent: "agenta", forMs: 3_600_000, severity: "high" } as const;
    const claim = (...words: string[]) =>
      addClaim(at.context, {
        ...wish,
        words: words.map((word) => ({ word, isThere: !word.includes("*") })),
        reason: "",
        isExclusive: true,
      });
    for (const words of [["*.sql"], ["src", "src/**/*.ts"]])
      expect(await rejection(claim(...words))).toMatchObject({ code: "claim.pattern" });
    await at.rounds();
    expect(at.desk.items("agentb")).toEqual([]);
    await claim(".");
    await at.rounds();
    const [item] = at.desk.items("agentb");
    expect(item).toMatchObject({ at: ["edit"], files: ["/w/b"], denies: true });
    expect(item?.text).toContain("agenta has claimed the whole repository for itself");
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
      expect(await rejection(blockFinding(at.context, { id, blocking: true }))).toMatchObject({
        code: "finding.unknown",
      });
    },
  );
}
