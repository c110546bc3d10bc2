// The npm packages on a given Node, without Bun and without a network: a registry of our own inside the empty root gives what a real one would, digests too. Installed with
// `npm install --ignore-scripts` and run with `npx`; a tarball with a flipped byte is refused.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { copyRoot, everythingIn, type RunInRoot, runInRoot } from "./empty-root.ts";
import { integrityOf } from "./npm-packages.ts";
import { expectNothingLeft, must, scenario, type Stage, withFlippedByte } from "./stage.ts";
import { ownTarget } from "./targets.ts";

const cache = join(import.meta.dir, "../../.cache/release");
/** Of each Node the last version of which npm has a package; npm 10 runs on all of them. */
const versions: Readonly<Record<string, string>> = { 18: "18.20.8", 20: "20.19.5", 24: "24.9.0" };
const npmVersion = "10.9.4";

export async function rehearseNpm(stage: Stage, node: string, isShort: boolean): Promise<void> {
  await copyRoot(stage.empty, stage.root);
  const tools = await nodeAndNpm(node);
  const registry = layRegistry(stage, false);
  const before = everythingIn(stage.root);
  const env = {
    PATH: "/home/you/.npm-global/bin:/node/bin:/usr/bin:/bin",
    npm_config_registry: "http://127.0.0.1:4873/",
  };
  const shown = { "/node": tools, "/registry": registry };
  const where: RunInRoot = { root: stage.root, as: "you", env, shown };
  const npm =
    "node /registry/serve.mjs & sleep 1; npm config set prefix /home/you/.npm-global; npm config set update-notifier false;";
  const install = `npm install --global --ignore-scripts --no-audit --no-fund constel@${stage.version}`;
  await must(
    where,
    "sh",
    "-c",
    `${npm} ${install} && constel --version && ls -A /home/you/.npm-global/lib/node_modules/constel/node_modules`,
  );
  // Without Bun: nothing of that name is there, and the program is the one for this machine.
  const { code } = await runInRoot(where, ["sh", "-c", "command -v bun"]);
  if (code === 0) throw new Error("there is a Bun in the empty root");
  await scenario(stage, where, !isShort && node === "20");
  await must(where, "sh", "-c", `${npm} npm uninstall --global constel`);
  await must(
    where,
    "sh",
    "-c",
    `${npm} cd /tmp && [ "$(npx --yes --ignore-scripts constel@${stage.version} --version)" = "constel ${stage.version}" ]`,
  );
  expectNothingLeft(stage, before, /^home\/you\/\.(npm|npm-global|npmrc|cache|local|config)(\/|$)/);
  const flipped = layRegistry(stage, true);
  await copyRoot(stage.empty, stage.root);
  const refused = await runInRoot({ ...where, shown: { ...shown, "/registry": flipped } }, [
    "sh",
    "-c",
    `${npm} ${install}; constel --version`,
  ]);
  if (refused.code === 0 || /^constel \d/m.test(refused.said))
    throw new Error(`npm took a package with a flipped byte:\n${refused.said}`);
}

/** Tarballs, and what a registry says of them; in a flipped one the program is not what the registry says. */
function layRegistry({ into, root, version }: Stage, isFlipped: boolean): string {
  const directory = `${root}-registry${isFlipped ? "-flipped" : ""}`;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const packages = readdirSync(join(into, "npm")).map((name) => {
    const path = join(into, "npm", name);
    const bytes = readFileSync(path);
    const isProgram = name === `constel-${version}-${ownTarget().name}.tgz`;
    writeFileSync(join(directory, name), isFlipped && isProgram ? withFlippedByte(path, 0.5) : bytes);
    return { name, integrity: integrityOf(bytes), manifest: manifestIn(path) };
  });
  const versions = packages.map(({ name, integrity, manifest }) => [
    manifest.version,
    { ...manifest, dist: { integrity, tarball: `http://127.0.0.1:4873/constel/-/${name}` } },
  ]);
  const packument = {
    name: "constel",
    "dist-tags": { latest: version },
    versions: Object.fromEntries(versions) as object,
  };
  writeFileSync(join(directory, "packument.json"), JSON.stringify(packument));
  writeFileSync(join(directory, "serve.mjs"), serving);
  return directory;
}

const serving = `import { createServer } from "node:http";
import { readFileSync, existsSync } from "node:fs";
createServer((request, response) => {
  const name = request.url.split("/").pop();
  const file = "/registry/" + (request.url === "/constel" ? "packument.json" : name);
  response.statusCode = existsSync(file) ? 200 : 404;
  response.end(existsSync(file) ? readFileSync(file) : "{}");
}).listen(4873, "127.0.0.1");
`;

function manifestIn(path: string): { readonly version: string } {
  const words = ["tar", "-xzOf", path, "package/package.json"];
  return JSON.parse(Bun.spawnSync(words).stdout.toString()) as { version: string };
}

/** A directory with bin/node, bin/npm and bin/npx, and nothing else. */
async function nodeAndNpm(node: string): Promise<string> {
  const version = versions[node] ?? "";
  const directory = join(cache, `node-${version}-npm-${npmVersion}`);
  if (existsSync(directory)) return directory;
  const fresh = `${directory}.${process.pid}`;
  mkdirSync(join(fresh, "bin"), { recursive: true });
  const unpack = async (specifier: string, to: string): Promise<void> => {
    mkdirSync(to, { recursive: true });
    const packed = Bun.spawnSync(["npm", "pack", specifier, "--silent", "--pack-destination", to], { stderr: "pipe" });
    const [name] = readdirSync(to);
    if (packed.exitCode !== 0 || name === undefined)
      throw new Error(`${specifier} cannot be fetched: ${packed.stderr.toString()}`);
    Bun.spawnSync(["tar", "-xzf", join(to, name), "-C", to, "--strip-components=1"]);
    rmSync(join(to, name));
  };
  const { os, cpu } = ownTarget();
  await unpack(`node-${os}-${cpu}@${version}`, join(fresh, "node"));
  await unpack(`npm@${npmVersion}`, join(fresh, "lib/npm"));
  renameSync(join(fresh, "node/bin/node"), join(fresh, "bin/node"));
  rmSync(join(fresh, "node"), { recursive: true });
  for (const name of ["npm", "npx"]) symlinkSync(`../lib/npm/bin/${name}-cli.js`, join(fresh, "bin", name));
  renameSync(fresh, directory);
  return directory;
}
