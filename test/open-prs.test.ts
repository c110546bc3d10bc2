// `constel check --open-prs` and the script of the action and the job, on a repository with five open pull requests, one of them
// hostile: one comment, the right pairs, a second run that updates it, and nothing of anybody's branch ever runs.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { collisionsMarker } from "../src/app/open-pulls-comment.ts";
import { ForgeDouble, token } from "./kit/forge/double.ts";
import { projectTop, TestHome } from "./kit/home.ts";

let at: TestHome;
let double: ForgeDouble;
let clone: string;
let canary: string;

const price = `export function priceOf(item: string): number {
  return item.length;
}

export function nameOf(item: string): string {
  return item;
}
`;

beforeAll(() => {
  at = new TestHome();
  double = new ForgeDouble(join(at.top, "forge"));
  canary = join(at.top, "canary");
  const { model } = double;
  const filler = Array.from({ length: 12 }, (_, line) => `line ${line}\n`).join("");
  model.commit("main", { "src/price.ts": price, "a.txt": filler, "tsconfig.json": "{}\n" }, "begin");
  const open = (branch: string, files: Record<string, string | null>, title: string): void => {
    model.commit(branch, files);
    model.open({ branch, base: "main", title, body: "", author: "mona" });
  };
  open(
    "mine",
    { "src/price.ts": price.replaceAll("priceOf", "costOf"), "a.txt": filler.replace("line 3", "mine") },
    "Rename priceOf",
  );
  open("textual", { "a.txt": filler.replace("line 3", "theirs") }, "Another line 3");
  open(
    "semantic",
    { "src/cart.ts": 'import { priceOf } from "./price.ts";\nexport const total = (): number => priceOf("a") + 1;\n' },
    "A cart",
  );
  open("apart", { "b.txt": "new\n" }, "A new file");
  model.commit("elsewhere", { "a.txt": filler.replace("line 3", "hostile"), ...hostile() });
  model.openFromFork({
    from: model.bare,
    branch: "elsewhere",
    author: "mallory",
    title: "@acme/all <img src=x> ](http://evil) `x`\n# Approved",
  });
  model.git("update-ref", "-d", "refs/heads/elsewhere");
  clone = join(at.top, "clone");
  const made = Bun.spawnSync(["git", "clone", "-q", model.bare, clone], {
    env: { ...at.env, GIT_CONFIG_NOSYSTEM: "1" },
  });
  expect(made.exitCode).toBe(0);
  Bun.spawnSync(["git", "remote", "set-url", "origin", double.origin], { cwd: clone });
});

afterAll(async () => {
  await double.close();
  rmSync(at.top, { recursive: true, force: true });
});

/** Everything that might be run by somebody who looks at a branch without care. */
function hostile(): Record<string, string> {
  const touch = `touch ${canary}`;
  return {
    "constel.toml": `[gate]\ncommand = "${touch}"\n[workspace]\nsetup = "${touch}"\n[regenerate]\n"a.txt" = "${touch}"\n`,
    ".gitattributes": "*.txt merge=evil filter=evil diff=evil\n",
    ".gitconfig": `[merge "evil"]\n driver = ${touch}\n[filter "evil"]\n smudge = ${touch}\n`,
    "package.json": `{"scripts": {"preinstall": "${touch}", "prepare": "${touch}"}}\n`,
    "tsconfig.json": '{"compilerOptions": {"plugins": [{"name": "./evil.js"}]}}\n',
    "evil.js": `require("node:child_process").execSync("${touch}")\n`,
    "build.rs": `fn main() { std::process::Command::new("touch").arg("${canary}").status(); }\n`,
    ".git-hooks/post-checkout": `#!/bin/sh\n${touch}\n`,
  };
}

const program = [process.execPath, "--no-env-file", "--config=/dev/null", join(projectTop, "src/main.ts")];

/** As CI runs it: the script, with the program of this clone. */
async function runScript(more: Record<string, string> = {}): Promise<{ code: number; out: string; err: string }> {
  const child = Bun.spawn(["sh", join(projectTop, "integrations/open-prs.sh")], {
    cwd: clone,
    env: {
      ...at.env,
      CONSTEL: program.join(" "),
      CONSTEL_PR: "1",
      CONSTEL_TOKEN: token,
      CONSTEL_FORGE_KIND: "github",
      CONSTEL_FORGE_HOST: double.host,
      CONSTEL_FORGE_API: double.api("github"),
      ...more,
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err };
}

const comments = (): string[] => double.model.remarks.filter(({ pull }) => pull === 1).map(({ text }) => text);

test("one comment with the right pairs, updated by the second run; red only by the rule; nothing runs", async () => {
  const first = await runScript();
  expect({ code: first.code, err: first.err }).toEqual({ code: 0, err: "" });
  expect(first.out).toContain("collides with 3 of 4 other open pull requests");
  expect(comments().length).toBe(1);
  const [comment = ""] = comments();
  expect(comment.startsWith(collisionsMarker)).toBe(true);
  expect([...comment.matchAll(/^- #(\d+) /gm)].map(([, number]) => number)).toEqual(["5", "3", "2"]);
  expect(comment).toContain("textual");
  expect(comment).toMatch(/#3 A cart \(by mona\)\n {2}- \w+, semantic/);
  // What a stranger calls a pull request is words and nothing else.
  expect(comment).not.toContain("@acme");
  expect(comment).not.toContain("<img");
  expect(comment).not.toContain("](http");
  expect(comment).not.toMatch(/^# Approved/m);
  double.model.commit("apart", { "a.txt": "all of it is new\n" });
  const second = await runScript({ CONSTEL_RED_ON: "textual" });
  expect(second.code).toBe(1);
  expect(comments().length).toBe(1);
  expect(comments()[0]).toContain("#4 A new file");
  expect((await runScript({ CONSTEL_RED_ON: "contract" })).code).toBe(0);
  expect(existsSync(canary)).toBe(false);
  expect(first.out + first.err + second.out + second.err).not.toContain(token);
}, 240_000);

test("it leaves nothing in the clone, needs no token to read, and refuses what is not open", async () => {
  const config = join(at.home, "config.toml");
  mkdirSync(at.home, { recursive: true });
  const before = readFileSync(join(clone, ".git/config"), "utf8");
  writeFileSync(config, `[[forge.hosts]]\nhost = "${double.host}"\nkind = "github"\napi = "${double.api("github")}"\n`);
  const refused = await at.constel(["check", "--open-prs", "--pr", "99", "--token-env", "MY_TOKEN", "--json"], {
    program,
    cwd: clone,
    env: { MY_TOKEN: token },
  });
  expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: "check.no-pull" } });
  const denied = await at.constel(["check", "--open-prs", "--pr", "1", "--token-env", "NOT_SET", "--json"], {
    program,
    cwd: clone,
  });
  expect(JSON.parse(denied.stderr)).toMatchObject({ error: { code: "forge.denied" } });
  const nowhere = await at.constel(["check", "--open-prs", "--pr", "1", "--json"], { program, cwd: at.top });
  expect(JSON.parse(nowhere.stderr)).toMatchObject({ error: { code: "check.no-origin" } });
  expect(readFileSync(join(clone, ".git/config"), "utf8")).toBe(before);
  expect(readdirSync(clone).sort()).toEqual([".git", "a.txt", "src", "tsconfig.json"]);
}, 120_000);
