import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { watchDirectory } from "./watch-directory.ts";

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "constel-watch-"));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

/** Collects what was heard, as `directory/name` or `lost directory`; each can be waited for. */
class Ear {
  readonly all: string[] = [];
  #stir = Promise.withResolvers<void>();

  heard(key: string, name: string | undefined): void {
    this.#note(`${key}/${name ?? "?"}`);
  }

  lost(key: string): void {
    this.#note(`lost ${key}`);
  }

  async until(what: string): Promise<void> {
    while (!this.all.includes(what)) await this.#stir.promise;
  }

  #note(what: string): void {
    this.all.push(what);
    this.#stir.resolve();
    this.#stir = Promise.withResolvers<void>();
  }
}

function made(name: string): string {
  mkdirSync(join(top, name), { recursive: true });
  return join(top, name);
}

describe("a watched directory", () => {
  test("is told apart from others, and is quiet once it is closed", async () => {
    const ear = new Ear();
    const [a, b] = [made("a"), made("b")];
    const first = watchDirectory(a, "a", ear);
    using _ = closing(watchDirectory(b, "b", ear));
    writeFileSync(join(a, "one"), "");
    await ear.until("a/one");
    first.close();
    first.close();
    writeFileSync(join(a, "two"), "");
    writeFileSync(join(b, "three"), "");
    await ear.until("b/three");
    expect(ear.all).not.toContain("a/two");
  });

  test("may be watched by two, and goes on for one when the other ends", async () => {
    const [one, other] = [new Ear(), new Ear()];
    const a = made("a");
    const first = watchDirectory(a, "first", one);
    using _ = closing(watchDirectory(a, "second", other));
    writeFileSync(join(a, "x"), "");
    await Promise.all([one.until("first/x"), other.until("second/x")]);
    first.close();
    writeFileSync(join(a, "y"), "");
    await other.until("second/y");
    expect(one.all).not.toContain("first/y");
  });

  test("that is not there is refused with the reason", () => {
    expect(() => watchDirectory(join(top, "none"), "none", new Ear())).toThrow("ENOENT");
  });
});

// These tests are about the kernel's own watches; elsewhere the runtime's watches stay.
describe.skipIf(process.platform !== "linux")("watches of the kernel", () => {
  const descriptors = (): number =>
    readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).includes("inotify");
      } catch {
        return false; // the one that the list was read with
      }
    }).length;

  test("tells what is made, written, renamed, made executable and removed in it, by name", async () => {
    const ear = new Ear();
    const a = made("a");
    using _ = closing(watchDirectory(a, "a", ear));
    writeFileSync(join(a, "made.txt"), "1");
    await ear.until("a/made.txt");
    renameSync(join(a, "made.txt"), join(a, "moved-ä.txt"));
    await ear.until("a/moved-ä.txt");
    for (const step of [
      () => writeFileSync(join(a, "moved-ä.txt"), "2"),
      () => chmodSync(join(a, "moved-ä.txt"), 0o755),
      () => rmSync(join(a, "moved-ä.txt")),
    ]) {
      ear.all.length = 0;
      step();
      await ear.until("a/moved-ä.txt");
    }
    expect(ear.all).not.toContain("lost a");
  });

  test("share one descriptor, which goes with the last of them", async () => {
    for (let time = 0; time < 10; time++) {
      const watches = Array.from({ length: 20 }, (_, index) => watchDirectory(made(`d${index}`), "d", new Ear()));
      for (const watch of watches) watch.close();
    }
    // The runtime closes its own for the events in another thread, and may keep the last one a while.
    while (descriptors() > 1) await Bun.sleep(1);
    const watches = Array.from({ length: 20 }, (_, index) => watchDirectory(made(`d${index}`), "d", new Ear()));
    expect(descriptors()).toBeLessThanOrEqual(3);
    for (const watch of watches) watch.close();
  });

  test("say when a directory is gone, also after the descriptor was opened anew", async () => {
    for (const name of ["once", "again"]) {
      const ear = new Ear();
      const directory = made(name);
      watchDirectory(directory, name, ear);
      rmSync(directory, { recursive: true });
      await ear.until(`lost ${name}`);
    }
  });

  test("lose nothing of a thousand names in a hundred directories", async () => {
    const ear = new Ear();
    const directories = Array.from({ length: 100 }, (_, index) => `d${index}`);
    const watches = directories.map((name) => watchDirectory(made(name), name, ear));
    for (let file = 0; file < 10; file++)
      for (const name of directories) writeFileSync(join(top, name, `${"long-name-".repeat(20)}${file}`), "");
    for (const name of directories) await ear.until(`${name}/${"long-name-".repeat(20)}9`);
    expect(new Set(ear.all).size).toBe(1_000);
    for (const watch of watches) watch.close();
  });
});

const closing = (watch: { close(): void }): Disposable => ({ [Symbol.dispose]: () => watch.close() });
