import { expect, test } from "bun:test";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { lookAtMorning } from "./look.ts";

const here = withStore(sqliteScene);

test("what the daemon knows and could not write down waits for the owner in the morning too", async () => {
  const context = { store: here.store, clock: here.clock };
  const need = {
    key: "daemon:owner",
    kind: "daemon",
    agent: null,
    says: "the daemon's loop owner fails: the disk is full",
    since_ms: 1,
    next: "constel doctor",
  };
  const asked = { back_ms: 3_600_000 };
  expect(await lookAtMorning(context, asked)).toMatchObject({ waiting: 0, waits: [] });
  const { says, next } = need;
  expect(await lookAtMorning(context, asked, [need])).toMatchObject({ waiting: 1, waits: [{ says, next }] });
});
