// Tests how far files were taken in when several constellations share one database. Their files have the same names, and on different
// machines may have the same inode.

import { describe, expect, test } from "bun:test";
import { onEachDatabase, withStore } from "../../../test/kit/databases.ts";
import { seededRandom } from "../../ports/fake-clock.ts";
import { openStore, type Store } from "../../store/open.ts";
import { forgetPosition, movePosition, takeInFile } from "./take-in-file.ts";

const name = "invocations-2026-01-02.jsonl";

/** Takes in all of a file; answers from where it was asked for. */
async function takenFrom(store: Store, file: { inode: number; size: number; name?: string }): Promise<number> {
  const from: number[] = [];
  await takeInFile(store, { name, ...file }, (offset) => {
    from.push(offset);
    return { nextOffset: file.size, write: async () => {} };
  });
  return from[0] ?? NaN;
}

onEachDatabase("files of two constellations", (makeScene) => {
  describe("taken into one database", () => {
    const here = withStore(makeScene);

    test("are each read from where their own was left, whatever the other's is called and wherever it lies", async () => {
      const other = await openStore(here.options({ constellation: "constel1", random: seededRandom(8) }));
      try {
        expect(await takenFrom(here.store, { inode: 7, size: 100 })).toBe(0);
        expect(await takenFrom(other, { inode: 7, size: 300 })).toBe(0);
        expect(await takenFrom(here.store, { inode: 7, size: 150 })).toBe(100);
        expect(await takenFrom(other, { inode: 7, size: 310 })).toBe(300);

        const aside = "invocations-2026-01-02.1.jsonl";
        await movePosition(other, name, aside, 7);
        expect(await takenFrom(here.store, { inode: 7, size: 160 })).toBe(150);
        expect(await takenFrom(other, { name: aside, inode: 7, size: 320 })).toBe(310);
        await movePosition(here.store, name, aside, 7);
        expect(await takenFrom(other, { name: aside, inode: 7, size: 330 })).toBe(320);
        await forgetPosition(here.store, aside, 7);
        expect(await takenFrom(other, { name: aside, inode: 7, size: 340 })).toBe(330);
        expect(await takenFrom(here.store, { name: aside, inode: 7, size: 170 })).toBe(0);
      } finally {
        await other.close();
      }
    });
  });
});
