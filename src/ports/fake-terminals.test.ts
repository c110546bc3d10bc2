import { describe, expect, test } from "bun:test";
import { Outage } from "../protocol/errors.ts";
import { FakeClock } from "./fake-clock.ts";
import { FakeTerminals } from "./fake-terminals.ts";
import { terminalsSuite } from "./terminals.suite.ts";
import { throwing } from "../../test/kit/rejection.ts";

describe("terminals in memory", () => {
  terminalsSuite(async () => {
    const terminals = new FakeTerminals({ clock: new FakeClock() });
    return {
      terminals,
      finish: async (name, status) => terminals.exit(name, status),
      scrollBack: async (name) => terminals.set(name, { inMode: true }),
      end: () => terminals.close(),
    };
  });

  test("what was typed can be read back, and an outage can be staged", async () => {
    const terminals = new FakeTerminals({ clock: new FakeClock(), declaredNames: ["ticker"] });
    await terminals.create({ name: "ticker", cwd: "/", command: ["sh"] });
    await terminals.paste("ticker", "do it");
    await terminals.enter("ticker");
    expect(terminals.sent("ticker")).toEqual(["do it", "<Enter>"]);
    terminals.failNext(new Outage("ask", "fake", "gone", { mayRetry: true }));
    expect(await throwing(terminals.list())).toThrow("gone");
    expect(await terminals.list()).toHaveLength(1);
  });
});
