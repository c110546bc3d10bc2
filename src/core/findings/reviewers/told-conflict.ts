// A conflict as a language told it, with its places looked up: who changed the definition, who uses it, and where each has it.

import type { Place, SemanticConflict, Side } from "../../../ports/semantic.ts";
import type { PairScene } from "../scene.ts";
import type { SideTexts } from "../side-texts.ts";

export interface Told {
  readonly conflict: SemanticConflict;
  readonly definer: Side;
  readonly user: Side;
  /** The place where the user has the use. */
  readonly use: Place;
  /** The definition as the definer has it now; undefined when it is gone there. */
  readonly after: Place | undefined;
  /** The definition as the user still sees it. */
  readonly seenByUser: Place | undefined;
  /** For naming it: where it is, or was. */
  readonly definition: Place;
  /** The definer changed the file of the definition; else what it changed only shows there. */
  readonly isDefinersChange: boolean;
  /** Neither side changed the file of the use: only the two together break it. */
  readonly isNobodysFile: boolean;
}

export async function toldOf(
  conflict: SemanticConflict,
  scene: Pick<PairScene, "ours" | "theirs">,
  texts: SideTexts,
): Promise<Told> {
  const { use, definitionBefore, definitionAfter } = conflict;
  const definer = await definerOf(conflict, scene, texts);
  const user = other(definer);
  const after = definitionAfter === undefined ? undefined : await texts.find(definer, definitionAfter);
  const seenByUser = await texts.find(user, definitionBefore);
  const paths = [definitionBefore, ...(definitionAfter === undefined ? [] : [definitionAfter])].map(({ path }) => path);
  return {
    conflict,
    definer,
    user,
    use: (await texts.find(user, use)) ?? use,
    after,
    seenByUser,
    definition: after ?? seenByUser ?? definitionBefore,
    isDefinersChange: paths.some((path) => scene[definer].paths.has(path)),
    isNobodysFile: !scene.ours.paths.has(use.path) && !scene.theirs.paths.has(use.path),
  };
}

/** The side that has the use is never the one that broke it: where only the named definer has it, the sides are the other way. */
async function definerOf(
  { definitionSide, use }: SemanticConflict,
  scene: Pick<PairScene, "ours" | "theirs">,
  texts: SideTexts,
): Promise<Side> {
  const user = other(definitionSide);
  if ((await texts.find(user, use)) !== undefined) return definitionSide;
  const isMixedUp = (await texts.find(definitionSide, use)) !== undefined && scene[definitionSide].paths.has(use.path);
  return isMixedUp ? user : definitionSide;
}

const other = (side: Side): Side => (side === "ours" ? "theirs" : "ours");
