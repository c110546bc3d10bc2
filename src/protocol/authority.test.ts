import { describe, expect, test } from "bun:test";
import { allCommands } from "../doors/cli/manifest/all.ts";
import { type Audience, askerNamed, refuseUnlessAllowed } from "./authority.ts";
import { Refusal } from "./errors.ts";
import { operations } from "./operations/all.ts";

function check(name: string, may: Audience, code: string | undefined): void {
  expect([name, may, refuseUnlessAllowed(askerNamed(name), may, "x")?.code]).toEqual([name, may, code]);
}

describe("who may", () => {
  test("each audience admits its roles and nobody else", () => {
    for (const name of ["owner", "agent0", "agentinfinity", "agent3"]) check(name, "everybody", undefined);
    for (const name of ["owner", "agent0", "agentinfinity"]) check(name, "operators", undefined);
    check("agent3", "operators", "authority.clone");
    // A name that only looks like the root's is not the root's.
    check("agent00", "operators", "authority.clone");
    check("owner", "owner", undefined);
    for (const name of ["agent0", "agentinfinity", "agent3"]) check(name, "owner", "authority.owner");
  });

  test("a name that is nobody's is refused, and does not pass for the owner's", () => {
    for (const name of ["", "root", "Owner", "owner ", "agent", "agent-1", "agent0\n", "AGENT0"])
      expect(() => askerNamed(name)).toThrow(Refusal);
  });
});

describe("what is declared", () => {
  // Written out, so that opening one of them to clones is a change that somebody sees.
  test("a clone may change nothing but its own work", () => {
    const open = Object.values(operations).filter(({ may, effect }) => may === "everybody" && effect !== "reads");
    expect(open.map(({ name }) => name).sort()).toEqual([
      "claim.add",
      "claim.drop",
      "notice.handle",
      "notice.subscribe",
      "repository.add",
      "task.ready",
      "timeline.announce",
      "worktree.observe",
      "worktree.touch",
    ]);
  });

  test("what destroys is for those who run the constellation", () => {
    const destroying = Object.values(operations).filter(({ effect }) => effect === "destroys");
    expect(destroying.length).toBeGreaterThan(0);
    expect(destroying.filter(({ may }) => may === "everybody")).toEqual([]);
  });

  test("a command without a daemon is open to clones only where it belongs to their work", async () => {
    const commands = await allCommands();
    const open = commands.filter((one) => one.tier === "floor" && one.may === "everybody" && one.effect !== "reads");
    expect(open.map(({ name }) => name).sort()).toEqual([
      "channel drain",
      "channel poison drop",
      "channel poison retry",
      "channel send",
      "daemon run",
      "db backup",
      "demo",
      "demo-agent",
      "doctor",
      "script-agent",
      "session down",
      "session up",
      "watchdog ticker",
    ]);
  });
});
