import { expect, test } from "bun:test";
import type { DoctorContext, PeerSeen } from "./check.ts";
import { meshChecks } from "./mesh-checks.ts";

async function saw(...peers: Partial<PeerSeen>[]): Promise<(readonly [string, string, string])[]> {
  const usual: PeerSeen = { name: "desk", state: "away", step: null, evidence: "", clock_ahead_ms: null };
  const context = {
    daemonNow: async () => "answers",
    meshPeers: async () => peers.map((peer) => ({ ...usual, ...peer })),
  } as unknown as DoctorContext;
  const results = await Promise.all(meshChecks.map(({ look }) => look(context)));
  return results.flat().map(({ state, saw: what, mend = "" }) => [state, what, mend] as const);
}

test("a peer that cannot be reached is explained by its step, each with a way on", async () => {
  const steps = ["name", "route", "port", "program", "wire", "key", "version", "silence"];
  const told = await saw(...steps.map((step) => ({ step, evidence: "as it said" })));
  expect(told.map(([, what]) => what)).toEqual(
    steps.map((step) => `the peer desk cannot be reached (${step}): as it said`),
  );
  expect(new Set(told.map(([, , mend]) => mend)).size).toBe(steps.length);
});

test("a clock that is far off is told, a little is not; an entry that somebody planted is broken", async () => {
  expect(await saw({ state: "connected", clock_ahead_ms: 2_000 })).toEqual([]);
  expect((await saw({ state: "connected", clock_ahead_ms: -86_400_000 }))[0]?.[1]).toBe(
    "the clock of the peer desk is 1440 min behind this one",
  );
  expect((await saw({ state: "planted" }))[0]?.[0]).toBe("broken");
  expect(await saw({ state: "waiting" }, { state: "connected" })).toEqual([]);
});
