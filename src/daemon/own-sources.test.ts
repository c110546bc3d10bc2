import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../test/kit/directory.ts";
import { FakeClock } from "../ports/fake-clock.ts";
import { OwnSources } from "./own-sources.ts";

/** The times of inodes have a grain: until one shows, nothing has happened. */
function changed(path: string, change: () => void): void {
  const before = statSync(path).ctimeMs;
  do change();
  while (statSync(path).ctimeMs === before);
}

const changes: Readonly<Record<string, (at: string) => void>> = {
  "edited in place": (at) => changed(join(at, "src/a.ts"), () => writeFileSync(join(at, "src/a.ts"), "// b\n")),
  "edited with its time put back": (at) => {
    const path = join(at, "src/core/b.ts");
    const { atime, mtime } = statSync(path);
    changed(path, () => {
      writeFileSync(path, "// c\n");
      utimesSync(path, atime, mtime);
    });
  },
  new: (at) => writeFileSync(join(at, "src/new.ts"), ""),
  gone: (at) => rmSync(join(at, "src/a.ts")),
  "named otherwise": (at) => renameSync(join(at, "src/a.ts"), join(at, "src/c.ts")),
};

function sources() {
  const directory = temporaryDirectory("sources");
  mkdirSync(join(directory.path, "src/core"), { recursive: true });
  for (const name of ["a.ts", "core/b.ts", "core/b.test.ts"])
    writeFileSync(join(directory.path, "src", name), "// a\n");
  return directory;
}

for (const [what, change] of Object.entries(changes))
  test(`a source that is ${what} is told with the version, once it was looked at`, () => {
    using directory = sources();
    const own = new OwnSources(directory.path, new FakeClock(0));
    expect([own.look(), own.told("1")]).toEqual([false, "1"]);
    change(directory.path);
    expect([own.look(), own.told("1")]).toEqual([true, "1 from before the sources were changed"]);
  });

test("what is not loaded is no source, and where there are none nothing is said", () => {
  using directory = sources();
  const own = new OwnSources(directory.path, new FakeClock(0));
  own.look();
  const path = join(directory.path, "src/core/b.test.ts");
  changed(path, () => writeFileSync(path, `${readFileSync(path, "utf8")} `));
  expect(own.look()).toBe(false);
  for (const top of [undefined, join(directory.path, "nowhere")])
    expect([new OwnSources(top, new FakeClock(0)).look(), new OwnSources(top, new FakeClock(0)).told("1")]).toEqual([
      false,
      "1",
    ]);
});

test("it looks after an answer, and again when a minute has passed", async () => {
  using directory = sources();
  const clock = new FakeClock(0);
  const own = new OwnSources(directory.path, clock);
  const answer = async (): Promise<string> => {
    const told = own.told("1");
    await new Promise((resolve) => setImmediate(resolve));
    return told;
  };
  await answer();
  writeFileSync(join(directory.path, "src/new.ts"), "");
  clock.advance(59_000);
  expect([await answer(), await answer()]).toEqual(["1", "1"]);
  clock.advance(1_000);
  expect([await answer(), await answer()]).toEqual(["1", "1 from before the sources were changed"]);
});
