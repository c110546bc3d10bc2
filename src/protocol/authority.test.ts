import { describe, expect, test } from "bun:test";
import { allCommands } from "../doors/cli/manifest/all.ts";
import { type Asker, type Audience, askerFor, askerNamed, nobody, owner, refuseUnlessAllowed } from "./authority.ts";
import { Refusal } from "./errors.ts";
import { operations } from "./operations/all.ts";

function check(name: string, may: Audience, code: string | undefined): void {
  const refusal = refuseUnlessAllowed(askerNamed(name), { name: "x", may, effect: "writes" });
  expect([name, may, refusal?.code]).toEqual([name, may, code]);
}

describe("who may", () => {
  test("each audience admits its roles and nobody else", () => {
    for (const name of ["owner", "agent0", "agentinfinity", "agent3"]) check(name, "everybody", undefined);
    for (const name of ["owner", "agent0", "agentinfinity"]) check(name, "operators", undefined);
    check("agent3", "operators", "authority.clone");
    // A name that only looks like the root's is not the root's.
    check("agent0x", "operators", "authority.clone");
    expect(() => askerNamed("agent00")).toThrow("not an agent's id");
    check("owner", "owner", undefined);
    for (const name of ["agent0", "agentinfinity", "agent3"]) check(name, "owner", "authority.owner");
  });

  const refusalOf = (asker: Asker, may: Audience, effect: "reads" | "writes" | "destroys", name = "task.list") =>
    refuseUnlessAllowed(asker, { name, may, effect })?.code;

  test("a person who is not the owner", () => {
    const ann = askerNamed("human:ann");
    for (const may of ["anybody", "everybody", "operators"] as const) {
      expect(refusalOf(ann, may, "reads")).toBeUndefined();
      expect(refusalOf(ann, may, "writes")).toBeUndefined();
      expect(refusalOf(ann, may, "destroys")).toBe("authority.human");
    }
    expect(refusalOf(ann, "owner", "reads")).toBe("authority.human");
  });

  test("an observer only looks", () => {
    const wall = askerNamed("observer:wall");
    for (const may of ["anybody", "everybody", "operators"] as const) {
      expect(refusalOf(wall, may, "reads")).toBeUndefined();
      for (const effect of ["writes", "destroys"] as const)
        expect(refusalOf(wall, may, effect)).toBe("authority.observer");
    }
    expect(refusalOf(wall, "owner", "reads")).toBe("authority.observer");
  });

  test("a token covers what its scope names", () => {
    const maker = { ...owner, scope: ["token.*", "dashboard.open"] };
    expect(refusalOf(maker, "owner", "reads", "token.list")).toBeUndefined();
    for (const name of ["token.create", "dashboard.open"])
      expect(refusalOf(maker, "owner", "writes", name)).toBe("authority.scope");
    const limited = { ...owner, scope: ["task.*", "timeline.list"] };
    expect(refusalOf(limited, "owner", "destroys", "task.cancel")).toBeUndefined();
    expect(refusalOf(limited, "everybody", "reads", "timeline.list")).toBeUndefined();
    for (const name of ["timeline.announce", "tasks.list", "daemon.stop"])
      expect(refusalOf(limited, "everybody", "reads", name)).toBe("authority.scope");
  });

  test("a name that is nobody's is refused, and does not pass for the owner's", () => {
    for (const name of ["", "root", "Owner", "owner ", "agent", "agent-1", "agent0\n", "AGENT0"])
      expect(() => askerNamed(name)).toThrow(Refusal);
  });
});

describe("whose the asking process is", () => {
  test("the owner may act as an agent, an agent only as itself", () => {
    expect(askerFor({ to: "owner" }, null)).toEqual({ role: "owner", name: "owner" });
    expect(askerFor({ to: "owner" }, "agent3")).toEqual({ role: "clone", name: "agent3" });
    const own = { to: "agent", agent: "agent3" } as const;
    for (const named of [null, "owner", "agent3"])
      expect(askerFor(own, named)).toEqual({ role: "clone", name: "agent3" });
    for (const named of ["agent0", "agentinfinity", "agent4", "nobody", "Owner", ""])
      expect(() => askerFor(own, named)).toThrow(expect.objectContaining({ code: "identity.another" }));
  });

  test("nobody may look, and change nothing, whatever it calls itself", () => {
    const asker = askerFor({ to: "nobody", why: "cron started it" }, "owner");
    expect(asker).toEqual(nobody("cron started it"));
    const may = (audience: Audience, effect: "reads" | "writes" | "destroys"): string | undefined =>
      refuseUnlessAllowed(asker, { name: "x", may: audience, effect })?.code;
    expect(may("everybody", "reads")).toBeUndefined();
    expect(may("anybody", "writes")).toBeUndefined();
    for (const effect of ["writes", "destroys"] as const) expect(may("everybody", effect)).toBe("authority.nobody");
    for (const audience of ["operators", "owner"] as const) expect(may(audience, "reads")).toBe("authority.nobody");
  });
});

describe("what is declared", () => {
  // Written out, so that opening one of them to clones is a change that somebody sees.
  test("a clone may change nothing but its own work", () => {
    const open = Object.values(operations).filter(({ may, effect }) => may === "everybody" && effect !== "reads");
    expect(open.map(({ name }) => name).sort()).toEqual([
      "a2a.answer",
      "approval.wait",
      "artefact.add",
      "chat.reply",
      "chat.send",
      "chat.wait",
      "claim.add",
      "claim.drop",
      "decision.record",
      "decision.settle",
      "event.publish",
      "join.register",
      "memory.forget",
      "memory.pin",
      "memory.remember",
      "notice.handle",
      "notice.subscribe",
      "permission.ask",
      "repository.add",
      "review.answer",
      "schedule.add-loop",
      "schedule.remove",
      "schedule.reschedule",
      "sync.page",
      "task.handover",
      "task.ready",
      "timeline.announce",
      "worktree.observe",
      "worktree.touch",
    ]);
  });

  test("what destroys is for those who run the constellation, but for what an agent itself remembers or opened", () => {
    const destroying = Object.values(operations).filter(({ effect }) => effect === "destroys");
    expect(destroying.length).toBeGreaterThan(0);
    expect(
      destroying
        .filter(({ may }) => may === "everybody")
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["memory.forget", "schedule.remove"]);
  });

  test("a command without a daemon is open to clones only where it belongs to their work", async () => {
    const commands = await allCommands();
    const open = commands.filter((one) => one.tier === "floor" && one.may === "everybody" && one.effect !== "reads");
    expect(open.map(({ name }) => name).sort()).toEqual([
      "channel drain",
      "channel poison drop",
      "channel poison retry",
      "channel reply",
      "channel send",
      "channel wait",
      "db backup",
      "demo",
      "docs",
      "session down",
      "session up",
    ]);
  });
});

test("how it is known who asks goes along, and is said of nobody", () => {
  expect(askerFor({ to: "agent", agent: "agent1", by: "ancestor" }, null)).toEqual({
    role: "clone",
    name: "agent1",
    known: "kernel: ancestor",
  });
  expect(askerFor({ to: "owner", by: "no agent's process" }, "agent0")).toEqual({
    role: "root",
    name: "agent0",
    known: "kernel: no agent's process",
  });
  expect(askerFor({ to: "owner" }, null)).toEqual({ role: "owner", name: "owner" });
  expect(askerFor({ to: "nobody", why: "x" }, "owner")).toEqual({ role: "nobody", name: "nobody", why: "x" });
});

test("a process that is nobody's may look at what everybody may, and change nothing", () => {
  const refused = (may: Audience, effect: "reads" | "writes" | "destroys") =>
    refuseUnlessAllowed(nobody("it is not known who asks"), { name: "x", may, effect })?.code;
  expect(refused("everybody", "reads")).toBeUndefined();
  expect(refused("anybody", "writes")).toBeUndefined();
  expect([refused("everybody", "writes"), refused("operators", "reads"), refused("owner", "reads")]).toEqual(
    Array(3).fill("authority.nobody"),
  );
});
