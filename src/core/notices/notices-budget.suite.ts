// Tests how much agents are told at once: what belongs together in one piece, an hour's budget, and quiet hours.

import { expect } from "bun:test";
import type { NoticesGround } from "./notices-ground.suite.ts";
import { collision } from "./notices-scene.suite.ts";

export function budgetSuite({ here, testOnce, begun, listed }: NoticesGround): void {
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
    // News that is high is told all the same; the rest waits for the hour to pass.
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
    const momentsOf = Object.fromEntries(
      at.desk.items("agenta").map(({ files, at: moments }) => [files?.join(), moments]),
    );
    expect(momentsOf).toEqual({ "/w/a/x": ["edit", "prompt", "stop"], "/w/a/y": ["edit", "prompt"] });
  });
}
