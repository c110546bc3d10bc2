// Several accounts of one program: which one an agent is started with, what is taken along when it changes, and what is refused first.

import { beforeEach, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { rejection } from "../../../test/kit/rejection.ts";
import { type Account, accountsIn } from "../../settings/accounts.ts";
import { temporaryDirectory } from "../floor.suite.ts";
import { fakeMachine, type FakeMachine } from "./agents.suite.ts";
import { listEarlier } from "./earlier-launches.ts";
import { readLaunch } from "./launch-files.ts";
import { up, upOne } from "./up.ts";

let directory: string;
let accounts: readonly Account[];
beforeEach(() => {
  const top = temporaryDirectory();
  directory = join(top, "second");
  mkdirSync(directory);
  accounts = [
    { name: "second", runtime: "alpha", directory },
    { name: "gone", runtime: "alpha", directory: join(top, "nothing") },
  ];
});

const accountOf = ({ ports }: FakeMachine, agent = "agent1") => readLaunch(ports.home, agent)?.launch.account;

test("an agent is started with the account that is asked for, keeps it over a crash and an up, and gives it back", async () => {
  const at = fakeMachine({ root: false, accounts });
  await upOne(at.ports, "agent1", { type: "alpha", account: "second" });
  expect(accountOf(at)).toEqual({ name: "second", directory });
  at.conversations.set("agent1", { id: "talk", transcript: at.ports.home });
  at.terminals.exit("agent1", 3);
  at.clock.advance(60_000);
  await up(at.ports, {}, async () => {});
  expect(accountOf(at)?.name).toBe("second");
  expect(at.carried).toEqual([]);
  at.clock.advance(60_000);
  await upOne(at.ports, "agent1", { type: "alpha", account: "usual", again: true });
  expect(accountOf(at)).toBeUndefined();
  expect(at.carried).toEqual(["talk of agent1 to usual", "talk of agent1 to usual"]);
  // Each launch that was replaced waits for its tokens to be counted.
  expect(listEarlier(at.ports.home).map(({ launch }) => launch.launch.account?.name)).toEqual(["second", "second"]);
});

test("clones are started with it by up, and nobody else; another program knows nothing of it", async () => {
  const at = fakeMachine({ accounts });
  await up(at.ports, { clones: 2, type: "alpha", account: "second" }, async () => {});
  expect(["agent0", "agent1", "agent2", "agentinfinity"].map((agent) => accountOf(at, agent)?.name)).toEqual([
    undefined,
    "second",
    "second",
    undefined,
  ]);
  await upOne(at.ports, "agent1", { type: "beta", again: true });
  expect(accountOf(at)).toBeUndefined();
});

test("an account whose directory is not there is refused before anything is ended", async () => {
  const at = fakeMachine({ root: false, accounts });
  await upOne(at.ports, "agent1", { type: "alpha" });
  const before = readLaunch(at.ports.home, "agent1");
  const refused = async (type: string, account: string): Promise<unknown> =>
    ((await rejection(upOne(at.ports, "agent1", { type, account, fresh: true }))) as { code?: string }).code;
  expect(await refused("alpha", "gone")).toBe("account.no-directory");
  expect(await refused("alpha", "nobodys")).toBe("account.unknown");
  expect(await refused("beta", "second")).toBe("account.unknown");
  expect(readLaunch(at.ports.home, "agent1")).toEqual(before);
  expect(at.ended).toHaveLength(1);
});

test("one that the settings no longer have is not asked for again: the agent comes back with the program's own", async () => {
  const at = fakeMachine({ root: false, accounts });
  await upOne(at.ports, "agent1", { type: "alpha", account: "second" });
  const without = { ...at.ports, wishes: { ...at.ports.wishes, accounts: [] } };
  at.terminals.exit("agent1", 3);
  await up(without, {}, async () => {});
  expect(accountOf(at)).toBeUndefined();
});

test("settings that cannot be understood are named by their table", () => {
  const check = (table: Record<string, unknown>, problem: string): void =>
    expect(() => accountsIn([{ name: "one", runtime: "claude", directory: "/a" }, table])).toThrow(problem);
  check({ name: "usual", runtime: "claude", directory: "/a" }, "table 2: name must be");
  check({ name: "Two", runtime: "claude", directory: "/a" }, "name must be");
  check({ name: "two", runtime: "claude", directory: "~/a" }, "directory must be an absolute path");
  check({ name: "two", runtime: "claude" }, "directory must be a text");
  check({ name: "two", runtime: 1, directory: "/a" }, "runtime must be a text");
  check({ name: "one", runtime: "claude", directory: "/b" }, "claude has an account one already");
  check({ name: "two", runtime: "claude", directory: "/a", token: "x" }, "there is no token");
  expect(accountsIn([{ name: "one", runtime: "codex", directory: "/a" }])).toHaveLength(1);
});
