import { expect, test } from "bun:test";
import { z } from "zod";
import { inputComplaint } from "./input-complaint.ts";

const shape = z.strictObject({
  text: z.string().min(1).max(5).default("x"),
  code: z.string().min(3).default("abc"),
  limit: z.int().min(1).max(9).default(1),
  for_ms: z.int().min(1).max(2_592_000_000).default(1),
  state: z.enum(["open", "closed"]).default("open"),
  only: z.literal("this").default("this"),
  items: z.array(z.string()).min(1).max(2).default(["x"]),
  name: z
    .string()
    .regex(/^agent\d+$/)
    .default("agent1"),
  either: z.union([z.string(), z.number()]).default(1),
  form: z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") })]).default({ kind: "a" }),
  yes: z.boolean().default(true),
  own: z
    .string()
    .refine((value) => value === "x", "is worded by us")
    .default("x"),
  needed: z.string(),
  inside: z.object({ deep: z.array(z.object({ text: z.string() })) }).optional(),
});

/** Returns what is said of an input that is fine except for this. */
function said(wrong: object): string[] {
  const checked = shape.safeParse({ needed: "x", ...wrong });
  return checked.success ? [] : checked.error.issues.map(inputComplaint);
}

test("what is wrong with an input is said in plain words, with the field's name", () => {
  const cases: [object, string][] = [
    [{ needed: undefined }, "needed is missing"],
    [{ needed: 7 }, "needed must be a text"],
    [{ text: "" }, "text must not be empty"],
    [{ text: "longer" }, "text must have at most 5 characters"],
    [{ code: "a" }, "code must have at least 3 characters"],
    [{ limit: 0 }, "limit must be at least 1"],
    [{ limit: 10 }, "limit must be at most 9"],
    [{ for_ms: 1e12 }, "for_ms must be at most 2592000000 (30 days)"],
    [{ for_ms: 0 }, "for_ms must be at least 1"],
    [{ limit: 1.5 }, "limit must be a whole number"],
    [{ limit: "many" }, "limit must be a number"],
    [{ state: "ajar" }, "state must be one of open, closed"],
    [{ only: "that" }, "only must be this"],
    [{ items: [] }, "items must not be empty"],
    [{ items: ["a", "b", "c"] }, "items must have at most 2 items"],
    [{ items: "a" }, "items must be a list"],
    [{ name: "bob" }, "name must match /^agent\\d+$/"],
    [{ either: true }, "either must be a text or a number"],
    [{ form: { kind: "b" } }, "form.kind must be a"],
    [{ form: 3 }, "form must be an object"],
    [{ yes: 1 }, "yes must be true or false"],
    [{ extra: 1 }, 'the input may not have "extra"'],
    [{ own: "y" }, "own: is worded by us"],
    [{ inside: { deep: [{ text: 3 }] } }, "inside.deep.0.text must be a text"],
  ];
  for (const [wrong, words] of cases) expect({ wrong, said: said(wrong) }).toEqual({ wrong, said: [words] });
  expect(said({})).toEqual([]);
});
