import { expect, test } from "bun:test";
import type { ChangedFile, RepositoryObserver, Snapshot } from "../../ports/git.ts";
import { ReviewMemory } from "./scene.ts";

const id = (text: string): string => text.padStart(40, "0");
const side = (number: number): Snapshot => ({
  commit: id(`c${number}`),
  tree: id(`e${number}`),
  parents: [],
  flags: [],
  context: "",
});

interface Asked {
  changes: number;
  trees: number;
}

function repository(asked: Asked): RepositoryObserver {
  const tree = new Map(
    Array.from(
      { length: 3_000 },
      (_, at) => [`d${at % 900}/f${at}.ts`, { mode: "100644", blob: id(`${at}`) }] as const,
    ),
  );
  return {
    tree: async () => {
      asked.trees += 1;
      return tree;
    },
    changedFiles: async (_: string, { tree: after }: Snapshot): Promise<readonly ChangedFile[]> => {
      asked.changes += 1;
      const entry = { mode: "100644", blob: after };
      return [{ path: `d1/f1.ts`, change: "modified", from: undefined, before: entry, after: entry }];
    },
  } as unknown as RepositoryObserver;
}

test("200 sides of 3,000 files that are compared with each other are each worked out once", async () => {
  const asked = { changes: 0, trees: 0 };
  const observer = repository(asked);
  const memory = new ReviewMemory(() => 200);
  const read = async (): Promise<string> => "";
  for (let round = 0; round < 2; round++) {
    for (let number = 0; number < 200; number++) {
      const view = await memory.sideView(observer, id("base"), side(number));
      await memory.changes(observer, id("base"), side(number));
      const excluded = await memory.exclusions(view, read, { exclude: [], include: [] });
      expect(await memory.exclusions(view, read, { exclude: [], include: [] })).toBe(excluded);
      expect(await memory.sideView(observer, id("base"), side(number))).toBe(view);
    }
  }
  expect(asked).toEqual({ changes: 200, trees: 1 });
});

test("of three sides that are edited on and on, the trees of now are kept and those from before are let go", async () => {
  const asked = { changes: 0, trees: 0 };
  const observer = repository(asked);
  const memory = new ReviewMemory(() => 3);
  const edits = 300;
  for (let edit = 0; edit < edits; edit++) await memory.sideView(observer, id("base"), side(edit));
  expect(asked).toEqual({ changes: edits, trees: 1 });
  for (const now of [1, 2, 3]) await memory.sideView(observer, id("base"), side(edits - now));
  expect(asked.changes).toBe(edits);
  await memory.sideView(observer, id("base"), side(edits - 100));
  expect(asked).toEqual({ changes: edits + 1, trees: 1 });
});
