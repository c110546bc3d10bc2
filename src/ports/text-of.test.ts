// Tests what counts as the text of a specification.

import { expect, test } from "bun:test";
import { textOf } from "./text-of.ts";

test("text is UTF-8, or UTF-16 where its first bytes say so; anything else is none", () => {
  expect(textOf(Buffer.from("openapi: ü"))).toBe("openapi: ü");
  expect(textOf(Buffer.from("\uFEFFopenapi: ü", "utf16le"))).toBe("openapi: ü");
  expect(textOf(Buffer.from("\uFEFFopenapi: ü", "utf16le").swap16())).toBe("openapi: ü");
  expect(textOf(new Uint8Array([0x6f, 0xff, 0xfe]))).toBeUndefined();
});
