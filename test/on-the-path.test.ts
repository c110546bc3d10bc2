// What a person puts on the PATH by the README, every agent inherits: it offers `constel` and hides nothing of the system's.

import { expect, test } from "bun:test";
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "./kit/directory.ts";
import { ownWord } from "../src/doors/cli/own-word.ts";
import { projectTop } from "./kit/home.ts";

const readme = readFileSync(join(projectTop, "README.md"), "utf8");
const named = [...readme.matchAll(/export PATH="\$PWD\/([\w/.-]+):\$PATH"/g)].map(([, directory = ""]) => directory);

test("the README names a directory that has constel alone", () => {
  expect(named.length).toBeGreaterThan(0);
  for (const directory of named) expect(readdirSync(join(projectTop, directory))).toEqual(["constel"]);
});

test("constel is found there from elsewhere, and so is the system's own install", async () => {
  using elsewhere = temporaryDirectory("on-the-path");
  const path = `${join(projectTop, named[0] ?? "")}:/usr/bin:/bin`;
  const script =
    'command -v constel && command -v install && constel version && printf x >made && install -m 600 made "$PWD/put" && ls put';
  const ran = Bun.spawnSync(["sh", "-c", script], {
    cwd: elsewhere.path,
    env: { PATH: path, HOME: elsewhere.path, CONSTEL_HOME: join(elsewhere.path, "home") },
  });
  const [program, install, version, put] = ran.stdout.toString().trim().split("\n");
  expect([program, install]).toEqual([join(projectTop, named[0] ?? "", "constel"), "/usr/bin/install"]);
  expect(version).toMatch(/^constel \d/);
  expect(put).toBe("put");
});

test("constel runs by whatever path it is called", () => {
  using elsewhere = temporaryDirectory("on-the-path");
  const link = join(elsewhere.path, "linked");
  symlinkSync(join(projectTop, "bin/constel"), link);
  const ways = [
    ["bin", "./constel"],
    ["bin/path", "./constel"],
    ["src", "../bin/constel"],
    ["src", "../bin/path/constel"],
    [".", "bin/constel"],
    [".", link],
  ];
  for (const [directory = "", called = ""] of ways) {
    const env = { PATH: "/usr/bin:/bin", HOME: elsewhere.path, CONSTEL_HOME: join(elsewhere.path, "home") };
    const ran = Bun.spawnSync(["sh", "-c", `cd ${directory} && ${called} version`], { cwd: projectTop, env });
    expect([directory, called, ran.exitCode, ran.stdout.toString().slice(0, 8)]).toEqual([
      directory,
      called,
      0,
      "constel ",
    ]);
  }
});

test("a program that the shell does not find names that directory, too", () => {
  expect(ownWord("/usr/bin:/bin")).toEqual({
    word: join(projectTop, "bin/constel"),
    directory: join(projectTop, named[0] ?? ""),
  });
  expect(ownWord(join(projectTop, named[0] ?? ""))).toEqual({ word: "constel", directory: undefined });
});
