// The sides of one repository that travel between machines, as the observer of that repository has them: what goes out, and what is taken in.

import { join } from "node:path";
import type { ObservedSides, RepositoryIdentity, Snapshot } from "../../../ports/git.ts";
import type { SideLimits, TakenSide } from "../../../ports/sides.ts";
import type { Git } from "../git.ts";
import type { Blobs } from "../objects/blobs.ts";
import type { PrivateStore } from "../objects/private-store.ts";
import { addressOf } from "../repository/ask-origin.ts";
import type { Clones } from "../repository/clones.ts";
import { readSmall } from "../repository/locate.ts";
import type { TalkOptions } from "../talk.ts";
import { outgoing } from "./outgoing.ts";
import { bundleSide, type PushPlace, pushSides } from "./push-sides.ts";
import { keepSides, takeSide } from "./take-sides.ts";

export interface SidesPlace {
  readonly git: Git;
  readonly talking: TalkOptions;
  readonly store: PrivateStore;
  readonly blobs: Blobs;
  readonly clones: Clones;
  readonly identity: RepositoryIdentity;
  readonly shallow: () => Promise<string>;
  readonly asSnapshot: (commit: string) => Promise<Snapshot | undefined>;
  /** Objects came that were missing before. */
  readonly came: () => void;
  readonly limits: SideLimits;
}

export function observedSides(place: SidesPlace): ObservedSides {
  const { git, talking, store, blobs, clones, limits } = place;

  /** Where it may be asked, and why not otherwise. */
  const origin = async (recorded: string | undefined): Promise<{ address: string } | { why: string }> => {
    const [clone] = clones.all;
    if (clone === undefined) return { why: "there is no clone" };
    const found = await addressOf(place, clone, recorded);
    if (!("kind" in found)) return found;
    return { why: found.kind === "failed" ? found.why : "it has no origin" };
  };

  const pushing = (): PushPlace | undefined => {
    const [clone] = clones.all;
    if (clone === undefined) return undefined;
    const shallow = readSmall(join(clone.commonDirectory, "shallow")) ?? "";
    const directory = store.originDirectory({ objects: join(clone.commonDirectory, "objects"), shallow });
    // Our own objects, which see those of every clone.
    return { git, talking, directory, limits, variables: { GIT_DIR: directory, GIT_OBJECT_DIRECTORY: store.objects } };
  };

  return {
    outgoing: (snapshot) => outgoing({ git, store, blobs, clones: clones.all }, snapshot),
    async push(wish, recorded) {
      const refs = [...wish.put.map(({ ref }) => ref), ...wish.remove];
      const at = await origin(recorded);
      const where = pushing();
      const why = "why" in at ? at.why : "there is no clone";
      if ("why" in at || where === undefined) return refs.map((ref) => ({ ref, why }));
      return await pushSides(where, at.address, wish);
    },
    async bundle(side) {
      const where = pushing();
      return where === undefined ? { why: "there is no clone" } : await bundleSide(where, side);
    },
    async take(sides, recorded) {
      const some = sides.slice(0, limits.others);
      const at = await origin(recorded);
      const address = "address" in at ? at.address : undefined;
      const taking = { git, talking, store, blobs, shallow: await place.shallow(), address, limits };
      const held = await keepSides(
        taking,
        some.map(({ ref }) => ref),
      );
      const taken: TakenSide[] = [];
      for (const side of some)
        taken.push(
          held.get(side.ref) === side.commit ? { ref: side.ref, kind: "taken" } : await takeSide(taking, side),
        );
      if (some.length > 0) place.came();
      return taken;
    },
    snapshotOf: (commit) => place.asSnapshot(commit),
  };
}
