// Operations that everybody may ask for and that name an agent: a clone names itself, or is refused.

import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { seededRandom } from "../../ports/fake-clock.ts";
import { Refusal } from "../../protocol/errors.ts";
import { operations } from "../../protocol/operations/all.ts";
import type { Operation } from "../../protocol/operation.ts";
import { checkedInput } from "../../protocol/checked-input.ts";
import type { Context } from "../../core/context.ts";
import { type HandlerParts, makeHandlers } from "./handlers.ts";

const here = withStore(sqliteScene);

const inputs: Readonly<Record<string, object>> = {
  "worktree.observe": { path: "/w/a" },
  "claim.add": { path: tmpdir(), paths: ["src"] },
  "notice.subscribe": { topics: ["x"] },
  "permission.ask": { request: "request-1", runtime: "claude", tool: "Bash", input: {}, cwd: "/w" },
};

const naming = Object.values(operations as Readonly<Record<string, Operation>>).filter(
  ({ may, effect, input }) =>
    may === "everybody" && effect !== "reads" && "agent" in ((input as { shape?: object }).shape ?? {}),
);

test("whatever names an agent is tried here", () => {
  expect(naming.map(({ name }) => name).toSorted()).toEqual(Object.keys(inputs).toSorted());
});

for (const operation of naming)
  test(`${operation.name} in another agent's name is refused to a clone`, async () => {
    const place = { repository: "r", name: "r", path: tmpdir(), added: true, observed: true };
    const sensing = { add: async () => place };
    const parts = { sensing, chat: { bus: {} }, settings: {}, schedules: {} } as unknown as HandlerParts;
    const handle = makeHandlers(parts)[operation.name as "worktree.observe"] as (
      context: Context,
      input: unknown,
    ) => Promise<unknown>;
    const { store, clock } = here;
    const context = { store, clock, random: seededRandom(1), constellation: store.constellation, actor: "agent1" };
    const input = checkedInput(operation, { ...inputs[operation.name], agent: "agent2" });
    const refusal = await Promise.resolve()
      .then(() => handle(context, input))
      .catch((cause: unknown) => cause);
    expect(refusal).toBeInstanceOf(Refusal);
    expect((refusal as Refusal).code).toMatch(/\.(not-yours|another)$/);
  });
