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

/** What it counts as failed, and why that stays: docs/guides/a2a.md says the same. */
const expectedFailures: Readonly<Record<string, RegExp>> = {};

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
    says: (/message="([^"]*)"/.exec(body)?.[1] ?? "").replaceAll(/&#10;/g, " ").slice(0, 400),
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
  const door = new KitDoor({ daemon: () => at.address, token: () => token, owner: () => owner });

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
        console.log(piece.trimEnd());
      }
      const code = await child.exited;
      if (!existsSync(report)) throw new Error(`the kit ended with ${code}: ${out.slice(-3_000)}`);
      const cases = casesIn(readFileSync(report, "utf8"));
      const count = (outcome: string) => cases.filter((one) => one.outcome === outcome).length;
      console.log(
        `A2A kit over ${transport}: ${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`,
      );
      for (const { name, says } of cases.filter(({ outcome }) => outcome === "skipped"))
        console.log(`  skipped ${name}: ${says}`);
      const failed = cases.filter(({ outcome }) => outcome === "failed").map(({ name, says }) => `${name}: ${says}`);
      expect(failed).toEqual([]);
      expect(door.wrong).toEqual([]);
      void expectedFailures;
    }, 900_000);
  }
}
