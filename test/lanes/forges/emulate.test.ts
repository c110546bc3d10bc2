// GitHub's adapter against a witness that nobody here wrote: `emulate` 0.10.0 speaks GitHub's REST interface. It has no git over
// HTTP, no GraphQL, no merge queue and no commit statuses, lets in every token, and opens a second pull request for a branch where
// GitHub refuses: it says nothing of these.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemForges } from "../../../src/host/forge/forges.ts";
import { systemProcesses } from "../../../src/host/process/run.ts";
import type { Forge } from "../../../src/ports/forge.ts";

const brought = Bun.spawnSync(["sh", join(import.meta.dir, "../../../scripts/forge-witness.sh")]);
// Skipped where it cannot be had; the script says why.
const describeOrSkip = brought.exitCode === 0 ? describe : describe.skip;
const repository = "acme-bot/shop";

const seed = `tokens:
  witness_token_of_a_bot: { login: acme-bot, scopes: [repo, user] }
  witness_token_of_mona: { login: mona, scopes: [repo, user] }
github:
  users:
    - login: acme-bot
    - login: mona
  repos:
    - { owner: acme-bot, name: shop, auto_init: true }
`;

describeOrSkip(
  `github against emulate${brought.exitCode === 0 ? "" : `: SKIPPED, ${brought.stderr.toString().trim()}`}`,
  () => {
    let top: string;
    let api: string;
    let child: ReturnType<typeof Bun.spawn>;
    let forge: Forge;
    let head: string;

    const call = async (
      method: string,
      path: string,
      body?: unknown,
      token = "witness_token_of_a_bot",
    ): Promise<unknown> => {
      const response = await fetch(`${api}/repos/${repository}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text === "" ? undefined : JSON.parse(text);
    };
    const forgeOf = (token: string): Forge => {
      const host = new URL(api).host;
      const forges = systemForges({
        settings: [{ host, kind: "github", api }],
        processes: systemProcesses,
        environment: {},
        clock: { nowMs: Date.now, sleep: (ms) => Bun.sleep(ms) },
        token,
      });
      return forges.open(forges.placeOf(`${api}/${repository}`));
    };
    /** A commit on top of main, as a branch. */
    const branch = async (name: string): Promise<string> => {
      const main = (await call("GET", "/git/ref/heads/main")) as { object: { sha: string } };
      const { sha: blob } = (await call("POST", "/git/blobs", { content: name, encoding: "utf-8" })) as { sha: string };
      const { sha: tree } = (await call("POST", "/git/trees", {
        tree: [{ path: name, mode: "100644", type: "blob", sha: blob }],
      })) as { sha: string };
      const made = (await call("POST", "/git/commits", { message: name, tree, parents: [main.object.sha] })) as {
        sha: string;
      };
      await call("POST", "/git/refs", { ref: `refs/heads/${name}`, sha: made.sha });
      return made.sha;
    };

    beforeAll(async () => {
      top = mkdtempSync(join(tmpdir(), "constel-witness-"));
      writeFileSync(join(top, "seed.yaml"), seed);
      const port = await freePort();
      api = `http://localhost:${port}`;
      const program = brought.stdout.toString().trim();
      child = Bun.spawn(
        ["node", program, "start", "--service", "github", "--port", String(port), "--seed", "seed.yaml"],
        {
          cwd: top,
          stdout: "ignore",
          stderr: "ignore",
        },
      );
      for (let tries = 0; ; tries++) {
        const isUp = await fetch(`${api}/user`, { headers: { authorization: "Bearer witness_token_of_a_bot" } }).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isUp) break;
        if (tries > 300) throw new Error("emulate does not answer");
        await Bun.sleep(100);
      }
      forge = forgeOf("witness_token_of_a_bot");
      head = await branch("work");
    }, 60_000);
    afterAll(async () => {
      child.kill();
      await child.exited;
      rmSync(top, { recursive: true, force: true });
    });

    const wish = { branch: "work", base: "main", title: "Do it", body: "What was done" };

    test("opened, found by its branch, changed, listed", async () => {
      expect(await forge.find("work")).toBeUndefined();
      const opened = await forge.open(wish);
      expect(opened).toMatchObject({ state: "open", head, base: "main", title: "Do it" });
      expect((await forge.find("work"))?.number).toBe(opened.number);
      await forge.update(opened.number, { title: "Do it well" });
      expect(await forge.find("work")).toMatchObject({ title: "Do it well" });
      expect((await forge.openPulls()).map(({ number }) => number)).toEqual([opened.number]);
    });

    test("reviews, remarks and the one comment of ours", async () => {
      const { number = 0 } = (await forge.find("work")) ?? {};
      const review = { event: "REQUEST_CHANGES", body: "please rename it" };
      await call("POST", `/pulls/${number}/reviews`, review, "witness_token_of_mona");
      expect((await forge.state(number)).review).toBe("changes-requested");
      expect((await forge.remarks(number)).map(({ author, text, kind }) => [author, text, kind])).toContainEqual([
        "mona",
        "please rename it",
        "changes-requested",
      ]);
      await call("POST", `/pulls/${number}/reviews`, { event: "APPROVE", body: "" }, "witness_token_of_mona");
      expect((await forge.state(number)).review).toBe("approved");
      for (const text of ["first", "second"]) await forge.putComment("pull", number, { marker: "<!-- m -->", text });
      const comments = (await call("GET", `/issues/${number}/comments`)) as { body: string }[];
      expect(comments.map(({ body }) => body)).toEqual(["<!-- m -->\nsecond"]);
    });

    test("a required check keeps it out until it is green; merged at the expected commit", async () => {
      const { number = 0 } = (await forge.find("work")) ?? {};
      expect((await forge.state(number)).checks.state).toBe("none");
      await call("PUT", "/branches/main/protection", {
        required_status_checks: { strict: false, contexts: ["build"] },
        enforce_admins: true,
        required_pull_request_reviews: null,
        restrictions: null,
      });
      expect((await forge.merge(number, { head, method: "squash" })).kind).toBe("not-yet");
      const run = { name: "build", head_sha: head, status: "in_progress" };
      const { id } = (await call("POST", "/check-runs", run)) as { id: number };
      expect((await forge.state(number)).checks.state).toBe("pending");
      const failed = {
        status: "completed",
        conclusion: "failure",
        output: { title: "red", summary: "expected 2, got 3" },
      };
      await call("PATCH", `/check-runs/${id}`, failed);
      const { checks } = await forge.state(number);
      expect([checks.state, checks.red[0]?.tail]).toEqual(["red", expect.stringContaining("expected 2, got 3")]);
      await call("PATCH", `/check-runs/${id}`, { status: "completed", conclusion: "success" });
      expect((await forge.state(number)).checks.state).toBe("green");
      expect((await forge.merge(number, { head: "0".repeat(40), method: "squash" })).kind).not.toBe("merged");
      expect(await forge.merge(number, { head, method: "squash" })).toEqual({ kind: "merged" });
      expect(await forge.state(number)).toMatchObject({ state: "merged" });
    });

    test("closed without merging", async () => {
      await branch("other");
      const { number } = await forge.open({ ...wish, branch: "other" });
      await forge.close(number);
      expect(await forge.state(number)).toMatchObject({ state: "closed" });
      expect(await forge.find("other")).toMatchObject({ number, state: "closed" });
    });

    test("issues by label", async () => {
      await call("POST", "/labels", { name: "agents", color: "ffffff" });
      await call("POST", "/issues", { title: "one", labels: ["agents"] });
      await call("POST", "/issues", { title: "two" });
      expect((await forge.issues({ label: "agents", state: "open" })).map(({ title }) => title)).toEqual(["one"]);
    });
  },
);

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
