// Doctor mends the home and nothing but the home: files that have a second name elsewhere are the user's, or git's.

import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "../../ports/fake-clock.ts";
import type { DoctorContext } from "./check.ts";
import { homeChecks } from "./home-checks.ts";

let top: string;
let home: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "constel-doctor-"));
  home = join(top, "home");
  mkdirSync(join(home, "logs"), { recursive: true, mode: 0o700 });
  chmodSync(home, 0o700);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

async function fix(code: string): Promise<{ saw: string; fixed: string | undefined }> {
  const check = homeChecks.find((one) => one.code === code);
  const [result] = (await check?.look({ home, clock: new FakeClock() } as unknown as DoctorContext)) ?? [];
  return { saw: result?.saw ?? "", fixed: await result?.fix?.() };
}

/** Returns everything that must not change: mode and times too. */
function print(directory: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(directory, { recursive: true }) as string[]) {
    const { mode, mtimeMs, size } = lstatSync(join(directory, name));
    found[name] = `${mode.toString(8)} ${size} ${mtimeMs}`;
  }
  return found;
}

test("a clone that shares its objects with the home keeps their modes and times", async () => {
  const clone = join(top, "clone");
  const git = (...args: string[]): void => {
    const ran = Bun.spawnSync(["git", "-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: top });
    if (ran.exitCode !== 0) throw new Error(ran.stderr.toString());
  };
  git("init", "-q", clone);
  writeFileSync(join(clone, "a.txt"), "one\n");
  git("-C", clone, "add", "-A");
  git("-C", clone, "commit", "-qm", "one");
  // One place that we know of, and one where nobody expects objects.
  for (const place of ["state/harvest/a.git", "state/other/b.git"]) {
    mkdirSync(join(home, place, ".."), { recursive: true, mode: 0o700 });
    git("clone", "-q", "--local", "--bare", clone, join(home, place));
  }
  const shared = readdirSync(join(home, "state/other/b.git/objects"), { recursive: true, withFileTypes: true });
  expect(shared.some((entry) => entry.isFile() && lstatSync(join(entry.parentPath, entry.name)).nlink > 1)).toBe(true);
  const before = print(clone);
  await fix("home.modes");
  expect(print(clone)).toEqual(before);
});

test("a second name of the user's file is not closed, and what is only ours is", async () => {
  writeFileSync(join(top, "letter"), "dear all");
  chmodSync(join(top, "letter"), 0o644);
  linkSync(join(top, "letter"), join(home, "logs/letter.jsonl"));
  symlinkSync(join(top, "letter"), join(home, "logs/link"));
  writeFileSync(join(home, "logs/ours.jsonl"), "");
  chmodSync(join(home, "logs/ours.jsonl"), 0o644);
  chmodSync(join(home, "logs"), 0o755);
  const before = print(top)["letter"];
  expect((await fix("home.modes")).fixed).toBe("closed 2 to others");
  expect(print(top)["letter"]).toBe(before as string);
  expect(lstatSync(join(home, "logs/ours.jsonl")).mode & 0o777).toBe(0o600);
  expect(lstatSync(join(home, "logs")).mode & 0o777).toBe(0o700);
  expect((await fix("home.modes")).saw).toBe("only the owner can read the home");
});

test("leftovers are removed where they lie, not where a link leads", async () => {
  mkdirSync(join(top, "outside"));
  writeFileSync(join(top, "outside/.x.1.1.tmp"), "");
  symlinkSync(join(top, "outside"), join(home, "logs/out"));
  writeFileSync(join(home, "logs/.y.1.1.tmp"), "");
  const old = new Date(0);
  for (const path of [join(top, "outside/.x.1.1.tmp"), join(home, "logs/.y.1.1.tmp")]) utimesSync(path, old, old);
  expect((await fix("home.leftovers")).fixed).toBe("removed 1");
  expect(readdirSync(join(top, "outside"))).toEqual([".x.1.1.tmp"]);
  expect((await fix("home.symlinks")).saw).toContain("logs/out");
});

test("what an agent's program has in its own place is neither a planted link nor open to others", async () => {
  const place = join(home, "state/runtime/agent1/gemini");
  mkdirSync(place, { recursive: true, mode: 0o700 });
  writeFileSync(join(place, "projects.json"), "{}");
  chmodSync(join(place, "projects.json"), 0o644);
  symlinkSync(join(top, "letter"), join(place, "oauth_creds.json"));
  expect((await fix("home.symlinks")).saw).toBe("no symbolic links in the home");
  expect((await fix("home.modes")).saw).toBe("only the owner can read the home");
  symlinkSync(place, join(home, "state/runtime/agent2"));
  expect((await fix("home.symlinks")).saw).toContain("state/runtime/agent2");
});
