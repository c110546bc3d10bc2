import { expect, test } from "bun:test";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { begunScene, collision } from "./notices-scene.suite.ts";

const here = withStore(sqliteScene);
const guest = "agentg000000000001";

test("a session that nobody knew of when it started is told at its next prompt who is here, once, in that conversation alone", async () => {
  let ungreeted: { session: string; sinceMs: number } | undefined = { session: "s1", sinceMs: here.clock.nowMs() };
  const at = await begunScene(here, ["a", "b"], {
    guests: () => [{ agent: guest, runtime: "claude", cwd: "/w/b", ...(ungreeted === undefined ? {} : { ungreeted }) }],
  });
  await at.see([["a", "b", [collision("x")]]]);
  await at.rounds();
  for (const moment of ["edit", "stop"] as const)
    expect(at.desk.items(guest).filter((item) => item.at.includes(moment))).toHaveLength(1);
  expect(at.desk.items(guest).filter(({ to }) => to !== undefined && to !== "s1")).toEqual([]);
  const texts = (await at.tell(guest, "prompt", undefined, "s1")).map(({ text }) => text);
  expect(texts).toEqual([
    expect.stringContaining(`<constel-join>\nYou are ${guest}.`),
    expect.stringContaining("<constel-notice>"),
  ]);
  // The notice says it, and the packet need not.
  expect(texts[0]).not.toContain("same lines of x");
  expect(texts[0]).toContain("| agenta in");
  await at.rounds();
  expect(at.desk.items(guest)).toEqual([]);
  here.clock.advance(120_000);
  await at.rounds();
  expect(at.desk.items(guest)).toEqual([]);
  // Started again with its packet ready, it is owed nothing; started again unknown, it is.
  ungreeted = undefined;
  await at.rounds();
  expect(at.desk.items(guest)).toEqual([]);
  ungreeted = { session: "s1", sinceMs: here.clock.nowMs() };
  await at.rounds();
  expect(at.desk.items(guest)).toMatchObject([{ at: ["prompt"], to: "s1" }]);
  here.clock.advance(2 * 3_600_000);
  await at.rounds();
  expect(at.desk.items(guest)).toEqual([]);
});
