// A hook of an agent whose start has not yet written down its process: the test plays both.

import { expect, test } from "bun:test";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { writeLaunch } from "../../floor/agents/launch-files.ts";
import { systemClock } from "../../host/clock/system-clock.ts";
import { signingKey } from "../../host/keys/key-files.ts";
import { sealForConstel } from "../../host/keys/seal-for-constel.ts";
import { markOf } from "../../host/process/liveness.ts";
import { readHooks } from "../../host/runtime/hook-records.ts";
import type { AgentLaunch } from "../../ports/agent-launch.ts";
import { leaveRecord } from "./leave-record.ts";

test("what an agent's hook leaves before its start has written down its process is the agent's word all the same", async () => {
  using at = temporaryDirectory("leave-record");
  const home = at.path;
  for (const holder of ["constellation", "agent1"]) signingKey(home, holder, systemClock);
  const launch = {
    agent: "agent1",
    role: "clone",
    wanted: "up",
    runtime: "script",
    launch: { home },
    tmuxSocket: "constel-abc",
    sinceMs: 0,
    because: "up",
  } as unknown as AgentLaunch;
  writeLaunch(home, launch, sealForConstel(home));
  const imports = ["floor/agents/own-start", "floor/agents/household", "host/process/belongs-to"];
  await Promise.all(imports.map((name) => import(`../../${name}.ts`)));
  const left = leaveRecord(home, "agent1", { event: "prompt-submitted", at: 1, session: "s", messages: ["m1"] });
  // All that it imports is loaded: these turns are enough for one that does not wait.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(readHooks(home, "agent1", 0)).toEqual([]);
  const leader = markOf(process.pid);
  writeLaunch(home, { ...launch, ...(leader === undefined ? {} : { leader }) }, sealForConstel(home));
  await left;
  expect(readHooks(home, "agent1", 0)).toMatchObject([{ event: "prompt-submitted", messages: ["m1"] }]);
});
