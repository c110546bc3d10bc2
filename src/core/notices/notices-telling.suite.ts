// The moment of telling, when a hook, the daemon or the finding itself does not wait for the others: nothing is lost, and nothing told twice.

import { expect } from "bun:test";
import type { HearItem } from "../../protocol/hear.ts";
import type { NoticesGround } from "./notices-ground.suite.ts";
import { collision } from "./notices-scene.suite.ts";

export function tellingSuite({ here, testOnce, begun, listed }: NoticesGround): void {
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
      // The item that its hook took up was never told, as far as anybody knows: nothing is left to say.
      expect(at.desk.items("agentb")).toEqual([]);
      await at.tell("agenta");
    }
  });
}
