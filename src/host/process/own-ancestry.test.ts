import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { systemClock } from "../clock/system-clock.ts";
import { signingKey } from "../keys/key-files.ts";
import { isConstels, sealForConstel } from "../keys/seal-for-constel.ts";
import { markOf } from "./liveness.ts";
import { isProcessOf } from "./own-ancestry.ts";

test.skipIf(process.platform !== "linux")(
  "this process is an agent's where constel wrote so; a file that anybody wrote says nothing once there is a key",
  () => {
    using directory = temporaryDirectory("own-ancestry");
    const home = directory.path;
    for (const name of ["keys", "state/agents"]) mkdirSync(join(home, name), { recursive: true, mode: 0o700 });
    const launch = JSON.stringify({ tmuxSocket: "constel-nowhere", leader: markOf(process.pid) });
    const write = (agent: string, text: string): void =>
      writeFileSync(join(home, `state/agents/${agent}.json`), `${text}\n`);
    write("agent1", launch);
    expect([isProcessOf(home, "agent1"), isProcessOf(home, "agent2")]).toEqual([true, false]);

    signingKey(home, "constellation", systemClock);
    expect(isProcessOf(home, "agent1")).toBe(false);
    const sealed = sealForConstel(home)(launch);
    write("agent1", sealed);
    expect(isProcessOf(home, "agent1")).toBe(true);
    // Changed afterwards, or sealed with another's secret.
    write("agent1", sealed.replace("constel-nowhere", "constel-elsewhere"));
    expect(isProcessOf(home, "agent1")).toBe(false);
    signingKey(home, "agent1", systemClock);
    for (const text of [launch, sealed.replace(/"seal":"./, '"seal":"_'), sealed.slice(0, -2), ""])
      expect([text, isConstels(home)(text)]).toEqual([text, false]);
    expect(isConstels(home)(sealed)).toBe(true);
  },
);
