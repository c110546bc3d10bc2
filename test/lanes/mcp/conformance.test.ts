// The official conformance suite of MCP against the daemon's own TCP door, in both protocol revisions, offline. What the suite
// wants of tools, prompts and resources that it names itself, constel does not have; those scenarios are listed as expected to
// fail, and the suite also fails when one of them begins to pass.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { TestHome } from "../../kit/home.ts";
import { programOf } from "../runtimes/programs.ts";

const program = programOf("mcp-conformance");

/** Each of these calls a tool, reads a resource or gets a prompt that the suite's own fixture server has. */
const needsFixtures = [
  "completion-complete",
  "logging-set-level",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-with-logging",
  "tools-call-error",
  "tools-call-with-progress",
  "tools-call-sampling",
  "tools-call-elicitation",
  "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums",
  "resources-list",
  "resources-read-text",
  "resources-read-binary",
  "resources-templates-read",
  "resources-subscribe",
  "resources-unsubscribe",
  "prompts-list",
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-embedded-resource",
  "prompts-get-with-image",
];
/** In the older revision this wants a session, and we keep none: each request stands alone. */
const needsSession = ["server-sse-multiple-streams"];

if ("missing" in program) {
  // Skipped where the suite cannot be had; `missing` says why.
  describe.skip(`MCP conformance: SKIPPED, ${program.missing}`, () => {
    test("MCP conformance", () => {});
  });
} else {
  const suite = join(dirname(program.path), "../node_modules/@modelcontextprotocol/conformance/dist/index.js");
  const at = new TestHome();
  let proxy: ReturnType<typeof Bun.serve>;

  /** The suite has no way to give a token, so somebody adds it; Host and Origin are left as they are, but for the port. */
  beforeAll(async () => {
    await at.constel(["config", "set", "http.enabled", "true"]);
    await at.constel(["daemon", "start"]);
    const target = new URL((await at.json<{ http: string }>(["daemon", "status"])).http);
    const { token } = await at.json<{ token: string }>(["token", "create", "test", "--role", "owner"]);
    proxy = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        const headers = new Headers(request.headers);
        headers.set("authorization", `Bearer ${token}`);
        for (const name of ["host", "origin"]) {
          const said = headers.get(name);
          if (said !== null) headers.set(name, said.replace(/(localhost|127\.0\.0\.1):\d+/, target.host));
        }
        const { method } = request;
        const hasBody = method !== "GET" && method !== "DELETE";
        return fetch(`${target.origin}/mcp`, { method, headers, ...(hasBody ? { body: await request.text() } : {}) });
      },
    });
  });
  afterAll(async () => {
    await proxy.stop(true);
    await at[Symbol.asyncDispose]();
  });

  const revisions = { "2026-07-28": needsFixtures, "2025-11-25": [...needsFixtures, ...needsSession] };
  for (const [revision, expected] of Object.entries(revisions)) {
    test(`revision ${revision}: nothing fails but what needs the suite's own tools, prompts and resources`, async () => {
      const baseline = join(at.top, `${revision}.yml`);
      writeFileSync(baseline, `server:\n${expected.map((name) => `  - ${name}\n`).join("")}`);
      const child = Bun.spawn(
        [
          process.execPath,
          "--no-env-file",
          "--config=/dev/null",
          suite,
          "server",
          "--url",
          `http://localhost:${proxy.port}/mcp`,
          "--spec-version",
          revision,
          "--expected-failures",
          baseline,
        ],
        { env: at.env, cwd: at.top, stdout: "pipe", stderr: "pipe" },
      );
      const [out, code] = [await new Response(child.stdout).text(), await child.exited];
      expect({ code, out: code === 0 ? "" : out.slice(-3_000) }).toEqual({ code: 0, out: "" });
      expect(out).toMatch(/✓ tools-list/);
      expect(out).toMatch(/✓ dns-rebinding-protection/);
    });
  }
}
