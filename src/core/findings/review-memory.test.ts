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

test("200 sides of 3,000 files that are compared with each other are each worked out once", async () => {
  const asked = { changes: 0, trees: 0 };
  const tree = new Map(
    Array.from(
      { length: 3_000 },
      (_, at) => [`d${at % 900}/f${at}.ts`, { mode: "100644", blob: id(`${at}`) }] as const,
    ),
  );
  const observer = {
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
  const memory = new ReviewMemory();
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
