// The official test kit of the A2A project against the daemon, over both of its bindings that constel speaks. The kit is never fetched from
// here: CONSTEL_A2A_TCK names a directory with a checkout of it, CONSTEL_A2A_TCK_PYTHON a python that has what it needs (pytest, httpx,
// grpcio, protobuf 6 or later, googleapis-common-protos, jsonschema). What it found is read from its JUnit file.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { A2aHome } from "../../kit/a2a-home.ts";
import { KitDoor } from "./kit-door.ts";

const kit = process.env["CONSTEL_A2A_TCK"] ?? "";
const python = process.env["CONSTEL_A2A_TCK_PYTHON"] ?? join(kit, ".venv/bin/python");
const missing =
  kit === ""
    ? "CONSTEL_A2A_TCK names no directory with it"
    : [join(kit, "tests/compatibility"), python].find((path) => !existsSync(path));

/**
 * The requirements that it counts as failed though they hold: docs/guides/a2a.md gives the reason of each. Its words show that it was that.
 * CORE-SEND-003 wants a content that is not taken to be refused with ContentTypeNotSupportedError, and the kit takes that very refusal for a
 * failure, because it names no error for it.
 */
const expected: Readonly<Record<string, RegExp>> = {
  "CORE-SEND-003": /Operation failed: (?:\[415\] )?a part is neither text nor data: files and addresses are not taken/,
};

/** Of the other bindings; of what our card says that we can do; of what the kit itself leaves out. */
const excused =
  /Transport '?\w+'? not configured|not configured|Agent supports|No requirements at this level|does not declare urn:a2a:tck|expected test failure/;

const tell = (line: string): void => void process.stderr.write(`${line}\n`);

interface Case {
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped";
  readonly says: string;
}

/** Read by what pytest writes: each case is one element, with or without a body. */
function casesIn(junit: string): Case[] {
  return [...junit.matchAll(/<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)].map(([, head = "", body = ""]) => ({
    name: /\bname="([^"]*)"/.exec(head)?.[1] ?? "",
    outcome: /<(failure|error)\b/.test(body) ? "failed" : body.includes("<skipped") ? "skipped" : "passed",
    says: (/message="([^"]*)"/.exec(body)?.[1] ?? "").replaceAll("&#10;", " ").replaceAll("&apos;", "'").slice(0, 600),
  }));
}

if (missing !== undefined) {
  describe.skip(`the official kit of A2A: SKIPPED, ${missing} (see docs/guides/a2a.md)`, () => {
    test("the official kit", () => {});
  });
} else {
  const at = new A2aHome();
  let token = "";
  let owner = "";
  const door = new KitDoor({
    daemon: () => at.address,
    token: () => token,
    owner: () => owner,
    requestOf: (message) =>
      at.query(`select request from a2a_messages where message_id = '${message}'`)[0]?.["request"] as
        | string
        | undefined,
  });

  beforeAll(async () => {
    await at.serve({ "a2a.url": door.address, "a2a.push_allow": JSON.stringify([door.pushHost]) });
    token = await at.token("kit");
    owner = await at.token("mine", "owner");
  }, 120_000);
  afterAll(async () => {
    await door.close();
    await at[Symbol.asyncDispose]();
  }, 60_000);

  for (const transport of ["jsonrpc", "http_json"]) {
    test(`over ${transport} every requirement holds that is not listed`, async () => {
      const report = join(at.top, `${transport}.xml`);
      const words = ["-m", "pytest", "tests/compatibility/", "-q", "--tb=short", "-p", "no:cacheprovider"];
      const child = Bun.spawn(
        [python, ...words, `--sut-host=${door.address}`, `--transport=${transport}`, `--junitxml=${report}`],
        { cwd: kit, env: { ...at.env, PYTHONDONTWRITEBYTECODE: "1" }, stdout: "pipe", stderr: "pipe" },
      );
      let out = "";
      for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
        out += piece;
        // It takes minutes: whoever waits sees that it goes on.
        tell(piece.trimEnd());
      }
      const code = await child.exited;
      if (!existsSync(report)) throw new Error(`the kit ended with ${code}: ${out.slice(-3_000)}`);
      const cases = casesIn(readFileSync(report, "utf8"));
      const count = (outcome: string) => cases.filter((one) => one.outcome === outcome).length;
      tell(
        `A2A kit over ${transport}: ${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`,
      );
      for (const { name, says } of cases.filter(({ outcome }) => outcome === "skipped"))
        tell(`  skipped ${name}: ${says}`);
      const failed = cases.filter(({ outcome }) => outcome === "failed");
      const isExpected = ({ name, says }: Case): boolean =>
        Object.entries(expected).some(([id, words]) => name.includes(id) && words.test(says));
      expect(failed.filter((one) => !isExpected(one)).map(({ name, says }) => `${name}: ${says}`)).toEqual([]);
      // Once the kit is mended, this list gets shorter.
      expect(failed.filter(isExpected)).toHaveLength(Object.keys(expected).length);
      // A requirement that was skipped did not hold: each that was has nothing to do with what the daemon did.
      expect(
        cases
          .filter(({ outcome, says }) => outcome === "skipped" && !excused.test(says))
          .map(({ name, says }) => `${name}: ${says}`),
      ).toEqual([]);
      expect(door.wrong).toEqual([]);
    }, 900_000);
  }
}
