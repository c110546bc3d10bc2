import { expect, test } from "bun:test";
import { printParameter, type PythonParameter, readParameter } from "./parameter.ts";

test("a parameter reads back as it was kept", () => {
  const all: readonly (readonly [PythonParameter, string])[] = [
    [{ name: "a", kind: "plain", hasDefault: false }, "a"],
    [{ name: "a", kind: "plain", hasDefault: true }, "a="],
    [{ name: "a", kind: "by place", hasDefault: true }, "/a="],
    [{ name: "a", kind: "by keyword", hasDefault: false }, "&a"],
    [{ name: "args", kind: "more arguments", hasDefault: false }, "*args"],
    [{ name: "more", kind: "more keywords", hasDefault: false }, "**more"],
  ];
  for (const [parameter, text] of all) {
    expect(printParameter(parameter)).toBe(text);
    expect(readParameter(text)).toEqual(parameter);
  }
});
