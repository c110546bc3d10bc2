// The npm package, as one name: `constel` is a launcher without a dependency that runs scripts, and each machine's program is a version of the same name
// (`0.1.0-linux-x64`), an optional dependency that npm chooses by `os`, `cpu` and `libc`.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Entry, file, gzipped, tar } from "./archive.ts";
import type { Target } from "./targets.ts";

const top = join(import.meta.dir, "../..");

export interface BuiltProgram {
  readonly target: Target;
  readonly path: string;
}

export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly tarball: Buffer;
}

export const npmVersionOf = (version: string, { name }: Target): string => `${version}-${name}`;

/** The name by which the launcher finds the program of a machine. */
const aliasOf = ({ name }: Target): string => `constel-${name}`;

export function npmPackages(version: string, programs: readonly BuiltProgram[]): NpmPackage[] {
  const common = {
    name: "constel",
    description: "Runs a constellation of coding agents and keeps their parallel work from colliding.",
    license: "MIT",
  };
  const launcher = {
    ...common,
    version,
    bin: { constel: "bin/constel.js" },
    files: ["bin"],
    engines: { node: ">=18" },
    optionalDependencies: Object.fromEntries(
      programs.map(({ target }) => [aliasOf(target), `npm:constel@${npmVersionOf(version, target)}`]),
    ),
  };
  const platforms = programs.map(({ target, path }) => ({
    manifest: {
      ...common,
      version: npmVersionOf(version, target),
      os: [target.os],
      cpu: [target.cpu],
      ...(target.libc === undefined ? {} : { libc: [target.libc] }),
      files: ["constel"],
    },
    entries: [file("constel", path, true)],
  }));
  const own = [
    { manifest: launcher, entries: [file("bin/constel.js", join(import.meta.dir, "npm-launcher.js"), true)] },
    ...platforms,
  ];
  return own.map(({ manifest, entries }) => ({
    name: manifest.name,
    version: manifest.version,
    manifest,
    tarball: packed([...entries, ...documents()], manifest),
  }));
}

const documents = (): Entry[] =>
  ["README.md", "LICENSE"].filter((name) => existsSync(join(top, name))).map((name) => file(name, join(top, name)));

function packed(entries: readonly Entry[], manifest: unknown): Buffer {
  const all = [{ name: "package.json", content: `${JSON.stringify(manifest, undefined, 2)}\n` }, ...entries];
  return gzipped(tar(all, "package/"));
}

/** As a registry would tell of it. */
export const integrityOf = (tarball: Uint8Array): string =>
  `sha512-${new Bun.CryptoHasher("sha512").update(tarball).digest("base64")}`;

export const versionOf = (): string =>
  (JSON.parse(readFileSync(join(top, "package.json"), "utf8")) as { version: string }).version;
