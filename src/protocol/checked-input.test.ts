import { expect, test } from "bun:test";
import { z } from "zod";
import { checkedInput } from "./checked-input.ts";
import { Refusal } from "./errors.ts";
import type { Operation } from "./operation.ts";
import { operations } from "./operations/all.ts";

test("no operation meets an input that it did not declare: what is wrong is refused in words", () => {
  for (const operation of Object.values(operations)) {
    for (const given of [null, 7, "text", [], { limit: "many" }, { id: 7, agent: 7, task: "x" }]) {
      try {
        checkedInput(operation, given);
      } catch (cause) {
        expect([operation.name, cause instanceof Refusal && cause.code]).toEqual([operation.name, "input.invalid"]);
        expect((cause as Refusal).message).toStartWith(`${operation.name}: `);
        expect((cause as Refusal).message).not.toMatch(/Invalid |Too (small|big)|Unrecognized/);
      }
    }
    expect(() => checkedInput(operation, null)).toThrow(Refusal);
  }
});

test("half a character in words for others becomes a replacement character, also within; in what names a file it stays", () => {
  const half = "half \ud800 a character";
  const send = checkedInput(operations["chat.send"], { to: "agent1", text: half }) as { text: string };
  expect(send.text).toBe("half \ufffd a character");
  const named = {
    name: "x",
    input: z.object({ words: z.array(z.object({ says: z.string() })), path: z.string() }),
    speaks: ["words"],
  };
  expect(checkedInput(named as unknown as Operation, { words: [{ says: half }], path: half })).toEqual({
    words: [{ says: "half \ufffd a character" }],
    path: half,
  });
});
