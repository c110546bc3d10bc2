import { describe, expect, test } from "bun:test";
import { agentIdentity, restartCommand, startCommand } from "./agent-id.ts";
import { Refusal } from "./errors.ts";

describe("identity", () => {
  test("comes with the role", () => {
    expect(agentIdentity(undefined)).toEqual({ agent: "agent0", role: "root" });
    expect(agentIdentity("")).toEqual({ agent: "agent0", role: "root" });
    expect(agentIdentity("agent0").role).toBe("root");
    expect(agentIdentity("agent12").role).toBe("clone");
    expect(agentIdentity("agentinfinity").role).toBe("watchdog");
    // A name that only looks like the root's is not the root's.
    expect(agentIdentity("agent00").role).toBe("clone");
  });

  test("is refused when it cannot be an agent's", () => {
    for (const agent of ["root", "agent", "agent-1", "agent0 ", "agent0\n", "AGENT0"]) {
      expect(() => agentIdentity(agent)).toThrow(Refusal);
    }
  });
});

test("what people are told to run is a command that takes that agent", () => {
  expect(["agent0", "agent12", "agentinfinity"].map(restartCommand)).toEqual([
    "constel restart agent0",
    "constel restart agent12",
    "constel agentinfinity --fresh",
  ]);
  expect(["agent12", "agentinfinity", "agentticker"].map(startCommand)).toEqual([
    "constel agent agent12",
    "constel agentinfinity",
    "constel up",
  ]);
});
