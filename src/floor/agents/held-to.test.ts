// Limits of an agent that is driven over a pipe: where its program cannot be held to one, it is refused before it starts.

import { expect, test } from "bun:test";
import { rejection } from "../../../test/kit/rejection.ts";
import { runtimes } from "../../host/runtime/all.ts";
import type { Drive } from "../../ports/drive.ts";
import { fakeMachine } from "./agents.suite.ts";
import { checkWish } from "./start-agent.ts";

test("each program is given only the limits that it can be held to", async () => {
  const { ports } = fakeMachine({ root: false });
  const detected = { installed: true, path: "/bin/true", version: "1", matchesChecked: true };
  const machine = { ...ports, detect: () => Promise.resolve(detected) };
  const holds = async (name: string, drive: Drive): Promise<boolean> => {
    const runtime = runtimes.find((one) => one.name === name);
    if (runtime === undefined) throw new Error(name);
    const cause = await rejection(
      checkWish(machine, { agent: "agentwone", runtime, because: "agent", drive: { worker: true, ...drive } }),
    ).catch(() => undefined);
    if (cause !== undefined) expect(cause).toMatchObject({ code: "agent.cannot-drive" });
    return cause === undefined;
  };
  const driven = runtimes.filter(({ drives }) => drives !== undefined).map(({ name }) => name);
  const those = async (drive: Drive): Promise<string[]> => {
    const held = await Promise.all(driven.map(async (name) => ((await holds(name, drive)) ? [name] : [])));
    return held.flat();
  };
  expect(await those({})).toEqual(driven);
  expect(await those({ readOnly: true })).toEqual(["claude", "codex", "opencode", "qwen", "kimi"]);
  expect(await those({ tools: ["Read"] })).toEqual(["claude"]);
  expect(await those({ context: "fork" })).toEqual(["claude", "codex", "opencode", "script", "kimi"]);
  expect(await those({ context: { freshEvery: 3 } })).toEqual(driven);
});
