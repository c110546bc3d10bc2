// Go, shifts: the count may be of any integer type, the answer is of the left side's type, and a number on the left takes its type from
// the place where it stands.

import { type Pair, pairsOn } from "../../compiled/cases/pairs.ts";

const library = `package lib

type Bits uint8

func Count(name string) int { return 1 }
func Take(name string, limit int) {}
func Most() int { return 1 }
`;
const base = { "go.mod": "module example.org/p\n", "lib/lib.go": library };
const on = pairsOn(base, "lib/lib.go", (use) => ({
  "app/new.go": `package app\n\nimport "example.org/p/lib"\n\n${use}\n`,
}));

const longer = ["Count(name string) int { return 1 }", "Count(name string) int64 { return 1 }"] as const;
const asText = ["Count(name string) int { return 1 }", 'Count(name string) string { return "" }'] as const;
const wider = ["limit int)", "limit int64)"] as const;
const renamed = ["limit int)", "most int)"] as const;

export const goShiftPairs: readonly Pair[] = (["<<", ">>"] as const)
  .flatMap((shift) => [
    on(`${shift}: a count of another integer type`, false, longer, `func f(n uint) { _ = n ${shift} lib.Count("a") }`),
    on(
      `${shift}: a shifted value of another integer type`,
      false,
      longer,
      `func f(n uint) { _ = lib.Count("a") ${shift} n }`,
    ),
    on(
      `${shift}: two results that are no longer of one type`,
      false,
      longer,
      `func f() { _ = lib.Most() ${shift} lib.Count("a") }`,
    ),
    on(
      `${shift}: a count that is no number any more`,
      true,
      asText,
      `func f(n uint) { _ = n ${shift} lib.Count("a") }`,
    ),
    on(
      `${shift}: a count for a number that is none itself any more`,
      true,
      asText,
      `func f() { _ = 1 ${shift} lib.Count("a") }`,
    ),
    on(
      `${shift}: a shifted value that is no number any more`,
      true,
      asText,
      `func f() { _ = lib.Count("a") ${shift} 2 }`,
    ),
    on(
      `${shift}: a number takes the parameter's type, not the count's`,
      false,
      wider,
      `func f(n uint) { lib.Take("a", 1 ${shift} n) }`,
    ),
    on(
      `${shift}: a number shifted by a result takes the parameter's type`,
      false,
      wider,
      `func f() { lib.Take("a", 1 ${shift} lib.Count("a")) }`,
    ),
    on(
      `${shift}: the answer is of the left side's type`,
      true,
      wider,
      `func f(n int, by uint) { lib.Take("a", n ${shift} by) }`,
    ),
    on(
      `${shift}: the answer is of the left call's type`,
      true,
      wider,
      `func f(by int64) { lib.Take("a", lib.Count("a") ${shift} by) }`,
    ),
    on(
      `${shift}: the answer is not of the count's type`,
      false,
      renamed,
      `func f(by uint) { lib.Take("a", lib.Count("a") ${shift} by) }`,
    ),
    on(`${shift}=: a count of another integer type`, false, longer, `func f(n int) { n ${shift}= lib.Count("a") }`),
    on(`${shift}=: a count that is no number any more`, true, asText, `func f(n int) { n ${shift}= lib.Count("a") }`),
  ])
  .concat([
    on("+: two sides of other integer types", true, longer, 'func f(n int) { _ = n + lib.Count("a") }'),
    on("&^: two sides of other integer types", true, longer, 'func f(n int) { _ = n &^ lib.Count("a") }'),
    on("+=: two sides of other integer types", true, longer, 'func f(n int) { n += lib.Count("a") }'),
    on(
      "a shifted number for a parameter that is text now",
      true,
      ["limit int)", "limit string)"],
      'func f(n uint) { lib.Take("a", 1<<n) }',
    ),
    on("a shift in a constant's place", false, ["type Bits uint8", "type Bits uint16"], "const mask lib.Bits = 1 << 3"),
  ]);
