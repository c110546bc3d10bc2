// A synthetic project, random refactorings of it on one side and random new uses on the other, from a seed. The project is a model,
// and files are written from it, so a refactoring carries all existing uses along as a careful author would.

import { matchModel, type Model, newProject, refactor } from "./project-model.ts";
import type { Scenario } from "./matrix.ts";
import { newUse, type Use, writeUse } from "./random-use.ts";

export type Draw = <T>(from: readonly T[]) => T;

export function randomScenarios(seed: number, count: number): Scenario[] {
  const scenarios: Scenario[] = [];
  for (let index = 0; index < count; index += 1) {
    const draw = drawing(seed * 100_003 + index);
    const base = newProject(draw);
    const existing = many(draw, 3, (number) => newUse(draw, base, `old${number}`));
    const added = many(draw, 8, (number) => newUse(draw, base, `new${number}`));
    let after: Model = base;
    for (let turn = draw([1, 2, 3, 4]); turn > 0; turn -= 1) after = refactor(draw, after);
    const baseFiles = write(base, existing);
    const oursFiles = write(after, existing);
    const ours: Record<string, string | null> = { ...oursFiles };
    for (const path of Object.keys(baseFiles)) if (!Object.hasOwn(oursFiles, path)) ours[path] = null;
    const theirs: Record<string, string | null> = {};
    for (const use of added) Object.assign(theirs, written(base, use));
    // Sometimes theirs also works inside a library file, far from most of what ours touches there.
    if (draw([true, false, false])) {
      const module = draw(base.modules.filter(({ functions }) => functions.length > 0));
      const called = draw(module.functions);
      const path = `pkg/${module.name}.py`;
      const required = called.parameters.filter(({ optional }) => !optional).map((_, at) => String(at + 1));
      theirs[path] =
        `${baseFiles[path] ?? ""}\n\ndef use_inside():\n    return ${called.name}(${required.join(", ")})\n`;
    }
    const swapped = draw([true, false]);
    scenarios.push({
      id: `random ${seed}/${index}`,
      scene: { base: baseFiles, ours: swapped ? theirs : ours, theirs: swapped ? ours : theirs },
    });
  }
  return scenarios;
}

function write(model: Model, uses: readonly Use[]): Record<string, string> {
  const files = matchModel(model);
  for (const use of uses) Object.assign(files, written(model, use));
  return files;
}

function written(model: Model, use: Use): Record<string, string> {
  const text = writeUse(model, use);
  return text === undefined ? {} : { [use.path]: text };
}

function many<T>(draw: Draw, most: number, make: (number: number) => T): T[] {
  const count = draw(Array.from({ length: most }, (_, at) => at + 1));
  return Array.from({ length: count }, (_, at) => make(at));
}

/** mulberry32: small, fast, and the same everywhere. */
function drawing(seed: number): Draw {
  let state = seed >>> 0;
  return (from) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    const fraction = ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
    const chosen = from[Math.floor(fraction * from.length)];
    if (chosen === undefined) throw new Error("nothing to draw from");
    return chosen;
  };
}
