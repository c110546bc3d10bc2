import { expect, test } from "bun:test";
import { installHome } from "./install-home.ts";

const check = (what: string, manifest: string, files: readonly string[], expected: string): void =>
  test(`${what}: ${manifest} is installed from ${expected || "the top"}`, () =>
    expect(installHome(manifest, (path) => files.includes(path))).toBe(expected));

check("a workspace", "packages/a/package.json", ["package.json", "bun.lock"], "");
check(
  "a sample with a lock file of its own",
  "sample/a/package.json",
  ["bun.lock", "sample/a/package-lock.json"],
  "sample/a",
);
check("no lock file, a package above", "packages/a/package.json", ["package.json", "packages/a/package.json"], "");
check("no lock file, nothing above", "services/a/package.json", ["services/a/package.json"], "services/a");
check("crates", "crates/a/Cargo.toml", ["Cargo.toml", "crates/a/Cargo.toml"], "");
check("two Go modules", "a/go.mod", ["a/go.mod", "a/go.sum"], "a");
check("a Go workspace", "a/go.mod", ["go.work", "a/go.mod"], "");
check("two services", "a/requirements.txt", ["a/requirements.txt", "requirements.txt"], "a");
check("a uv workspace", "packages/a/pyproject.toml", ["uv.lock", "pyproject.toml"], "");
