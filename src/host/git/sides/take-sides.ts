// Takes in the work of other machines, which nobody here vouches for: into a repository of ours that nothing is ever checked out from. git checks every object
// as it comes; what is too large, too many or too slow is ended and thrown away; a tree of countless files is not looked at.

import { lstatSync, openSync, closeSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import type { SideLimits, SideToTake, TakenSide } from "../../../ports/sides.ts";
import { isSideRef } from "../../../protocol/elsewhere.ts";
import type { RunOutcome } from "../../../ports/machine.ts";
import type { Git } from "../git.ts";
import type { Blobs } from "../objects/blobs.ts";
import type { PrivateStore } from "../objects/private-store.ts";
import { talk, type TalkOptions } from "../talk.ts";

export interface TakePlace {
  readonly git: Git;
  readonly talking: TalkOptions;
  readonly store: PrivateStore;
  readonly blobs: Blobs;
  readonly shallow: string;
  /** The origin's address; undefined where it may not be asked. */
  readonly address: string | undefined;
  readonly limits: SideLimits;
}

/** Each of them costs a pack; past so many they are made one. */
const mostPacks = 20;
const lookEveryMs = 50;

const checked = [
  "fetch.fsckObjects=true",
  "transfer.fsckObjects=true",
  "receive.fsckObjects=true",
  "fetch.unpackLimit=1",
  "transfer.unpackLimit=1",
  "fetch.writeCommitGraph=false",
  "core.bigFileThreshold=1m",
].flatMap((one) => ["-c", one]);

/** Drops what is no longer published, and makes room when all that is kept is too much. Answers what is there now. */
export async function keepSides(place: TakePlace, refs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const directory = place.store.sidesDirectory(place.shallow);
  const variables = { GIT_DIR: directory };
  const kept = new Set(refs);
  const known = await place.git.try({
    args: ["for-each-ref", "--format=%(refname) %(objectname)", "refs/constel"],
    variables,
  });
  const lines = Buffer.from(known.stdout).toString("utf8").split("\n").filter(Boolean);
  const held = new Map(lines.map((line) => line.split(" ") as [string, string]));
  const gone = [...held.keys()].filter((name) => !kept.has(name));
  for (const name of gone) held.delete(name);
  if (gone.length > 0)
    await place.git.try({
      args: ["update-ref", "--stdin"],
      stdin: gone.map((name) => `delete ${name}\n`).join(""),
      variables,
    });
  const packs = packsIn(directory);
  if (packs.bytes > place.limits.storeBytes) return cleared(place);
  // Once what was withdrawn has no ref any more, this lets go of its objects.
  if (packs.count <= mostPacks && gone.length === 0) return held;
  const outcome = await place.git.try({ args: ["repack", "-q", "-a", "-d", "-l"], variables, deadlineMs: 120_000 });
  return outcome.code === 0 ? held : cleared(place);
}

function cleared({ store }: TakePlace): ReadonlyMap<string, string> {
  store.clearSides();
  return new Map();
}

export async function takeSide(place: TakePlace, side: SideToTake): Promise<TakenSide> {
  const { ref, commit } = side;
  if (!isSideRef(ref) || !/^[0-9a-f]{40,64}$/.test(commit))
    return { ref, kind: "refused", why: "its name is not a side's" };
  const directory = place.store.sidesDirectory(place.shallow);
  const came = side.bundle === undefined ? await fetchIt(place, directory, side) : await unpack(place, directory, side);
  if (came !== undefined) return came;
  const files = await countFiles(place, directory, commit);
  if (typeof files === "string") {
    await place.git.try({ args: ["update-ref", "-d", ref], variables: { GIT_DIR: directory } });
    return { ref, kind: "refused", why: files };
  }
  return { ref, kind: "taken" };
}

async function heldAt({ git }: TakePlace, directory: string, ref: string): Promise<string | undefined> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`];
  const tip = await git.try({ args, variables: { GIT_DIR: directory } });
  return tip.code === 0 ? Buffer.from(tip.stdout).toString("utf8").trim() : undefined;
}

/** Undefined when it came. */
async function fetchIt(
  place: TakePlace,
  directory: string,
  { ref, commit }: SideToTake,
): Promise<TakenSide | undefined> {
  const { address } = place;
  if (address === undefined) return { ref, kind: "lacking", why: "the origin is not asked here" };
  const options = [
    "-q",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-recurse-submodules",
    "--refmap=",
    "--no-auto-maintenance",
  ];
  const patience = ["http.lowSpeedLimit=100", "http.lowSpeedTime=20"].flatMap((one) => ["-c", one]);
  const incoming = new Incoming(directory, place.limits);
  const outcome = await incoming.during((signal) =>
    talk(place.git, place.talking, {
      args: [...checked, ...patience, "fetch", ...options, "--", address, `+${ref}:${ref}`],
      cwd: directory,
      variables: { GIT_DIR: directory },
      deadlineMs: place.limits.fetchMs,
      signal,
      isUnasked: true,
    }),
  );
  if (incoming.excess !== undefined) return refusedAll(place, ref, incoming.excess);
  if (outcome.code !== 0) {
    const why = saidBy(outcome);
    // Git checks each object: what is not sound is nobody's network.
    return /fsck|missing|bad |corrupt|malformed|invalid/i.test(outcome.stderr) && !/remote ref/i.test(why)
      ? refusedAll(place, ref, `its objects are not sound: ${why}`)
      : { ref, kind: "lacking", why };
  }
  if ((await heldAt(place, directory, ref)) === commit) return undefined;
  return { ref, kind: "lacking", why: "the origin has another commit there: it is being pushed" };
}

async function unpack(place: TakePlace, directory: string, side: SideToTake): Promise<TakenSide | undefined> {
  const { ref, commit, bundle = "" } = side;
  const content = Buffer.from(bundle, "base64");
  if (content.length > place.limits.bundleBytes) return { ref, kind: "refused", why: "its bundle is too large" };
  if (content.length >= 12 && content.readUInt32BE(8) > place.limits.packObjects)
    return { ref, kind: "refused", why: "it has too many objects" };
  const variables = { GIT_DIR: directory };
  const incoming = new Incoming(directory, place.limits);
  const outcome = await incoming.during((signal) =>
    place.git.try({
      args: [
        ...checked,
        "index-pack",
        "--stdin",
        "--strict",
        "--fix-thin",
        `--max-input-size=${place.limits.bundleBytes}`,
      ],
      stdin: content,
      variables,
      signal,
      deadlineMs: place.limits.fetchMs,
    }),
  );
  if (incoming.excess !== undefined) return refusedAll(place, ref, incoming.excess);
  if (outcome.code !== 0) return { ref, kind: "refused", why: `its objects are not sound: ${saidBy(outcome)}` };
  if ((await place.blobs.info(commit))?.type !== "commit")
    return { ref, kind: "refused", why: "the commit that it names is not among its objects" };
  const parents = await parentsOf(place, commit);
  for (const parent of parents)
    if ((await place.blobs.info(parent))?.type !== "commit")
      return { ref, kind: "lacking", why: "it builds on commits that this machine does not have yet" };
  // Whole, down to what this machine has: a commit whose trees are lacking merges with nothing.
  const args = ["rev-list", "--objects", "--quiet", commit, ...parents.map((parent) => `^${parent}`)];
  const whole = await place.git.try({ args, variables, deadlineMs: 20_000 });
  if (whole.code !== 0) return { ref, kind: "refused", why: `its objects are not whole: ${saidBy(whole)}` };
  await place.git.try({ args: ["update-ref", ref, commit], variables });
  return undefined;
}

async function parentsOf({ blobs }: TakePlace, commit: string): Promise<string[]> {
  const text = Buffer.from((await blobs.read(commit, 64 * 1024)) ?? []).toString("latin1");
  const head = text.slice(0, text.indexOf("\n\n"));
  return [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map((one) => one[1] ?? "");
}

/** Whatever came is thrown away, that of others too: it comes again. */
function refusedAll({ store }: TakePlace, ref: string, why: string): TakenSide {
  store.clearSides();
  return { ref, kind: "refused", why };
}

/** Trees that hold each other many times over are small, and have more files than any machine. */
async function countFiles({ git, limits }: TakePlace, directory: string, commit: string): Promise<number | string> {
  const outcome = await git.try({
    args: ["ls-tree", "-r", "--format=", "-z", commit],
    variables: { GIT_DIR: directory },
    maxOutputBytes: limits.files,
    deadlineMs: 20_000,
  });
  if (outcome.truncated) return `it has more than ${limits.files} files`;
  return outcome.code === 0 ? outcome.stdout.length : `its files cannot be listed: ${saidBy(outcome)}`;
}

function saidBy({ timedOut, stderr, code, signal }: RunOutcome): string {
  const line = stderr
    .split("\n")
    .map((one) => one.replace(/^(fatal|error|ssh): /, "").trim())
    .find((one) => one !== "");
  return (timedOut ? "it took too long" : (line ?? `git ended with ${code ?? signal}`)).slice(0, 200);
}

function packsIn(directory: string): { readonly count: number; readonly bytes: number } {
  const place = join(directory, "objects", "pack");
  const sizes = readdirSync(place).map((name) => lstatSync(join(place, name), { throwIfNoEntry: false })?.size ?? 0);
  return { count: sizes.length / 2, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Looks at the pack that git is writing, and ends git when it grows past the bounds: git itself has none for a fetch. */
class Incoming {
  readonly #place: string;
  readonly #before: ReadonlySet<string>;
  readonly #limits: SideLimits;
  readonly #over = new AbortController();
  excess: string | undefined;

  constructor(directory: string, limits: SideLimits) {
    this.#limits = limits;
    this.#place = join(directory, "objects", "pack");
    this.#before = new Set(readdirSync(this.#place));
  }

  async during(work: (signal: AbortSignal) => Promise<RunOutcome>): Promise<RunOutcome> {
    const timer = setInterval(() => this.#look(), lookEveryMs);
    try {
      return await work(this.#over.signal);
    } finally {
      clearInterval(timer);
      this.#look();
    }
  }

  #look(): void {
    if (this.excess !== undefined) return;
    for (const name of readdirSync(this.#place)) {
      if (this.#before.has(name) || !/pack/.test(name)) continue;
      const path = join(this.#place, name);
      const size = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
      if (size > this.#limits.packBytes) this.excess = `it is more than ${this.#limits.packBytes / 1024} KiB`;
      else if (objectsIn(path) > this.#limits.packObjects)
        this.excess = `it has more than ${this.#limits.packObjects} objects`;
      if (this.excess !== undefined) return this.#over.abort();
    }
  }
}

/** As its first bytes say. 0 while they are not written, and of other files. */
function objectsIn(path: string): number {
  const head = Buffer.alloc(12);
  try {
    const file = openSync(path, "r");
    try {
      if (readSync(file, head, 0, 12, 0) < 12 || head.toString("latin1", 0, 4) !== "PACK") return 0;
    } finally {
      closeSync(file);
    }
  } catch {
    return 0; // git has moved it to its place
  }
  return head.readUInt32BE(8);
}
