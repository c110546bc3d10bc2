// Makes a release into one directory: programs, archives, packages, installer, formula, bill of materials, digests, signatures. The same on every machine that has
// Bun and npm; what a target needs and cannot be had is named, and that target is left out.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allMigrations } from "../../src/store/migrations/all.ts";
import { digestOf } from "./archive.ts";
import { billOfMaterials } from "./bill-of-materials.ts";
import {
  archive,
  archiveName,
  debianCpu,
  debianPackage,
  type Extras,
  formula,
  installer,
  type KnownArchive,
} from "./forms.ts";
import { isMachO, pagesAtFault } from "./mach-o.ts";
import { manualPages } from "./manual.ts";
import { publicKeyOf, signatureOf, type SigningKey } from "./minisign.ts";
import { type BuiltProgram, npmPackages } from "./npm-packages.ts";
import { NotToBeHad } from "./pieces.ts";
import { buildProgram } from "./program.ts";
import { ownTarget, type Target } from "./targets.ts";

export interface ReleasePlan {
  readonly version: string;
  readonly targets: readonly Target[];
  readonly releases: string;
  readonly key: SigningKey;
  readonly into: string;
  /** Archives of earlier releases that the installer offers too. */
  readonly earlier: readonly KnownArchive[];
  readonly say: (line: string) => void;
}

export interface MadeRelease {
  readonly into: string;
  readonly files: readonly string[];
  /** Targets that were left out, and why. */
  readonly missing: readonly string[];
}

export async function makeRelease(plan: ReleasePlan): Promise<MadeRelease> {
  const { version, into, key, releases, say } = plan;
  rmSync(into, { recursive: true, force: true });
  mkdirSync(join(into, "npm"), { recursive: true });
  const files: string[] = [];
  const put = (name: string, content: Uint8Array | string): void => {
    writeFileSync(join(into, name), content);
    files.push(name);
  };
  const missing: string[] = [];
  const programs: BuiltProgram[] = [];
  for (const target of plan.targets) {
    const built = await program(plan, target);
    if (typeof built === "string") missing.push(built);
    else programs.push(built);
    if (typeof built !== "string") files.push(`constel-${target.name}`);
  }
  const extras = await extrasOf(plan);
  const archives = programs.map((one) => {
    const name = archiveName(version, one.target);
    const bytes = archive(version, one, extras);
    put(name, bytes);
    return { version, name, target: one.target, sha256: digestOf(bytes), program: digestOf(readFileSync(one.path)) };
  });
  for (const one of programs) {
    const cpu = debianCpu(one.target);
    if (cpu !== undefined) put(`constel_${version}_${cpu}.deb`, debianPackage(version, one, extras));
  }
  for (const { version: own, tarball } of npmPackages(version, programs)) put(`npm/constel-${own}.tgz`, tarball);
  put("install.sh", installer(version, [...archives, ...plan.earlier], releases));
  put("constel.rb", formula(version, archives, releases));
  put("constel.cdx.json", billOfMaterials(version));
  put("minisign.pub", `untrusted comment: releases of constel\n${publicKeyOf(key)}\n`);
  put("release.json", releaseFile(version, archives));
  const sums = files.toSorted().map((name) => `${digestOf(readFileSync(join(into, name)))}  ${name}\n`);
  put("SHA256SUMS", sums.join(""));
  for (const name of ["release.json", "SHA256SUMS", "install.sh"])
    put(`${name}.minisig`, signatureOf(readFileSync(join(into, name)), key, `constel ${version} ${name}`));
  for (const line of missing) say(`left out: ${line}`);
  return { into, files, missing };
}

const newestSchema = allMigrations.length;

/** What `constel upgrade` reads: which file is for which machine, and the newest schema that this version knows. */
function releaseFile(
  version: string,
  archives: readonly {
    readonly name: string;
    readonly target: Target;
    readonly sha256: string;
    readonly program: string;
  }[],
): string {
  const files = archives.map(({ name, target, sha256, program }) => ({
    target: target.name,
    file: name,
    sha256,
    program,
  }));
  return `${JSON.stringify({ format: 1, name: "constel", version, schema: newestSchema, files }, undefined, 1)}\n`;
}

/** A text: why it was left out. */
async function program(plan: ReleasePlan, target: Target): Promise<BuiltProgram | string> {
  const { version, releases, key, into, say } = plan;
  const path = join(into, `constel-${target.name}`);
  const sinceMs = performance.now();
  try {
    await buildProgram(target, path, { version, releases, publicKey: publicKeyOf(key), schema: newestSchema });
  } catch (cause) {
    if (cause instanceof NotToBeHad) return `${target.name}: ${cause.message}`;
    throw cause;
  }
  const bytes = readFileSync(path);
  const pages = isMachO(bytes) ? verifiedPages(bytes) : "";
  const seconds = ((performance.now() - sinceMs) / 1000).toFixed(1);
  say(`${target.name.padEnd(17)} ${(bytes.length / 1e6).toFixed(1)} MB in ${seconds} s${pages}`);
  return { target, path };
}

function verifiedPages(bytes: Buffer): string {
  const { pages, atFault } = pagesAtFault(bytes);
  if (atFault.length > 0) throw new Error(`${atFault.length} of ${pages} pages are not what the signature says`);
  return `, ${pages} pages as signed`;
}

/** The program of this machine prints its own completions; the pages come from the declarations. */
async function extrasOf({ version, into, targets }: ReleasePlan): Promise<Extras> {
  const own = ownTarget().name;
  if (!targets.some(({ name }) => name === own))
    throw new Error(`a release is made on a machine that it is for; this is ${own}`);
  const completion = async (shell: string): Promise<string> => {
    const words = [join(into, `constel-${own}`), "completion", shell];
    return new Response(
      Bun.spawn(words, { env: { PATH: "/usr/bin:/bin", HOME: into, CONSTEL_HOME: join(into, "no-home") } }).stdout,
    ).text();
  };
  const [bash, zsh, fish] = await Promise.all(["bash", "zsh", "fish"].map(completion));
  return { pages: await manualPages(version), completions: { bash: bash ?? "", zsh: zsh ?? "", fish: fish ?? "" } };
}
