import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "../protocol/errors.ts";
import { agentIdentity } from "./agent-id.ts";
import { refuseByIdentity } from "./authority.ts";
import { temporaryDirectory } from "./floor.suite.ts";
import { refuseOutsideRoot } from "./guard.ts";

function check(agent: string, verb: string, allowed: boolean): void {
  const refusal = refuseByIdentity(agentIdentity(agent), verb.split(" "));
  expect([verb, refusal?.code]).toEqual([verb, allowed ? undefined : "authority.clone"]);
}

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

describe("authority", () => {
  test("a clone may not change the constellation", () => {
    for (const verb of [
      "up",
      "down",
      "restart",
      "agent",
      "agentinfinity",
      "onboard",
      "quiet",
      "quiet off",
      "escalate",
      "config set",
      "task create",
      "task dispatch",
      "task harvest",
      "cron add",
      "loop create",
    ]) {
      check("agent3", verb, false);
      check("agent0", verb, true);
      check("agentinfinity", verb, true);
    }
  });

  test("a clone may do its work", () => {
    for (const verb of [
      "session up",
      "channel drain",
      "task ready",
      "task show",
      "query",
      "config show",
      "quiet show",
      "agents",
      "constructor",
      "toString",
    ]) {
      check("agent3", verb, true);
    }
  });
});

describe("the guard of the root directory", () => {
  const home = "/nowhere/home";

  test("lets verbs that change the constellation run inside it only", () => {
    const root = temporaryDirectory();
    mkdirSync(join(root, "src"));
    mkdirSync(`${root}-other`);
    try {
      expect(refuseOutsideRoot({ home, root, cwd: root }, ["up"])).toBeUndefined();
      expect(refuseOutsideRoot({ home, root, cwd: join(root, "src") }, ["up"])).toBeUndefined();
      expect(refuseOutsideRoot({ home, root, cwd: `${root}-other` }, ["up"])?.code).toBe("root.outside");
      expect(refuseOutsideRoot({ home, root, cwd: "/" }, ["task", "create"])?.code).toBe("root.outside");
      expect(refuseOutsideRoot({ home, root, cwd: "/" }, ["task", "list"])).toBeUndefined();
      expect(refuseOutsideRoot({ home, root, cwd: "/" }, ["onboard"])).toBeUndefined();
    } finally {
      rmSync(`${root}-other`, { recursive: true });
    }
  });

  test("knows the same directory by another name", () => {
    const root = temporaryDirectory();
    const link = join(temporaryDirectory(), "link");
    symlinkSync(root, link);
    expect(refuseOutsideRoot({ home, root: link, cwd: root }, ["up"])).toBeUndefined();
  });

  test("does not stand in home-only mode", () => {
    const both = temporaryDirectory();
    expect(refuseOutsideRoot({ home: both, root: both, cwd: "/" }, ["up"])).toBeUndefined();
  });
});
