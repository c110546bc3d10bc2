// Holds the scenarios where git stops, and those where it does not.

import { numbered, type Template } from "./scenario.ts";

const lines = (change: Readonly<Record<number, string>> = {}): string =>
  numbered(30, (at) => change[at] ?? `line ${at} of the text`);

export const textual: readonly Template[] = [
  {
    kind: "textual",
    name: "the same line",
    grow: (seed) => {
      const at = seed.below(28) + 1;
      return {
        base: { "a.txt": lines() },
        ours: { "a.txt": lines({ [at]: seed.name() }) },
        theirs: { "a.txt": lines({ [at]: seed.name() }) },
        expect: ["textual"],
      };
    },
  },
  {
    kind: "textual",
    name: "both add a file",
    grow: (seed) => ({
      base: { "a.txt": lines() },
      ours: { "docs/new.md": `${seed.name()}\n` },
      theirs: { "docs/new.md": `${seed.name()}\n` },
      expect: ["textual"],
    }),
  },
  {
    kind: "textual",
    name: "one deletes what the other changes",
    grow: (seed) => ({
      base: { "a.txt": lines(), "b.txt": "b\n" },
      ours: { "a.txt": null },
      theirs: { "a.txt": lines({ [seed.below(20) + 1]: seed.name() }) },
      expect: ["textual"],
    }),
  },
  {
    kind: "textual",
    name: "renamed to two names",
    grow: (seed) => ({
      base: { "a.txt": lines({ 3: seed.name() }), "b.txt": "b\n" },
      ours: { "a.txt": null, "left.txt": lines({ 3: "x", 4: "y" }) },
      theirs: { "a.txt": null, "right.txt": lines({ 3: "x", 5: "z" }) },
      expect: ["textual"],
    }),
  },
  {
    kind: "textual",
    name: "a file where the other has a directory",
    grow: (seed) => ({
      base: { "b.txt": "b\n" },
      ours: { place: `${seed.name()}\n` },
      theirs: { "place/inside.txt": `${seed.name()}\n` },
      expect: ["textual"],
    }),
  },
  {
    kind: "textual",
    name: "the same new line at the end of a file",
    grow: (seed) => ({
      base: { "a.txt": lines() },
      ours: { "a.txt": `${lines()}${seed.name()}\n` },
      theirs: { "a.txt": `${lines()}${seed.name()}\n` },
      expect: ["textual"],
    }),
  },
  {
    kind: "textual",
    name: "near miss: lines far apart",
    grow: (seed) => ({
      base: { "a.txt": lines() },
      ours: { "a.txt": lines({ 3: seed.name() }) },
      theirs: { "a.txt": lines({ 25: seed.name() }) },
      expect: [],
    }),
  },
  {
    kind: "textual",
    name: "near miss: the same change on both sides",
    grow: (seed) => {
      const same = lines({ 7: seed.name() });
      return { base: { "a.txt": lines() }, ours: { "a.txt": same }, theirs: { "a.txt": same }, expect: [] };
    },
  },
  {
    kind: "textual",
    name: "a lock file, which git cannot merge either",
    grow: (seed) => ({
      base: { [seed.pick(["bun.lock", "web/yarn.lock", "Cargo.lock"])]: lines() },
      ours: { "bun.lock": lines({ 4: "x" }), "web/yarn.lock": lines({ 4: "x" }), "Cargo.lock": lines({ 4: "x" }) },
      theirs: { "bun.lock": lines({ 4: "y" }), "web/yarn.lock": lines({ 4: "y" }), "Cargo.lock": lines({ 4: "y" }) },
      expect: ["textual"],
    }),
  },
  {
    kind: "textual",
    name: "what .gitattributes calls generated",
    grow: (seed) => ({
      base: { ".gitattributes": "api/** linguist-generated\n", "api/x.ts": lines() },
      ours: { "api/x.ts": lines({ 4: seed.name() }) },
      theirs: { "api/x.ts": lines({ 4: seed.name() }) },
      expect: ["textual"],
    }),
  },
  {
    kind: "textual",
    name: "near miss: one renames, the other edits elsewhere in it",
    grow: (seed) => ({
      base: { "a.txt": lines() },
      ours: { "a.txt": null, "moved/a.txt": lines() },
      theirs: { "a.txt": lines({ 9: seed.name() }) },
      expect: [],
    }),
  },
];
