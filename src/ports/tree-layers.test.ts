import { expect, test } from "bun:test";
import { differingPaths, layered } from "./tree-layers.ts";

/** A small reproducible source of chance. */
function chance(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
}

test("a tree in layers is the same as the copy it stands for, however many layers went before", () => {
  for (let seed = 1; seed <= 60; seed++) {
    const below = chance(seed);
    const ground = new Map(Array.from({ length: below(8) }, (_, at) => [`f${at}`, `b${below(3)}`]));
    let copy = new Map(ground);
    let layers: ReadonlyMap<string, string> = ground;
    const trees = [{ id: "0", blobs: layers, copy }];
    for (let round = 0; round < 3; round++) {
      const changes = Array.from({ length: below(5) }, () => {
        const blob = below(3) === 0 ? undefined : `b${below(3)}`;
        return [`f${below(12)}`, blob] as const;
      });
      copy = new Map(copy);
      for (const [path, blob] of changes) {
        if (blob === undefined) copy.delete(path);
        else copy.set(path, blob);
      }
      layers = layered(layers, changes);
      trees.push({ id: `${round + 1}`, blobs: layers, copy });
      expect([...layers].sort()).toEqual([...copy].sort());
      expect([...layers.keys()].sort()).toEqual([...copy.keys()].sort());
      expect([...layers.values()].sort()).toEqual([...copy.values()].sort());
      expect(layers.size).toBe(copy.size);
      const told: [string, string][] = [];
      // oxlint-disable-next-line unicorn/no-array-for-each -- forEach is what is tested
      layers.forEach((blob, path) => told.push([path, blob]));
      expect(told.sort()).toEqual([...copy].sort());
      for (let at = 0; at < 12; at++) {
        expect([layers.get(`f${at}`), layers.has(`f${at}`)]).toEqual([copy.get(`f${at}`), copy.has(`f${at}`)]);
      }
    }
    for (const one of trees) {
      for (const other of trees) {
        const plain = [...new Set([...one.copy.keys(), ...other.copy.keys()])].filter(
          (path) => one.copy.get(path) !== other.copy.get(path),
        );
        expect([...differingPaths(one, other)].sort()).toEqual(plain.sort());
        const apart = { id: "copy", blobs: other.copy };
        expect([...differingPaths(one, apart)].sort()).toEqual(plain.sort());
      }
    }
  }
});
