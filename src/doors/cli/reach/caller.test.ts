import { expect, test } from "bun:test";
import { daemonsKeys, variableOf } from "../../../settings/declarations.ts";
import { mayHaveSettings } from "./caller.ts";

test("every setting that only the daemon reads is noticed when it is given, and what every agent has is not taken for one", () => {
  expect(daemonsKeys.length).toBeGreaterThan(20);
  for (const key of daemonsKeys)
    expect([key, mayHaveSettings({ flags: {}, env: { [variableOf(key)]: "1" } })]).toEqual([key, true]);
  expect(mayHaveSettings({ flags: { set: ["http.port=1"] }, env: {} })).toBe(true);
  const agents = { CONSTEL_HOME: "/h", CONSTEL_AGENT: "agent1", CONSTEL_HOOK_FILE: "/f", CONSTEL_TMUX_SOCKET: "s" };
  expect(mayHaveSettings({ flags: { set: [] }, env: agents })).toBe(false);
});
