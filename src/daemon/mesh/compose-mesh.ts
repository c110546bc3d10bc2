// Puts the parts of the mesh together that go round: nothing, where the settings keep no lines.

import type { MeshContext } from "../../core/mesh/mesh-context.ts";
import type { LoopParts } from "../loops/loop-parts.ts";
import type { Round } from "../loops/react.ts";
import { confirmedPeers } from "./confirmed-peers.ts";
import { meshLoop } from "./mesh-loop.ts";
import { SideObjectsOfPeers } from "../../core/mesh/side-objects.ts";
import { sidesOverMesh } from "../../core/mesh/sides.ts";
import type { SideSource } from "../../ports/sides.ts";
import { PagesByRoot } from "./pages.ts";

/** Sides of peers. */
export interface MeshSides extends SideSource {
  readonly hasPeers: () => Promise<boolean>;
}

export function composeMesh(parts: LoopParts & { readonly version: string }): {
  readonly round: Round | undefined;
  readonly byRoot: PagesByRoot | undefined;
  readonly sides: MeshSides | undefined;
} {
  const { store, clock, random, lines, settings, audit } = parts;
  if (lines === undefined) return { round: undefined, byRoot: undefined, sides: undefined };
  const { constellation } = store;
  const context: MeshContext = { store, clock, random, constellation, peers: () => confirmedPeers(store, audit) };
  const byRoot = new PagesByRoot(context, lines, settings.config["mesh.page_wait_seconds"] * 1_000);
  const objects = new SideObjectsOfPeers(context);
  return {
    round: meshLoop(parts, context, lines, byRoot, objects),
    byRoot,
    sides: {
      others: (repository, most) => sidesOverMesh(store, repository, most),
      bundle: (_repository, side) => objects.ofSide(side),
      hasPeers: async () => (await context.peers()).length > 0,
    },
  };
}
