import { expect, test } from "bun:test";
import type { RepositoryObserver, Snapshot } from "../ports/git.ts";
import { gateCommand, type GateWish } from "./gate-command.ts";

const observing = (toml: string | undefined): RepositoryObserver =>
  ({
    identity: "repository",
    tree: async () => new Map(toml === undefined ? [] : [["constel.toml", { mode: "100644", blob: "b" }]]),
    read: async () => new TextEncoder().encode(toml),
  }) as unknown as RepositoryObserver;

async function check(wish: Partial<GateWish> | undefined, toml: string | undefined, expected: unknown): Promise<void> {
  const whole = wish === undefined ? undefined : { command: undefined, deadlineMs: undefined, settleMs: 1, ...wish };
  const landing = { tree: "t" } as Snapshot;
  const ask = gateCommand({
    observer: observing(toml),
    wish: () => whole,
    landing: () => landing,
    log: () => {},
  });
  expect(await ask()).toEqual(expected as never);
}

const repositorys = '[gate]\ncommand = "make theirs"\n';

test("the owner's command comes before the repository's, which comes before none", async () => {
  const run = { deadlineMs: expect.any(Number), settleMs: 1 };
  await check({ command: "make mine" }, repositorys, { ...run, command: "make mine" });
  await check({ command: "make mine" }, undefined, { ...run, command: "make mine" });
  await check({}, repositorys, { ...run, command: "make theirs" });
  await check({}, undefined, undefined);
});

test("no gate is run that the owner did not ask for, and a file that cannot be read is not one without a gate", async () => {
  await check(undefined, repositorys, undefined);
  await check({}, "gate = 3\n", "unknown");
  await check({ command: "make mine", deadlineMs: 5 }, "gate = 3\n", {
    command: "make mine",
    deadlineMs: 5,
    settleMs: 1,
  });
});
