// install.sh as a release makes it, with a small script in the program's place: nothing is run that was not compared, whatever comes between leaves something
// that --uninstall knows, and what is not its own it leaves alone.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installer, type KnownArchive } from "../scripts/releasing/forms.ts";
import { temporaryDirectory } from "./kit/directory.ts";
import { layRelease, programOf, signingKey } from "./kit/made-release.ts";

let place: ReturnType<typeof temporaryDirectory>;
const at = (...parts: string[]): string => join(place.path, ...parts);
const page = "share/man/man1/constel.1";

beforeEach(() => {
  place = temporaryDirectory("installer");
  for (const name of ["machine", "you"]) mkdirSync(at(name));
  machine("Linux", "x86_64");
  const key = signingKey();
  for (const version of ["0.1.0", "0.2.0"])
    layRelease(at("releases/download", `v${version}`), {
      version,
      key,
      others: [{ name: page, content: version }, ...(version === "0.1.0" ? [{ name: gone, content: "" }] : [])],
    });
  writeFileSync(at("install.sh"), script());
});
afterEach(() => place[Symbol.dispose]());

const gone = "share/man/man1/constel-gone.1";

function script(): string {
  const archives = ["0.2.0", "0.1.0"].map((version): KnownArchive => {
    const { files } = JSON.parse(readFileSync(at("releases/download", `v${version}`, "release.json"), "utf8")) as {
      files: { file: string; sha256: string }[];
    };
    const [{ file: name, sha256 } = { file: "", sha256: "" }] = files;
    return { version, name, sha256 };
  });
  return installer("0.2.0", archives, "");
}

/** Says of which kind the machine is. */
function machine(system: string, cpu: string): void {
  writeFileSync(at("machine/uname"), `#!/bin/sh\n[ "$1" = -s ] && echo ${system} || echo ${cpu}\n`);
  chmodSync(at("machine/uname"), 0o755);
}

function sh(words: readonly string[], input?: string): { code: number | null; said: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["sh", ...words], {
    env: { PATH: `${at("machine")}:/usr/bin:/bin`, HOME: at("you"), LOG: at("log") },
    stdin: input === undefined ? "ignore" : Buffer.from(input),
  });
  return { code: exitCode, said: `${stdout.toString()}${stderr.toString()}` };
}

const install = (version = "0.2.0", ...more: string[]) =>
  sh([at("install.sh"), "--version", version, "--from", at("releases/download", `v${version}`), ...more]);

const everything = (): string[] => readdirSync(at("you"), { recursive: true }).map(String).sort();

const ran = (): string => (existsSync(at("log")) ? readFileSync(at("log"), "utf8") : "");

test("what an earlier version had and this one has not goes with --uninstall too", () => {
  expect(install("0.1.0")).toMatchObject({ code: 0 });
  expect(install("0.2.0")).toMatchObject({ code: 0 });
  expect(readFileSync(at("you/.local", page), "utf8")).toBe("0.2.0");
  expect(existsSync(at("you/.local", gone))).toBe(true);
  writeFileSync(at("you/.local/bin/other"), "");
  for (const left of [".install-killed", ".fresh", "earlier"]) mkdirSync(at("you/.local/lib/constel", left));
  expect(sh([at("install.sh"), "--uninstall"])).toMatchObject({ code: 0 });
  expect(ran()).toBe("0.2.0 uninstall --yes --keep-program\n");
  expect(everything()).toEqual([".local", ".local/bin", ".local/bin/other"]);
});

test("a script of which only a part arrived does nothing", () => {
  const whole = readFileSync(at("install.sh"), "utf8");
  const lines = whole.split("\n");
  const words = ["-s", "--", "--from", at("releases/download/v0.2.0")];
  for (let some = 1; some < lines.length - 2; some++) {
    const part = lines.slice(0, some).join("\n");
    for (const text of [part, part.slice(0, -3)]) sh(words, text);
    expect([some, everything(), ran()]).toEqual([some, [], ""]);
  }
  expect(sh(words, whole)).toMatchObject({ code: 0 });
  expect(sh(["-s", "--", "--help"], whole).said).toContain("--uninstall");
});

test("a flipped byte, no archive and an unknown version or machine leave nothing, not even a directory", () => {
  expect(install("0.2.0", "--from", at("nowhere"))).toMatchObject({ code: 69 });
  expect(install("0.3.0")).toMatchObject({ code: 69, said: expect.stringContaining("it knows: 0.2.0 0.1.0") });
  expect(install("../x")).toMatchObject({ code: 2 });
  machine("MINGW64_NT-10.0", "x86_64");
  expect(install()).toMatchObject({ code: 69, said: expect.stringContaining("inside WSL") });
  machine("Linux", "riscv64");
  expect(install()).toMatchObject({ code: 69, said: expect.stringContaining("no constel for riscv64") });
  machine("Linux", "x86_64");
  const [archive = ""] = readdirSync(at("releases/download/v0.2.0")).filter((name) => name.endsWith(".tar.gz"));
  const path = at("releases/download/v0.2.0", archive);
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  expect(install()).toMatchObject({ code: 65, said: expect.stringContaining("is not what was released") });
  expect(everything()).toEqual([".local"]);
  expect(ran()).toBe("");
});

test("a program that it did not put there stays", () => {
  mkdirSync(at("you/.local/bin"), { recursive: true });
  symlinkSync("/nowhere/constel", at("you/.local/bin/constel"));
  expect(install()).toMatchObject({ code: 73, said: expect.stringContaining("did not put it there") });
  expect(everything()).toEqual([".local", ".local/bin", ".local/bin/constel"]);
});

test("without leave to write it says where else it could go", () => {
  writeFileSync(at("you/.local"), "a file");
  expect(install()).toMatchObject({ code: 73, said: expect.stringContaining("say --prefix DIR") });
  expect(install("0.2.0", "--prefix", at("you/with a space"))).toMatchObject({ code: 0 });
  expect(readFileSync(at("you/with a space/bin/constel"), "utf8")).toBe(programOf("0.2.0"));
});
