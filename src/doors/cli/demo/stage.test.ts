import { expect, test } from "bun:test";
import { baseFor } from "./stage.ts";

test("the demo plays where its sockets' paths are short enough", () => {
  expect(baseFor("/var/folders/zz/abcdefghijklmnopqrstuvwxyz0123/T")).toStartWith("/var/folders");
  expect(baseFor(`/home/ada/${"long".repeat(20)}`)).toBe("/tmp");
});
