// Programs that a repository, or a jar that its build names, could make javac run: annotation processors and plugins that are found by
// themselves on the class path, there by a directory, or by the Class-Path in a jar's manifest. They bite when javac is called
// plainly, and do not with the rules that the toolchain calls it with.

import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rules } from "./java-toolchain.ts";

const root = mkdtempSync(join(tmpdir(), "constel-javac-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const at = (...parts: string[]): string => join(root, ...parts);
const isMissing = Bun.which("javac") === null || Bun.which("jar") === null;
if (isMissing) console.log("skipped: javac or jar is not on the PATH");

function run(...command: string[]): void {
  Bun.spawnSync(command, { cwd: root, env: { PATH: process.env["PATH"] ?? "" }, stdout: "ignore", stderr: "ignore" });
}

/** Short lives: the JIT costs more than it brings. */
const quick = ["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"];

/** A processor that leaves a file behind when it is loaded. */
const processor = (name: string): string =>
  `public class ${name} extends javax.annotation.processing.AbstractProcessor {\n` +
  `  static { try { new java.io.File("${at("sprung", name)}").createNewFile(); } catch (java.io.IOException e) {} }\n` +
  "  public boolean process(java.util.Set<? extends javax.lang.model.element.TypeElement> a, javax.annotation.processing.RoundEnvironment r) { return false; }\n}\n";

test.skipIf(isMissing)("processors on the class path run in a plain javac, and not with the toolchain's rules", () => {
  const service = "META-INF/services/javax.annotation.processing.Processor";
  for (const name of ["sprung", "none", "ByDirectory/META-INF/services", "ByManifest/META-INF/services"])
    mkdirSync(at(name), { recursive: true });
  const names = ["ByDirectory", "ByManifest"];
  for (const name of names) writeFileSync(at(`${name}.java`), processor(name));
  run("javac", ...quick, "-proc:none", "-d", at("none"), ...names.map((name) => at(`${name}.java`)));
  for (const name of names) {
    renameSync(at("none", `${name}.class`), at(name, `${name}.class`));
    writeFileSync(at(name, service), `${name}\n`);
  }
  writeFileSync(at("manifest"), "Class-Path: ByManifest/\n");
  run("jar", "cfm", at("plain.jar"), at("manifest"));
  writeFileSync(at("A.java"), "public class A {}\n");
  writeFileSync(at("sources"), `"${at("A.java")}"\n`);
  const jars = [at("ByDirectory"), at("plain.jar")];

  run("javac", ...quick, ...rules(at("none"), jars), `@${at("sources")}`);
  expect(readdirSync(at("sprung"))).toEqual([]);
  run("javac", ...quick, "-cp", jars.join(":"), "-d", at("none"), `@${at("sources")}`);
  expect(readdirSync(at("sprung")).sort()).toEqual(["ByDirectory", "ByManifest"]);
});
