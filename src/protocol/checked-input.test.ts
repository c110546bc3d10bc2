import { expect, test } from "bun:test";
import { checkedInput } from "./checked-input.ts";
import { Refusal } from "./errors.ts";
import { operations } from "./operations/all.ts";

test("no operation meets an input that it did not declare: what is wrong is refused in words", () => {
  for (const operation of Object.values(operations)) {
    for (const given of [null, 7, "text", [], { limit: "many" }, { id: 7, agent: 7, task: "x" }]) {
      try {
        checkedInput(operation, given);
      } catch (cause) {
        expect([operation.name, cause instanceof Refusal && cause.code]).toEqual([operation.name, "input.invalid"]);
        expect((cause as Refusal).message).toStartWith(`${operation.name}: `);
      }
    }
    expect(() => checkedInput(operation, null)).toThrow(Refusal);
  }
});
