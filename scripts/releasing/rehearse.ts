// Rehearses a release on this machine: makes it, installs each form into an empty root that has no network, uses and removes it there, and tries whether a flipped byte
// is refused by every form. A short form does the same for this machine alone.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { copyRoot, everythingIn, makeEmptyRoot, type RunInRoot, runInRoot } from "./empty-root.ts";
import { archiveName, debianCpu } from "./forms.ts";
import { makeRelease } from "./make-release.ts";
import { newKey, readKey, type SigningKey } from "./minisign.ts";
import { versionOf } from "./npm-packages.ts";
import { rehearseNpm } from "./rehearse-npm.ts";
import { rehearseUpgrade, walks } from "./rehearse-upgrade.ts";
import { expectNothingLeft, must, scenario, type Stage, type Witness, withFlippedByte } from "./stage.ts";
import { ownTarget, type Target } from "./targets.ts";

const top = join(import.meta.dir, "../..");

/** Of no use but here: nothing that is released is signed with it. */
function rehearsalKey(): SigningKey {
  const path = join(top, ".cache/release/rehearsal.key");
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) writeFileSync(path, newKey(), { mode: 0o600 });
  return readKey(readFileSync(path, "utf8"));
}

export interface Rehearsal {
  readonly into: string;
  readonly isShort: boolean;
  /** Use what a rehearsal before this one made. */
  readonly reuses: boolean;
  /** The parts to rehearse; all without it. */
  readonly parts: readonly string[] | undefined;
  readonly targets: readonly Target[];
  readonly say: (line: string) => void;
}

export async function rehearse({ into, isShort, reuses, parts, targets, say }: Rehearsal): Promise<void> {
  const version = versionOf();
  const key = rehearsalKey();
  const sinceMs = performance.now();
  const timed = async (what: string, act: () => Promise<unknown>): Promise<void> => {
    const startMs = performance.now();
    await act();
    say(`ok  ${what} (${((performance.now() - startMs) / 1000).toFixed(0)} s)`);
  };
  let missing: readonly string[] = [];
  if (!reuses)
    await timed("made", async () => {
      ({ missing } = await makeRelease({ version, targets, releases: "", key, into, earlier: [], say }));
    });
  const scratch = mkdtempSync(join(tmpdir(), "constel-rehearsal-"));
  try {
    const empty = join(scratch, "empty");
    await timed("an empty root with git, tmux and ca-certificates", () => makeEmptyRoot(empty));
    const root = join(scratch, "root");
    const stage: Stage = { into, version, empty, root, witness: await claudeWitness(scratch, say), say };
    const part = async (name: string, what: string, act: () => Promise<unknown>): Promise<void> => {
      if (parts?.includes(name) !== false) await timed(what, act);
    };
    await part("script", "install.sh: installed, used, removed", () => byScript(stage));
    await part("flipped", "install.sh refuses a flipped byte", () => scriptRefusesFlipped(stage));
    await part("debian", "Debian package: installed, used, removed", () => byDebian(stage, isShort));
    await part("flipped", "Debian package refuses a flipped byte", () => debianRefusesFlipped(stage));
    const nodes = isShort ? ["20"] : ["18", "20", "24"];
    for (const node of nodes) await part("npm", `npm on Node ${node}`, () => rehearseNpm(stage, node, isShort));
    for (const walk of ["up", "down", "oldest"] as const)
      await part(walk, `${walks[walk]} over agents, messages and a harvest, killed at each step`, () =>
        rehearseUpgrade(stage, key, walk, isShort),
      );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  for (const line of missing) say(`!!  left out: ${line}`);
  say(`rehearsed in ${((performance.now() - sinceMs) / 60_000).toFixed(1)} minutes`);
}

async function claudeWitness(scratch: string, say: (line: string) => void): Promise<Witness | undefined> {
  const child = Bun.spawn(["sh", join(top, "scripts/agent-programs.sh"), "claude"], {
    stdout: "pipe",
    stderr: "ignore",
  });
  const [said, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  const program = said.split("\t")[1]?.trim();
  if (code !== 0 || program === undefined) {
    say("!!  Claude Code cannot be had: its hooks are NOT tried");
    return undefined;
  }
  const rules = join(scratch, "rules.json");
  writeFileSync(rules, JSON.stringify({ default: { text: "something" }, rules: [] }));
  return {
    shown: {
      "/witness/top": top,
      "/witness/rules.json": rules,
      "/witness/bun": process.execPath,
      "/witness/claude": realpath(program),
    },
    env: { CLAUDE: "/witness/claude" },
  };
}

const realpath = (path: string): string => Bun.spawnSync(["readlink", "-f", path]).stdout.toString().trim();

async function byScript(stage: Stage): Promise<void> {
  await copyRoot(stage.empty, stage.root);
  const before = everythingIn(stage.root);
  const env = { PATH: "/home/you/.local/bin:/usr/bin:/bin" };
  const where: RunInRoot = { root: stage.root, as: "you", env, shown: { "/dist": stage.into } };
  await must(where, "sh", "/dist/install.sh", "--from", "/dist");
  for (const name of ["share/man/man1/constel.1", "share/bash-completion/completions/constel"])
    if (!existsSync(join(stage.root, "home/you/.local", name))) throw new Error(`${name} was not installed`);
  // Its own verb removes everything, the program too; a second install is removed by the script.
  await scenario(stage, where);
  expectNothingLeft(stage, before, /^home\/you\/\.local$/);
  await must(where, "sh", "/dist/install.sh", "--from", "/dist", "--version", stage.version);
  await must(where, "sh", "/dist/install.sh", "--uninstall");
  expectNothingLeft(stage, before, /^home\/you\/\.local$/);
}

async function scriptRefusesFlipped(stage: Stage): Promise<void> {
  const flipped = `${stage.root}-dist`;
  mkdirSync(flipped, { recursive: true });
  const name = archiveName(stage.version, ownTarget());
  writeFileSync(join(flipped, "install.sh"), readFileSync(join(stage.into, "install.sh")));
  await copyRoot(stage.empty, stage.root);
  const before = everythingIn(stage.root);
  for (const part of [0.001, 0.5, 0.999]) {
    writeFileSync(join(flipped, name), withFlippedByte(join(stage.into, name), part));
    const where: RunInRoot = { root: stage.root, as: "you", shown: { "/dist": flipped } };
    const { code, said } = await runInRoot(where, ["sh", "/dist/install.sh", "--from", "/dist"]);
    if (code !== 65 || !said.includes("is not what was released"))
      throw new Error(`a flipped byte ended with ${code}: ${said}`);
    expectNothingLeft(stage, before, /^home\/you\/\.local(\/(bin|lib|lib\/constel))?$/);
  }
}

const debianName = ({ version }: Stage): string => `constel_${version}_${debianCpu(ownTarget()) ?? ""}.deb`;

async function byDebian(stage: Stage, isShort: boolean): Promise<void> {
  await copyRoot(stage.empty, stage.root);
  const before = everythingIn(stage.root);
  const shown = { "/dist": stage.into };
  const admin: RunInRoot = { root: stage.root, as: "root", shown };
  await must(admin, "dpkg", "--install", `/dist/${debianName(stage)}`);
  await scenario(stage, { root: stage.root, as: "you", shown }, !isShort);
  await must(admin, "dpkg", "--purge", "constel");
  expectNothingLeft(stage, before, /^var\/(lib\/dpkg|log)\/|^etc\/ld\.so\.cache/);
}

async function debianRefusesFlipped(stage: Stage): Promise<void> {
  const flipped = `${stage.root}-dist`;
  mkdirSync(flipped, { recursive: true });
  writeFileSync(join(flipped, debianName(stage)), withFlippedByte(join(stage.into, debianName(stage)), 0.5));
  await copyRoot(stage.empty, stage.root);
  const where: RunInRoot = { root: stage.root, as: "root", shown: { "/dist": flipped } };
  const { code, said } = await runInRoot(where, ["dpkg", "--install", `/dist/${debianName(stage)}`]);
  if (code === 0) throw new Error(`dpkg took a package with a flipped byte: ${said}`);
  const { code: ran } = await runInRoot(where, ["/usr/bin/constel", "--version"]);
  if (ran === 0) throw new Error("a program with a flipped byte runs");
}
