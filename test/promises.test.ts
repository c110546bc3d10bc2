// What the last release promised holds: nothing that somebody may have written a script against is gone, renamed or newly demanded. Something new is fine, and is recorded
// with the next release (scripts/release --record).

import { expect, test } from "bun:test";
import {
  brokenPromises,
  mayBreak,
  type Promises,
  promisesToday,
  readRecord,
  refuseToBreak,
  type Shape,
} from "../scripts/releasing/promises.ts";
import { TestHome } from "./kit/home.ts";

const today = await promisesToday();

test("what the last release promised holds", () => {
  const then = readRecord();
  if (mayBreak(then, today)) return expect(then.version).not.toBe(today.version);
  // Before 1.0: if it is meant, `scripts/release --record`, and a line in CHANGELOG.md. From 1.0 on: give it back.
  expect(brokenPromises(then, today)).toEqual([]);
});

/** Today without something, or with something else in its place. */
function changed(change: (copy: Writable) => unknown): Promises {
  const copy = structuredClone(today) as unknown as Writable;
  change(copy);
  return copy as unknown as Promises;
}

interface Writable {
  json: Record<string, Record<string, Shape>>;
  views: Record<string, string[]>;
  exit_codes: Record<string, number>;
  refusals: Record<string, string>;
  envelope: { example: Record<string, unknown>; needs: string[]; signed: string };
  commands: Record<string, { needs: number; takes: number; flags: Record<string, boolean> }>;
  settings: Record<string, string>;
  event_types: Record<string, { needs: string[]; may: string[] }>;
  finding_kinds: string[];
}

test("each way to break a promise is named", () => {
  const check = (change: (copy: Writable) => unknown, ...expected: string[]): void =>
    expect(brokenPromises(today, changed(change))).toEqual(expected);
  check(() => undefined);
  check(({ json }) => delete json["status"], "--json of `status` is gone");
  check(({ json }) => {
    const { pages } = json["docs"] as { pages: Record<string, Shape>[] };
    const [page = {}] = pages;
    page["name"] = page["title"] ?? "";
    delete page["title"];
  }, "--json of `docs`: pages[]: title is gone");
  check(({ json }) => {
    if (json["docs"] !== undefined) json["docs"]["pages"] = "value";
  }, "--json of `docs`: pages was a list and is not");
  check(({ json }) => {
    if (json["docs"] !== undefined) json["docs"]["pages"] = [];
  });
  check(({ json }) => {
    if (json["config path"] !== undefined) json["config path"]["home"] = { path: "value" };
  }, "--json of `config path`: home was a plain value and is not");
  check(({ views }) => delete views["timeline"], "view timeline is gone");
  check(
    ({ views }) => (views["timeline"] = (views["timeline"] ?? []).map((name) => (name === "at" ? "happened" : name))),
    "view timeline: the column at is gone",
  );
  check(({ exit_codes: codes }) => (codes["refused"] = 33), "exit code refused was 3 and is 33");
  check(({ refusals }) => delete refusals["usage.bad-value"], "refusal usage.bad-value is gone");
  check(
    ({ refusals }) => (refusals["root.outside"] = "usage"),
    "the exit of refusal root.outside was refused and is usage",
  );
  check(({ envelope }) => envelope.needs.push("id"), "envelope: the field id is newly demanded");
  check(({ commands }) => delete commands["task list"], "command task list is gone");
  check(({ commands }) => delete commands["try"]?.flags["branches"], "command try: the flag branches is gone");
  check(({ commands }) => {
    const { flags } = commands["*"] as { flags: Record<string, boolean> };
    flags["json"] = true;
  }, "command *: the flag json demands a value now");
  check(({ commands }) => {
    if (commands["status"] !== undefined) commands["status"].needs += 1;
  }, "command status: it demands more arguments");
  check(({ commands }) => {
    if (commands["check"] !== undefined) commands["check"].takes -= 1;
  }, "command check: it takes fewer arguments");
  check(({ settings }) => delete settings["http.port"], "setting http.port is gone");
  check(({ event_types: types }) => types["note"]?.needs.push("x"), "event type note: the field x is newly demanded");
  check(({ event_types: types }) => types["blocked"]?.may.pop(), "event type blocked: the field needs is gone");
  check(({ finding_kinds: kinds }) => kinds.splice(0, 1), `finding kind ${today.finding_kinds[0]} is gone`);
});

test("something new breaks nothing", () => {
  const more = changed((copy) => {
    copy.json["new"] = { a: "value" };
    copy.views["timeline"]?.push("colour");
    copy.refusals["new.code"] = "refused";
    copy.commands["new"] = { needs: 1, takes: 1, flags: {} };
    copy.settings["new.key"] = "text";
  });
  expect(brokenPromises(today, more)).toEqual([]);
  expect(brokenPromises(more, today)).toHaveLength(5);
});

test("an envelope that an earlier release wrote is read whole, and its signature holds", () => {
  const written = (change: (copy: Writable["envelope"]) => unknown): string[] =>
    brokenPromises(
      changed(({ envelope }) => change(envelope)),
      today,
    );
  expect(written(() => undefined)).toEqual([]);
  expect(written(({ example }) => (example["colour"] = "red"))).toEqual([
    "envelope: the field colour is not read",
    "envelope: a signature of then does not hold",
  ]);
  expect(written(({ example }) => (example["text"] = 7))).toEqual([
    "an envelope of then is not read: `text` must be a string",
  ]);
  expect(written((envelope) => (envelope.signed = "0".repeat(64)))).toEqual([
    "envelope: a signature of then does not hold",
  ]);
});

test("from 1.0 on, only another first number takes something away, and the format of --json counts on", () => {
  const of = (version: string, format_version = 1): Promises => ({ ...today, version, format_version });
  const check = (then: Promises, now: Promises, expected: boolean): void => expect(mayBreak(then, now)).toBe(expected);
  check(of("0.1.0"), of("0.1.7"), false);
  check(of("0.1.0"), of("0.2.0"), true);
  check(of("1.0.0"), of("1.9.0"), false);
  check(of("1.9.0"), of("2.0.0-rc.1"), true);
  const lost = ["--json of `status` is gone"];
  refuseToBreak(of("0.1.0"), of("0.1.0"), lost);
  refuseToBreak(of("1.0.0"), of("1.1.0"), []);
  expect(() => refuseToBreak(of("1.0.0"), of("1.1.0"), lost)).toThrow("would break what 1.0.0 promised");
  expect(() => refuseToBreak(of("1.0.0"), of("2.0.0"), lost)).toThrow("raise formatVersion");
  refuseToBreak(of("1.0.0"), of("2.0.0", 2), lost);
});

test("an error with --json has the fields that are promised", async () => {
  await using at = new TestHome();
  const errorOf = async (words: readonly string[], env: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await at.constel(["--json", ...words], { env });
    const { error, format_version: format } = JSON.parse(stderr) as { error: object; format_version: number };
    return { code, stdout, format, fields: Object.keys(error).toSorted() };
  };
  const refusal = { stdout: "", format: today.format_version, fields: ["code", "facts", "hint", "message"] };
  expect(await errorOf(["nonsense"])).toEqual({ code: 2, ...refusal });
  expect(await errorOf(["docs", "no-such-page"])).toEqual({ code: 2, ...refusal });
});
