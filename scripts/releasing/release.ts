// The command line of scripts/release.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { KnownArchive } from "./forms.ts";
import { makeRelease } from "./make-release.ts";
import { newKey, readKey } from "./minisign.ts";
import { versionOf } from "./npm-packages.ts";
import { recordPromises, refuseUnrecorded } from "./promises.ts";
import { rehearse } from "./rehearse.ts";
import { ownTarget, targets } from "./targets.ts";

const top = join(import.meta.dir, "../..");
const { values } = parseArgs({
  options: {
    "dry-run": { type: "boolean", default: false },
    short: { type: "boolean", default: false },
    parts: { type: "string" },
    reuse: { type: "boolean", default: false },
    "new-key": { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    tag: { type: "string" },
    releases: { type: "string", default: "" },
    key: { type: "string" },
    only: { type: "string" },
    earlier: { type: "string", multiple: true, default: [] },
  },
});
const say = (line: string): void => console.log(line);

if (values["new-key"]) say(newKey());
else if (values.record) await record();
else if (values["dry-run"])
  await rehearse({
    into: join(top, "dist"),
    isShort: values.short,
    reuses: values.reuse,
    parts: values.parts?.split(","),
    targets: chosen(),
    say,
  });
else await release();

async function record(): Promise<void> {
  const went = await recordPromises();
  for (const line of went) say(`gone: ${line}`);
  say(
    `test/promises.json holds what ${versionOf()} promises${went.length === 0 ? "" : "; CHANGELOG.md has to name what went"}`,
  );
}

async function release(): Promise<void> {
  const version = versionOf();
  if (values.tag !== `v${version}`)
    throw new Error(`package.json says ${version}, and the tag is ${values.tag ?? "not said"}`);
  if (values.key === undefined || !existsSync(values.key))
    throw new Error("a release is signed: say --key FILE (scripts/release --new-key makes one)");
  if (values.releases === "") throw new Error("say --releases URL: where archives will lie, below /download/<tag>/");
  const key = readKey(readFileSync(values.key, "utf8"));
  await refuseUnrecorded();
  const earlier = values.earlier.flatMap(archivesOf);
  const made = await makeRelease({
    version,
    targets: chosen(),
    releases: values.releases,
    key,
    into: join(top, "dist"),
    earlier,
    say,
  });
  say(`${made.files.length} files in dist/`);
  // What was promised for a machine is not silently left out of a real release.
  if (made.missing.length > 0) process.exitCode = 1;
}

function chosen() {
  if (values.short) return [ownTarget()];
  const names = values.only?.split(",");
  const found = targets.filter(({ name }) => names === undefined || names.includes(name));
  if (names !== undefined && found.length !== names.length)
    throw new Error(`--only takes ${targets.map(({ name }) => name).join(", ")}`);
  return found;
}

function archivesOf(path: string): KnownArchive[] {
  const { version, files } = JSON.parse(readFileSync(path, "utf8")) as {
    version: string;
    files: { file: string; sha256: string }[];
  };
  return files.map(({ file, sha256 }) => ({ version, name: file, sha256 }));
}
