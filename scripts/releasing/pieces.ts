// Fetches the packages that hold pieces for another machine: runtimes, parsers, compilers. Each is as bun.lock records it, byte for byte, or it is refused.
// What was fetched stays in .cache/release, so that a second run needs no network.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

const top = join(import.meta.dir, "../..");
const cache = join(top, ".cache/release");

/** Thrown where a package cannot be had: the target is then named and left out. */
export class NotToBeHad extends Error {}

/** Returns the directory of a package, unpacked. */
export async function piece(name: string): Promise<string> {
  const { version, integrity } = locked(name);
  const directory = join(cache, `${name.replace("/", "+")}-${version}`);
  if (existsSync(directory)) return join(directory, "package");
  mkdirSync(cache, { recursive: true });
  const fresh = join(cache, `.${process.pid}-${name.replace("/", "+")}`);
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh);
  try {
    const tarball = await fetched(`${name}@${version}`, fresh);
    checkIntegrity(name, readFileSync(tarball), integrity);
    await run(["tar", "-xzf", tarball, "-C", fresh]);
    rmSync(tarball);
    renameSync(fresh, directory);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return join(directory, "package");
}

/** @public for the test of a flipped byte */
export function checkIntegrity(name: string, bytes: Uint8Array, integrity: string): void {
  const [kind = "", expected = ""] = integrity.split(/-(.*)/s);
  const found = new Bun.CryptoHasher(kind as "sha512").update(bytes).digest("base64");
  if (found !== expected) throw new Error(`${name} is not what bun.lock records: ${kind}-${found}`);
}

/** A package as bun.lock names it. */
function locked(name: string): { readonly version: string; readonly integrity: string } {
  const line = readFileSync(join(top, "bun.lock"), "utf8")
    .split("\n")
    .find((one) => one.startsWith(`    ${JSON.stringify(name)}: [`));
  const found = /@([^@"]+)", "", .*"(sha512-[A-Za-z0-9+/=]+)"\]/.exec(line ?? "");
  const [, version, integrity] = found ?? [];
  if (version === undefined || integrity === undefined) throw new NotToBeHad(`bun.lock does not know ${name}`);
  return { version, integrity };
}

async function fetched(specifier: string, into: string): Promise<string> {
  try {
    await run(["npm", "pack", specifier, "--pack-destination", into, "--silent", "--ignore-scripts"]);
  } catch (cause) {
    throw new NotToBeHad(`${specifier} cannot be fetched`, { cause });
  }
  const [tarball] = readdirSync(into);
  if (tarball === undefined) throw new NotToBeHad(`${specifier} is empty`);
  return join(into, tarball);
}

async function run(words: readonly string[]): Promise<void> {
  const child = Bun.spawn([...words], { stdout: "ignore", stderr: "pipe", stdin: "ignore" });
  const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}: ${said.trim().slice(-400)}`);
}
