// The owner's compilers for one repository: found on the PATH, run in a scratch place that is gone when it is closed. A place is
// made for each language when it is first asked, and keeps its files and the compiler's own cache for the next question.

import { realpathSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../clock/system-clock.ts";
import { absentAsUndefined } from "../../files/problems.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { asPlace, placePath, type TrustedPlace } from "../../files/trusted-place.ts";
import type { Processes } from "../../ports/machine.ts";
import type { CompilerRules, ToolPlace, Toolchains, TreeWish } from "../../ports/toolchains.ts";
import { findProgram, trustedPath } from "./find-program.ts";
import { runTool } from "./run-tool.ts";
import { openSandbox } from "./sandbox.ts";
import { ScratchTree, type TreeReader } from "./scratch-tree.ts";
import { trimKept } from "./trim-kept.ts";

export interface ToolchainsHost {
  readonly observer: TreeReader;
  readonly processes: Processes;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly rules: () => CompilerRules;
  /** The checkouts of the repository: nothing in them is the owner's. */
  readonly checkouts: () => readonly string[];
  /** The directory in which the scratch places are made. */
  readonly directory: string | TrustedPlace;
  /** The place for what compilers share. Without it, that is kept in the scratch place. */
  readonly kept?: TrustedPlace | undefined;
  /** A name for this repository's places that no other has. */
  readonly name: string;
}

export interface OpenToolchains extends Toolchains {
  close(): void;
}

interface Room {
  readonly directory: TrustedDirectory;
  readonly files: ScratchTree;
  readonly top: TrustedDirectory;
}

export function openToolchains(host: ToolchainsHost): OpenToolchains {
  const rooms = new Map<string, Room>();
  const turns = new Map<string, Promise<unknown>>();
  const { environment } = host;
  const roomOf = (language: string): Room => {
    const known = rooms.get(language);
    if (known !== undefined) return known;
    const { root, relative } = asPlace(host.directory);
    // What a program that was killed has left is not known to us.
    if (rooms.size === 0) remove(host);
    const directory = TrustedDirectory.open(root, join(relative, host.name, language), { create: true });
    const top = directory.child("tree", { create: true });
    for (const name of ["home", "empty", "cache", "own"]) directory.child(name, { create: true }).close();
    const room = { directory, top, files: new ScratchTree(host.observer, top) };
    rooms.set(language, room);
    return room;
  };
  const lend = async <T>(wish: TreeWish, use: (place: ToolPlace) => Promise<T>): Promise<T> => {
    const room = roomOf(wish.language);
    await room.files.become(wish.tree, wish.wants, wish.signal);
    const answer = await use(placeIn(room, host));
    if (host.kept !== undefined) trimKept(host.kept, systemClock.nowMs());
    return answer;
  };
  return {
    get rules() {
      return host.rules();
    },
    find: (program) => findProgram(program, environment["PATH"], host.checkouts())?.named,
    variable: (name) => environment[name],
    on: (wish, use) => {
      const before = turns.get(wish.language) ?? Promise.resolve();
      const turn = before.then(() => lend(wish, use));
      turns.set(
        wish.language,
        turn.catch(() => undefined),
      );
      return turn;
    },
    close: () => {
      for (const { directory, top } of rooms.values()) {
        top.close();
        directory.close();
      }
      rooms.clear();
      remove(host);
    },
  };
}

function remove({ directory, name }: ToolchainsHost): void {
  const { root, relative } = asPlace(directory);
  using place = absentAsUndefined(() => TrustedDirectory.open(root, relative));
  place?.removeTree(name);
}

function placeIn({ directory, files }: Room, host: ToolchainsHost): ToolPlace {
  const at = realpathSync(directory.path);
  const home = join(at, "home");
  const shared = host.kept === undefined ? join(at, "cache") : placePath(host.kept, { create: true });
  const bubblewrap = findProgram("bwrap", host.environment["PATH"], host.checkouts())?.named;
  const tool = {
    processes: host.processes,
    sandbox: openSandbox(bubblewrap, host.processes),
    writes: [at, shared],
    path: trustedPath(host.environment["PATH"], host.checkouts()),
    nice: findProgram("nice", host.environment["PATH"], host.checkouts())?.named,
    memoryBytes: host.rules().memoryBytes,
  };
  return {
    top: join(at, "tree"),
    home,
    empty: join(at, "empty"),
    cache: join(at, "cache"),
    shared,
    missing: files.missing,
    write: (name, text) => {
      using own = directory.child("own");
      own.write(name, text, { sync: false });
      return join(at, "own", name);
    },
    drop: (path) => files.drop(path),
    run: (command, options) => runTool(tool, command, { ...options, home }),
  };
}
