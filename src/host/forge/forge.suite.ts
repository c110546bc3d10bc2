// Holds what every adapter to a forge must do, against the one double in test/kit/forge.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "../../../test/kit/forge/dialect.ts";
import { ForgeDouble, token } from "../../../test/kit/forge/double.ts";
import { rejection } from "../../../test/kit/rejection.ts";
import type { Forge, ForgePlace } from "../../ports/forge.ts";
import { Outage, Refusal } from "../../protocol/errors.ts";
import { systemProcesses } from "../process/run.ts";
import type { ForgeSetting } from "./forge-setting.ts";
import { systemForges } from "./forges.ts";

export class ForgeScene {
  readonly top = mkdtempSync(join(tmpdir(), "constel-forge-"));
  readonly double = new ForgeDouble(this.top);
  readonly tokenFile = join(this.top, "token");
  /** The pauses that the client made between tries. */
  readonly pauses: number[] = [];
  /** So much later it is for the client. */
  laterMs = 0;

  constructor() {
    writeFileSync(this.tokenFile, `${token}\n`, { mode: 0o600 });
    this.commit("main", { "a.txt": "one\n" });
    this.double.model.protect();
  }

  setting(kind: ForgePlace["kind"]): ForgeSetting {
    const { double, tokenFile: token_file } = this;
    if (kind !== "command") return { host: double.host, kind, api: double.api(kind), token_file };
    const script = join(import.meta.dir, "../../../test/kit/forge/command.ts");
    const command = [process.execPath, "--no-env-file", script, double.api("github"), token_file].join(" ");
    return { host: double.host, kind, command };
  }

  forge(kind: ForgePlace["kind"]): Forge {
    const forges = systemForges({
      settings: [this.setting(kind)],
      processes: systemProcesses,
      environment: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: this.top },
      clock: { nowMs: () => Date.now() + this.laterMs, sleep: async (ms) => void this.pauses.push(ms) },
      deadlineMs: 5_000,
    });
    return forges.open(forges.placeOf(this.double.origin));
  }

  commit(branch: string, files: Readonly<Record<string, string>>): string {
    return this.double.model.commit(branch, files);
  }

  async close(): Promise<void> {
    await this.double.close();
    rmSync(this.top, { recursive: true, force: true });
  }
}

const wish = { branch: "work", base: "main", title: "Do it", body: "What was done" };

export function forgeSuite(kind: ForgePlace["kind"]): void {
  describe(kind, () => {
    let scene: ForgeScene;
    let forge: Forge;
    let head: string;

    beforeEach(() => {
      scene = new ForgeScene();
      forge = scene.forge(kind);
      head = scene.commit("work", { "b.txt": "two\n" });
    });
    afterEach(async () => {
      await scene.close();
    });

    test("a pull request is opened once, found by its branch, changed and closed", async () => {
      expect(await forge.find("work")).toBeUndefined();
      const opened = await forge.open(wish);
      expect(opened).toMatchObject({
        number: 1,
        state: "open",
        head,
        base: "main",
        title: "Do it",
        body: "What was done",
      });
      const again = await rejection(forge.open(wish));
      expect(again).toMatchObject({ code: "forge.exists" });
      expect(await forge.find("work")).toEqual(opened);
      await forge.update(1, { title: "Do it well", body: "More" });
      expect(await forge.find("work")).toMatchObject({ title: "Do it well", body: "More" });
      await forge.close(1);
      expect(await forge.find("work")).toMatchObject({ number: 1, state: "closed", head });
      expect(await forge.state(1)).toMatchObject({
        state: "closed",
        // Gitea does not say who closed one.
        endedBy: kind === "gitea" ? undefined : "constel-bot",
      });
      expect(await forge.find("other")).toBeUndefined();
    });

    test("an open pull request is found before one of the same branch that has ended", async () => {
      await forge.open(wish);
      await forge.close(1);
      await forge.open(wish);
      expect(await forge.find("work")).toMatchObject({ number: 2, state: "open" });
    });

    test("without a check the checks are none, which is not green; then pending, red with the log's end, green", async () => {
      await forge.open(wish);
      expect((await forge.state(1)).checks).toEqual({ state: "none", red: [] });
      scene.double.model.check(head, "build", "pending");
      expect((await forge.state(1)).checks.state).toBe("pending");
      scene.double.model.check(head, "build", "red", "line one\nexpected 2, got 3\n");
      const { checks } = await forge.state(1);
      expect(checks.state).toBe("red");
      expect(checks.red.map(({ name, tail }) => [name, tail])).toEqual([["build", "line one\nexpected 2, got 3"]]);
      scene.double.model.check(head, "build", "green");
      expect(await forge.checks(head)).toEqual({ state: "green", red: [] });
    });

    test("a review that is required, one that asks for changes, and an approval are told apart", async () => {
      scene.double.model.rules.reviews = 1;
      scene.double.model.check(head, "build", "green");
      await forge.open(wish);
      expect((await forge.state(1)).review).toBe("required");
      const says = { pull: 1, kind: "review", author: "mona", text: "please rename it" } as const;
      const review = scene.double.model.say({ ...says, verdict: "CHANGES_REQUESTED" });
      scene.double.model.say({
        pull: 1,
        kind: "line",
        author: "mona",
        text: "this one",
        path: "b.txt",
        line: 1,
        review: review.id,
      });
      scene.double.model.say({ pull: 1, kind: "comment", author: "ada", text: "nice" });
      expect((await forge.state(1)).review).toBe("changes-requested");
      const remarks = await forge.remarks(1);
      expect(remarks.map(({ author, text, path, line }) => [author, text, path, line])).toEqual(
        expect.arrayContaining([
          ["mona", "please rename it", undefined, undefined],
          ["mona", "this one", "b.txt", 1],
          ["ada", "nice", undefined, undefined],
        ]),
      );
      expect(new Set(remarks.map(({ id }) => id)).size).toBe(3);
      scene.double.model.say({ ...says, text: "", verdict: "APPROVED" });
      expect((await forge.state(1)).review).toBe("approved");
    });

    test("it is merged at the expected commit only, and what is missing is said", async () => {
      await forge.open(wish);
      const refused = await forge.merge(1, { head, method: "merge" });
      expect(refused.kind).toBe("not-yet");
      scene.double.model.check(head, "build", "green");
      const other = scene.commit("main", { "c.txt": "three\n" });
      expect(await forge.merge(1, { head: other, method: "merge" })).toEqual({ kind: "moved" });
      expect(await forge.merge(1, { head, method: "squash" })).toEqual({ kind: "merged" });
      expect(await forge.state(1)).toMatchObject({ state: "merged", head });
      expect(scene.double.model.git("show", "main:b.txt")).toBe("two\n");
    });

    test("while mergeability is computed a merge is not yet possible, and then it is", async () => {
      await forge.open(wish);
      scene.double.model.check(head, "build", "green");
      const pull = scene.double.model.pull(1);
      if (pull !== undefined) pull.computing = 1;
      expect((await forge.merge(1, { head, method: "merge" })).kind).toBe("not-yet");
      expect((await forge.merge(1, { head, method: "merge" })).kind).toBe("merged");
    });

    test("a conflict with the base is seen", async () => {
      await forge.open(wish);
      expect((await forge.state(1)).merge).not.toBe("conflicts");
      scene.commit("main", { "b.txt": "other\n" });
      expect((await forge.state(1)).merge).toBe("conflicts");
    });

    test("open pull requests are listed with the ref under which their commits are offered, over pages", async () => {
      for (let at = 0; at < 55; at++) {
        scene.double.model.git("update-ref", `refs/heads/b${at}`, head);
        scene.double.model.open({ ...wish, branch: `b${at}` });
      }
      const open = await forge.openPulls();
      expect(open.length).toBe(55);
      expect(scene.double.model.tip(open[54]?.ref ?? "")).toBe(head);
      expect(open[0]).toMatchObject({ number: 1, author: "constel-bot", base: "main", head });
    });

    test("the one comment of ours is written, then changed; one of somebody else's with our marker is left alone", async () => {
      await forge.open(wish);
      const marker = "<!-- constel: collisions -->";
      scene.double.model.say({ pull: 1, kind: "comment", author: "mallory", text: `${marker}\nall is well` });
      await forge.putComment("pull", 1, { marker, text: "first" });
      await forge.putComment("pull", 1, { marker, text: "second" });
      await forge.putComment("pull", 1, { marker, text: "second" });
      const said = scene.double.model.remarks.map(({ author, text }) => [author, text]);
      expect(said).toEqual([
        ["mallory", `${marker}\nall is well`],
        ["constel-bot", `${marker}\nsecond`],
      ]);
    });

    test("issues are listed by label", async () => {
      scene.double.model.issue({ title: "one", labels: ["agents"], body: "do it" });
      scene.double.model.issue({ title: "two" });
      scene.double.model.issue({ title: "three", labels: ["agents"], state: "closed" });
      const open = await forge.issues({ label: "agents", state: "open" });
      expect(open).toMatchObject([{ number: 1, title: "one", body: "do it", state: "open", labels: ["agents"] }]);
      expect((await forge.issues({ label: "agents", state: "all" })).map(({ state }) => state)).toEqual([
        "open",
        "closed",
      ]);
      expect(await forge.issue(3)).toMatchObject({ number: 3, state: "closed", author: "mona" });
      expect(await forge.issue(99)).toBeUndefined();
    });

    test("a forge that is away, or whose answer is cut in the middle, is an outage, never an answer", async () => {
      await forge.open(wish);
      scene.double.isDown = true;
      expect(await rejection(forge.find("work"))).toBeInstanceOf(Outage);
      scene.double.isDown = false;
      scene.double.trouble = (_, after) =>
        after === undefined ? undefined : new Response('[{"number": 1, "state": "op', { status: 200 });
      expect(await rejection(forge.find("work"))).toBeInstanceOf(Outage);
      scene.double.trouble = undefined;
      expect(await forge.find("work")).toMatchObject({ number: 1 });
    });

    if (kind !== "command") httpTests(() => ({ scene, forge }));
  });

  /** Of the one client that the three share. */
  function httpTests(now: () => { scene: ForgeScene; forge: Forge }): void {
    test("a pause that is asked for is made, and one that is too long is an outage", async () => {
      const { scene, forge } = now();
      let left = 1;
      scene.double.trouble = (_, after) =>
        after !== undefined || left-- <= 0 ? undefined : json({ message: "slow down" }, 429, { "retry-after": "2" });
      expect(await forge.find("work")).toBeUndefined();
      expect(scene.pauses).toEqual([2_000]);
      const reset = String(Math.floor(Date.now() / 1000) + 3_000);
      const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset };
      scene.double.trouble = (_, after) =>
        after === undefined ? json({ message: "API rate limit exceeded" }, 403, headers) : undefined;
      const limited = await rejection(forge.find("work"));
      expect(limited).toBeInstanceOf(Outage);
      expect(scene.pauses).toEqual([2_000]);
    });

    test("a token that is not valid is a refusal that does not name it, and so is one that others may read", async () => {
      const { scene } = now();
      writeFileSync(scene.tokenFile, "wrong-token-of-somebody\n");
      const denied = await rejection(scene.forge(kind).find("work"));
      expect(denied).toBeInstanceOf(Refusal);
      expect(denied).toMatchObject({ code: "forge.denied" });
      expect(JSON.stringify(denied) + String(denied)).not.toContain("wrong-token");
      chmodSync(scene.tokenFile, 0o644);
      expect(await rejection(scene.forge(kind).find("work"))).toMatchObject({ code: "forge.no-token" });
    });

    test("what is not there, and what the forge does not take, are refusals", async () => {
      const { scene, forge } = now();
      expect(await rejection(forge.state(99))).toMatchObject({ code: "forge.unknown" });
      scene.double.trouble = (_, after) => (after === undefined ? json({ message: "no such base" }, 422) : undefined);
      expect(await rejection(forge.update(1, { base: "none" }))).toMatchObject({ code: "forge.refused" });
    });

    test("what was told to the forge and not answered is not told again by itself", async () => {
      const { scene, forge } = now();
      scene.double.trouble = ({ method }, after) =>
        method === "POST" && after !== undefined ? new Response("gone", { status: 502 }) : undefined;
      expect(await rejection(forge.open(wish))).toBeInstanceOf(Outage);
      scene.double.trouble = undefined;
      expect(scene.double.model.pulls.length).toBe(1);
      expect(await forge.find("work")).toMatchObject({ number: 1, state: "open" });
    });

    test("a redirect to another host is not given the token, and one for a change is not followed", async () => {
      const { scene, forge } = now();
      const heard: (string | null)[] = [];
      using other = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch(request) {
          heard.push(request.headers.get("authorization") ?? request.headers.get("private-token"));
          return json([]);
        },
      });
      const elsewhere = (): Response =>
        new Response(null, { status: 302, headers: { location: `http://127.0.0.1:${other.port}/x` } });
      scene.double.trouble = (_, after) => (after === undefined ? elsewhere() : undefined);
      expect(await rejection(forge.open(wish))).toBeInstanceOf(Outage);
      expect(await rejection(forge.find("work"))).toBeInstanceOf(Outage);
      expect(heard).toEqual([]);
    });

    test("a forge that answers ever more, or ever slower, is left: all that one question takes is bounded together", async () => {
      const { scene } = now();
      let pages = 0;
      const page = JSON.stringify(Array.from({ length: 50 }, () => "x".repeat(120_000)));
      scene.double.trouble = (_, after) => {
        if (after !== undefined) return undefined;
        pages += 1;
        return new Response(page);
      };
      const heavy = await rejection(scene.forge(kind).issues({ label: undefined, state: "open" }));
      expect(String(heavy)).toContain("over 48 MiB together");
      expect(pages).toBeLessThan(12);
      let asked = 0;
      const red = Array.from({ length: 50 }, (_, id) => id);
      scene.double.trouble = (_, after) => {
        if (after !== undefined) return undefined;
        asked += 1;
        scene.laterMs += 31_000;
        return json(red);
      };
      const slow = await rejection(scene.forge(kind).issues({ label: undefined, state: "open" }));
      expect(String(slow)).toContain("took too long over all");
      expect(asked).toBe(4);
    });

    test("an answer without end is cut off", async () => {
      const { scene, forge } = now();
      scene.double.trouble = (_, after) =>
        after === undefined ? new Response("x".repeat(9 * 1024 * 1024)) : undefined;
      const cut = await rejection(forge.find("work"));
      expect(cut).toBeInstanceOf(Outage);
      expect(String(cut)).toContain("over 8 MiB");
    });
  }
}
