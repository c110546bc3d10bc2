// Asks the origin of a repository where a branch stands, and brings in what no clone has yet, into a repository of ours. Nothing
// is written to a clone, no code of a repository runs, nobody is asked for a password, and every step has a deadline. What
// the answer means, and when to ask again, is left to others.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { OriginAnswer, OriginWish, RepositoryIdentity } from "../../../ports/git.ts";
import type { RunOutcome } from "../../../ports/machine.ts";
import type { Blobs } from "../objects/blobs.ts";
import type { Clone, Clones } from "./clones.ts";
import type { Git } from "../git.ts";
import { identify, localPath, normaliseRemote } from "./identity.ts";
import { locate, readSmall } from "./locate.ts";
import { readSettings } from "./allowed-settings.ts";
import type { PrivateStore } from "../objects/private-store.ts";
import { talk, type TalkOptions } from "../talk.ts";

export interface AskParts {
  readonly git: Git;
  readonly talking: TalkOptions;
  readonly store: PrivateStore;
  readonly blobs: Blobs;
  readonly clones: Clones;
  readonly identity: RepositoryIdentity;
}

/** Every fetch leaves a pack; past this many they are made one. */
const mostPacks = 10;

export async function askOrigin(parts: AskParts, wish: OriginWish): Promise<OriginAnswer> {
  const [clone] = parts.clones.all;
  if (clone === undefined) return { kind: "none" };
  const origin = await addressOf(parts, clone, wish.address);
  if ("kind" in origin) return origin;
  const objects = join(clone.commonDirectory, "objects");
  const shallow = readSmall(join(clone.commonDirectory, "shallow")) ?? "";
  const place = { ...parts, directory: parts.store.originDirectory({ objects, shallow }), address: origin.address };
  const said = await ask(place, wish, ["ls-remote", "--symref", "--", origin.address, "HEAD", ref(wish.branch)]);
  if (said.code !== 0) return failed(said);
  const found = branchIn(Buffer.from(said.stdout).toString("utf8"), wish);
  if (found === undefined) return { kind: "absent" };
  if ((await parts.blobs.info(found.commit))?.type === "commit") return { kind: "told", ...found };
  return await bringIn(place, wish, found);
}

interface AskedPlace extends AskParts {
  readonly directory: string;
  readonly address: string;
}

/** Returns what the origin says of the branch with exactly this name: git also lists others whose names end like it. */
function branchIn(said: string, { branch, orHead }: OriginWish): { branch: string; commit: string } | undefined {
  const rows = said.split("\n").map((line) => line.split("\t"));
  const commitOf = (name: string): string | undefined =>
    rows.find(([id = "", other]) => other === name && /^[0-9a-f]{40,64}$/.test(id))?.[0];
  const own = branch === undefined ? undefined : commitOf(ref(branch));
  if (branch !== undefined && own !== undefined) return { branch, commit: own };
  if (branch !== undefined && orHead !== true) return undefined;
  const to = rows.find(([what = "", name]) => name === "HEAD" && what.startsWith("ref: refs/heads/"))?.[0];
  const commit = commitOf("HEAD");
  return to === undefined || commit === undefined ? undefined : { branch: to.slice("ref: refs/heads/".length), commit };
}

async function bringIn(
  place: AskedPlace,
  wish: OriginWish,
  { branch, commit }: { branch: string; commit: string },
): Promise<OriginAnswer> {
  await keepFewPacks(place);
  const spec = `+refs/heads/${branch}:refs/origin/${branch}`;
  // Always kept as a pack: loose objects would be written one by one, and one that a clone has would be marked as fresh there.
  const packed = ["-c", "fetch.unpackLimit=1", "-c", "transfer.unpackLimit=1", "-c", "fetch.writeCommitGraph=false"];
  const options = ["-q", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--refmap="];
  const outcome = await ask(place, wish, [...packed, "fetch", ...options, "--", place.address, spec]);
  if (outcome.code === 0) {
    // It may have moved on in between, and then this is the newer word.
    const tip = await place.git.try({
      args: ["rev-parse", "--verify", "--quiet", `refs/origin/${branch}^{commit}`],
      variables: { GIT_DIR: place.directory },
    });
    const now = Buffer.from(tip.stdout).toString("utf8").trim();
    return { kind: "told", branch, commit: now === "" ? commit : now };
  }
  // Half a pack, a lock, objects that a clone has let go of: all can be fetched again.
  place.store.clearOrigin();
  return failed(outcome);
}

async function keepFewPacks({ git, store, directory }: AskedPlace): Promise<void> {
  const packs = readdirSync(join(directory, "objects", "pack")).filter((name) => name.endsWith(".pack"));
  if (packs.length <= mostPacks) return;
  const variables = { GIT_DIR: directory };
  const outcome = await git.try({ args: ["repack", "-q", "-a", "-d", "-l"], variables, deadlineMs: 120_000 });
  if (outcome.code !== 0) store.clearOrigin();
}

function ask({ git, talking, directory }: AskedPlace, wish: OriginWish, args: readonly string[]): Promise<RunOutcome> {
  // A server that sends next to nothing is as good as none.
  const patience = ["-c", "http.lowSpeedLimit=100", "-c", "http.lowSpeedTime=20"];
  return talk(git, talking, {
    args: [...patience, ...args],
    cwd: directory,
    variables: { GIT_DIR: directory },
    deadlineMs: wish.deadlineMs,
    ...(wish.signal === undefined ? {} : { signal: wish.signal }),
    isUnasked: true,
  });
}

function failed({ timedOut, stderr, code, signal }: RunOutcome): OriginAnswer {
  const said = stderr
    .split("\n")
    .map((line) => line.replace(/^(fatal|error|ssh): /, "").trim())
    .find((line) => line !== "");
  const why = timedOut ? "it did not answer in time" : (said ?? `git ended with ${code ?? signal}`);
  return { kind: "failed", why: why.slice(0, 200) };
}

/** Returns the address of the origin. A clone is believed only while it names the repository that is observed. */
export async function addressOf(
  { git, clones, identity }: Pick<AskParts, "git" | "clones" | "identity">,
  clone: Clone,
  recorded: string | undefined,
): Promise<{ readonly address: string } | Extract<OriginAnswer, { kind: "none" | "failed" }>> {
  const { commonDirectory } = clone;
  const [top = commonDirectory] = clone.tops;
  const url = recorded ?? (await clones.readSettings(commonDirectory, commonDirectory, top)).remotes.get("origin");
  if (url === undefined || url === "") return { kind: "none" };
  const remote = normaliseRemote(url);
  const local = remote === undefined ? localPath(url, commonDirectory) : undefined;
  if (local === undefined) {
    const isSame = recorded !== undefined || (remote !== undefined && `remote:${remote}` === identity);
    return isSame ? { address: url } : elsewhere;
  }
  const place = await locate(git, local);
  if ("reason" in place) return { kind: "failed", why: `there is no repository at ${local}` };
  if (clones.has(place.commonDirectory)) return { kind: "none" };
  if (recorded !== undefined) return { address: local };
  const settings = await readSettings(git, place.commonDirectory, place.top);
  return (await identify(git, place.commonDirectory, settings)) === identity ? { address: local } : elsewhere;
}

const elsewhere = { kind: "failed", why: "its address now names another repository" } as const;

const ref = (branch: string | undefined): string => (branch === undefined ? "HEAD" : `refs/heads/${branch}`);
