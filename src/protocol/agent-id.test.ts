import { describe, expect, test } from "bun:test";
import { agentIdentity, agentOfFile, isAgentId, isNumberedAgent, restartCommand, startCommand } from "./agent-id.ts";
import { Refusal } from "./errors.ts";

const checkId = (id: unknown, isId: boolean, isNumbered: boolean): void => {
  test(`${JSON.stringify(id)?.slice(0, 40)} ${isId ? "is" : "is not"} an id`, () => {
    expect(isAgentId(id)).toBe(isId);
    expect(isNumberedAgent(id)).toBe(isNumbered);
  });
};

describe("agent ids", () => {
  checkId("agent0", true, true);
  checkId("agent12", true, true);
  checkId("agentcron", true, false);
  checkId("agentinfinity", true, false);
  checkId("agent1x", true, false);
  checkId(`agent${"x".repeat(32)}`, true, false);
  checkId(`agent${"x".repeat(33)}`, false, false);
  checkId("agent999999", true, true);
  checkId("agent1000000", false, false);
  checkId("agent00", false, false);
  checkId("agent07", false, false);
  checkId("agent07x", true, false);
  checkId("agent", false, false);
  checkId("Agent1", false, false);
  checkId("agentCron", false, false);
  checkId("agent-1", false, false);
  checkId("agent1\n", false, false);
  checkId("agent/../x", false, false);
  checkId("owner", false, false);
  checkId("", false, false);
  checkId(7, false, false);
  checkId(`agent${"1".repeat(60)}`, false, false);
  checkId("agent１", false, false);
});

test("a file's name tells its agent, with nothing but the ending behind it", () => {
  expect(agentOfFile("agent3.json", ".json")).toBe("agent3");
  expect(agentOfFile("agent3.1.jsonl", ".1.jsonl", ".jsonl")).toBe("agent3");
  for (const name of [
    "agent3",
    "agent.json",
    "agent03.json",
    "agent3.json.1",
    "x/agent3.json",
    `agent${"x".repeat(40)}.json`,
  ])
    expect(agentOfFile(name, ".json")).toBeUndefined();
});

describe("identity", () => {
  test("comes with the role", () => {
    expect(agentIdentity(undefined)).toEqual({ agent: "agent0", role: "root" });
    expect(agentIdentity("")).toEqual({ agent: "agent0", role: "root" });
    expect(agentIdentity("agent0").role).toBe("root");
    expect(agentIdentity("agent12").role).toBe("clone");
    expect(agentIdentity("agentinfinity").role).toBe("watchdog");
  });

  test("is refused when it cannot be an agent's", () => {
    for (const agent of ["root", "agent", "agent-1", "agent0 ", "agent0\n", "AGENT0", "agent00"]) {
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
