import { describe, expect, test } from "bun:test";
import type { Household } from "../../ports/household.ts";
import { belongsTo } from "./belongs-to.ts";
import type { ProcessRow, ProcessTable } from "./process-table.ts";

interface Planted {
  readonly parent: number;
  readonly started?: string;
  readonly terminal?: string;
  readonly name?: string;
  readonly zombie?: boolean;
  readonly group?: string;
  readonly environment?: readonly string[];
  readonly mark?: "agent" | "server";
}

const home = "/home/u/.constel";

/** agent1 (100) and the ticker (110) in the tmux server (90); the daemon (80); the owner's shell (50) in a terminal. */
const machine: Readonly<Record<number, Planted>> = {
  50: { parent: 40, terminal: "tty5", name: "bash" },
  40: { parent: 1, name: "terminal" },
  80: { parent: 1, name: "constel" },
  90: { parent: 1, name: "tmux: server" },
  100: { parent: 90, terminal: "pts1", started: "7", name: "claude" },
  110: { parent: 90, terminal: "pts2", started: "8", name: "constel" },
};

const household: Household = {
  home,
  agents: [
    { agent: "agent1", leader: { pid: 100, token: "ns-7" }, isOwners: false },
    { agent: "agent2", leader: { pid: 120, token: "ns-9" }, isOwners: false },
    { agent: "agentticker", leader: { pid: 110, token: "ns-8" }, isOwners: true },
  ],
  tmuxSockets: ["constel-abc"],
  daemonPid: 80,
};

function tableOf(planted: Readonly<Record<number, Planted>>): ProcessTable {
  const all: Readonly<Record<number, Planted>> = { ...machine, ...planted };
  const row = (pid: number): ProcessRow | undefined => {
    const one = all[pid];
    return one === undefined
      ? undefined
      : {
          pid,
          parent: one.parent,
          group: pid,
          session: pid,
          started: one.started ?? "1",
          terminal: one.terminal ?? "",
          name: one.name ?? "sh",
          zombie: one.zombie ?? false,
        };
  };
  return {
    row,
    rows: () => Object.keys(all).flatMap((pid) => row(Number(pid)) ?? []),
    environment: (pid) => all[pid]?.environment ?? [],
    group: (pid) => all[pid]?.group,
    mark: (pid) => all[pid]?.mark,
  };
}

/** Process 200 is the one that asks. */
function check(planted: Readonly<Record<number, Planted>>, expected: string): void {
  const found = belongsTo(200, household, tableOf(planted));
  expect(found.to === "agent" ? `${found.agent} by ${found.by}` : found.to).toBe(expected);
}

describe("whose a process is", () => {
  test("what the owner types is the owner's", () => {
    check({ 200: { parent: 50, terminal: "tty5" } }, "owner");
    check({ 200: { parent: 50 } }, "owner");
    // A container's entry, and what is started where there is no terminal at all.
    check({ 200: { parent: 0 } }, "owner");
    check({ 200: { parent: 1 } }, "owner");
  });

  test("what an agent starts is the agent's, however many processes are between", () => {
    check({ 200: { parent: 100, terminal: "pts1" } }, "agent1 by ancestor");
    check({ 200: { parent: 150 }, 150: { parent: 140 }, 140: { parent: 100 } }, "agent1 by ancestor");
  });

  test("in an agent's control group it is not the owner's, without parent, terminal and environment", () => {
    const group = "/user.slice/constel-abc-agent1";
    check({ 200: { parent: 1, group } }, "nobody");
    check({ 200: { parent: 1, group: `${group}/below` } }, "nobody");
    check({ 200: { parent: 50, terminal: "tty5", group } }, "nobody");
    check({ 200: { parent: 110, group } }, "nobody");
    // Of an agent that nobody remembers either.
    check({ 200: { parent: 1, group: "/constel-abc-agent77" } }, "nobody");
    // Its parent is in the group, it was moved out.
    check({ 200: { parent: 150, group: "/" }, 150: { parent: 1, group } }, "nobody");
    for (const other of ["/constel-abc-agent", "/constel-abc-agent1.scope", "/constel-xyz-agent1", "/", ""])
      check({ 200: { parent: 50, group: other } }, "owner");
  });

  test("nobody becomes another agent by putting itself into that one's control group", () => {
    for (const group of ["/constel-abc-agent2", "/constel-abc-agent0", "/constel-abc-agent0/constel-abc-agent1"]) {
      check({ 200: { parent: 100, group } }, "agent1 by ancestor");
      check({ 200: { parent: 1, group, terminal: "pts1" } }, "agent1 by terminal");
      check({ 200: { parent: 1, group, mark: "server" } }, "nobody");
      // In a window of the agents' tmux server.
      check({ 200: { parent: 90, group } }, "nobody");
    }
    check({ 200: { parent: 100, group: "/constel-abc-agent1" } }, "agent1 by ancestor");
    // In a sandbox it is all that can be seen, and the daemon decides outside.
    const inside = belongsTo(200, household, tableOf({ 200: { parent: 1, group: "/constel-abc-agent1" } }), true);
    expect(inside).toEqual({ to: "agent", agent: "agent1", by: "control group" });
  });

  test("a number that was used again leads nowhere", () => {
    check({ 200: { parent: 120 }, 120: { parent: 50, started: "10" } }, "owner");
    check({ 200: { parent: 120 }, 120: { parent: 90, started: "9" } }, "agent2 by ancestor");
  });

  test("a process that forgot its parent is known by its terminal", () => {
    check({ 200: { parent: 1, terminal: "pts1" } }, "agent1 by terminal");
  });

  test("a process that lost all that leads to its agent is nobody's, whatever it calls itself", () => {
    const mark = "server";
    check({ 200: { parent: 1, mark } }, "nobody");
    check({ 200: { parent: 150 }, 150: { parent: 1, mark } }, "nobody");
    check({ 200: { parent: 50, terminal: "tty5", mark } }, "nobody");
    const environment = [`CONSTEL_HOME=${home}`, "CONSTEL_AGENT=agent2"];
    check({ 200: { parent: 1, mark, environment } }, "nobody");
    // What leads to the agent says more.
    check({ 200: { parent: 100, mark } }, "agent1 by ancestor");
    check({ 200: { parent: 110, mark } }, "owner");
  });

  test("an agent's name in the environment takes the owner's rights away", () => {
    const carries = (agent: string, of = home): Planted => ({
      parent: 50,
      environment: [`CONSTEL_HOME=${of}`, `CONSTEL_AGENT=${agent}`],
    });
    check({ 200: carries("agent3") }, "agent3 by environment");
    check({ 200: { parent: 150 }, 150: carries("agent3") }, "agent3 by environment");
    check({ 200: carries("nobody") }, "nobody");
    check({ 200: carries("") }, "owner");
    check({ 200: carries("agent3", "/another/home") }, "owner");
    // And never gives any: it is agent1's process, whatever it is called.
    check({ 200: { ...carries("agent0"), parent: 100 } }, "agent1 by ancestor");
  });

  test("what carries an agent's mark is nobody's, also where the owner's ticker started it", () => {
    check({ 200: { parent: 110, mark: "agent" } }, "nobody");
    check({ 200: { parent: 150, mark: "agent" }, 150: { parent: 110, mark: "server" } }, "nobody");
    // Raised again by a right that only root has: the one above it still has it.
    check({ 200: { parent: 150 }, 150: { parent: 110, mark: "agent" } }, "nobody");
  });

  test("what the daemon runs is nobody's, the ticker acts for the owner", () => {
    check({ 200: { parent: 80 } }, "nobody");
    check({ 200: { parent: 110, terminal: "pts2" } }, "owner");
  });

  test("a window of the agents' tmux server that is no agent's own is nobody's", () => {
    check({ 200: { parent: 150, terminal: "pts9" }, 150: { parent: 90, terminal: "pts9" } }, "nobody");
  });

  test("a session that a person started is an agent, and the shell around it stays the person's", () => {
    const leader = { pid: 60, token: "ns-5" };
    const guests = { ...household, agents: [{ agent: "agentg0123456789ab", leader, isOwners: false, isGuest: true }] };
    const table = tableOf({
      60: { parent: 50, terminal: "tty5", started: "5" },
      200: { parent: 60 },
      201: { parent: 50, terminal: "tty5" },
    });
    expect(belongsTo(200, guests, table)).toMatchObject({ to: "agent", agent: "agentg0123456789ab" });
    expect(belongsTo(201, guests, table)).toEqual({ to: "owner" });
    // What an agent started does not become a guest by a file that anybody can write.
    const within = { ...guests, agents: [...household.agents, ...guests.agents] };
    const below = tableOf({ 60: { parent: 100, started: "5" }, 200: { parent: 60 } });
    expect(belongsTo(200, within, below)).toMatchObject({ to: "agent", agent: "agent1" });
  });

  test("what cron or the account's service manager starts is nobody's, unless there is a terminal", () => {
    for (const name of ["cron", "crond", "CRON", "atd"])
      check({ 200: { parent: 150 }, 150: { parent: 140, name }, 140: { parent: 1, name } }, "nobody");
    check({ 200: { parent: 150 }, 150: { parent: 1, name: "systemd" } }, "nobody");
    check({ 200: { parent: 150, terminal: "pts3" }, 150: { parent: 1, name: "systemd" } }, "owner");
  });

  test("a process that has ended is nobody's", () => {
    check({}, "nobody");
    check({ 200: { parent: 50, zombie: true } }, "nobody");
  });

  test("numbers that lead in a circle do not hold us up", () => {
    check({ 200: { parent: 201 }, 201: { parent: 200 } }, "owner");
  });
});

describe("a file that constel did not write", () => {
  const leader = { pid: 150, token: "ns-1" };
  const whose = (agents: Household["agents"], planted: Readonly<Record<number, Planted>>): string => {
    const found = belongsTo(200, { ...household, agents: [...household.agents, ...agents] }, tableOf(planted));
    return found.to === "agent" ? found.agent : found.to;
  };
  const started = { 200: { parent: 150 }, 150: { parent: 50 } };

  test("gives no rights: what it calls the ticker, or the root, is nobody's", () => {
    for (const one of [
      { agent: "agentx", isOwners: true },
      { agent: "agent0", isOwners: false },
    ]) {
      expect(whose([{ ...one, leader }], started)).toBe(one.isOwners ? "owner" : "agent0");
      expect(whose([{ ...one, leader, isUnproven: true }], started)).toBe("nobody");
      // Its terminal says nothing either.
      const terminal = { 200: { parent: 1, terminal: "pts9" }, 150: { parent: 50, terminal: "pts9" } };
      expect(whose([{ ...one, leader, isUnproven: true }], terminal)).toBe("owner");
    }
  });

  test("takes none away from what constel wrote of the same process", () => {
    const own = { agent: "agent5", isOwners: false, leader };
    const forged = { agent: "agent0", isOwners: false, leader, isUnproven: true };
    for (const both of [
      [own, forged],
      [forged, own],
    ])
      expect(whose(both, started)).toBe("agent5");
  });

  test("makes nobody of no other: what stands around its process is not the agents' tmux server", () => {
    const beside = { 200: { parent: 50 }, 150: { parent: 50 } };
    expect(whose([{ agent: "agent0", isOwners: false, leader }], beside)).toBe("nobody");
    expect(whose([{ agent: "agent0", isOwners: false, leader, isUnproven: true }], beside)).toBe("owner");
    // Nor is what stands around a process that the owner let go of.
    expect(whose([{ agent: "agentticker", isOwners: true, isLoose: true, leader }], beside)).toBe("owner");
    expect(whose([{ agent: "agentticker", isOwners: true, isLoose: true, leader }], started)).toBe("owner");
  });
});
