import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePipe } from "../../test/bus-kit.ts";
import { inBothWays } from "./both-ways.suite.ts";
import { readWhole } from "./open-file.ts";
import { TreeWriter } from "./trusted-tree.ts";
import { TrustedDirectory } from "./trusted-directory.ts";
import {
  appendTrusted,
  listTrusted,
  makeTrustedDirectory,
  readTrusted,
  removeTrusted,
  writeTrusted,
} from "./trusted-files.ts";

/** A trusted root, and beside it a place where nothing may ever land. */
class Place {
  readonly #top = mkdtempSync(join(tmpdir(), "constel-trusted-"));
  readonly root = join(this.#top, "root");
  readonly outside = join(this.#top, "outside");

  constructor() {
    mkdirSync(this.root);
    mkdirSync(this.outside);
    writeFileSync(join(this.outside, "victim"), "kept");
  }

  expectOutsideUntouched(): void {
    expect(readdirSync(this.outside)).toEqual(["victim"]);
    expect(readFileSync(join(this.outside, "victim"), "utf8")).toBe("kept");
  }

  [Symbol.dispose](): void {
    rmSync(this.#top, { recursive: true, force: true });
  }
}

const isLinkRefusal = expect.objectContaining({ code: "path.symlink" });

inBothWays(() => {
  describe("files under a trusted root", () => {
    test("are written whole and privately, in directories made on the way", () => {
      using place = new Place();
      writeTrusted(place.root, "a/b/c", "text");
      expect(readTrusted(place.root, "a/b/c")?.toString()).toBe("text");
      expect(lstatSync(join(place.root, "a/b/c")).mode & 0o777).toBe(0o600);
      expect(lstatSync(join(place.root, "a/b")).mode & 0o777).toBe(0o700);
      expect(readdirSync(join(place.root, "a/b"))).toEqual(["c"]);
    });

    test("are appended to, listed and removed; what is not there is absent, not an error", () => {
      using place = new Place();
      appendTrusted(place.root, "log", "one\n");
      appendTrusted(place.root, "log", "two\n", { sync: true });
      expect(readTrusted(place.root, "log")?.toString()).toBe("one\ntwo\n");
      expect(listTrusted(place.root, "")).toEqual(["log"]);
      expect(removeTrusted(place.root, "log")).toBe(true);
      expect(removeTrusted(place.root, "log")).toBe(false);
      expect(readTrusted(place.root, "no/such/file")).toBeUndefined();
      expect(listTrusted(place.root, "nowhere")).toEqual([]);
    });

    test("that others could read become private when they are written", () => {
      using place = new Place();
      writeFileSync(join(place.root, "log"), "", { mode: 0o644 });
      appendTrusted(place.root, "log", "x");
      expect(lstatSync(join(place.root, "log")).mode & 0o777).toBe(0o600);
    });

    test("cannot be named by a path that leads out", () => {
      using place = new Place();
      for (const path of ["../outside/victim", "/etc/passwd", "a/../../outside/victim", "..", "a\0b"]) {
        expect(() => writeTrusted(place.root, path, "x")).toThrow(
          expect.objectContaining({ code: "path.outside-root" }),
        );
      }
      using directory = TrustedDirectory.open(place.root);
      for (const name of ["", ".", "..", "a/b", "../outside/victim"]) {
        expect(() => directory.read(name)).toThrow(expect.objectContaining({ code: "path.outside-root" }));
      }
      place.expectOutsideUntouched();
    });

    test("past a bound are refused instead of read, and can be read in parts", () => {
      using place = new Place();
      writeTrusted(place.root, "big", "0123456789");
      using directory = TrustedDirectory.open(place.root);
      expect(directory.read("big", { maxBytes: 10 })?.length).toBe(10);
      expect(() => directory.read("big", { maxBytes: 9 })).toThrow(expect.objectContaining({ code: "path.too-large" }));
      expect(directory.readFrom("big", 4, 3).toString()).toBe("456");
      expect(directory.readFrom("big", 8, 100).toString()).toBe("89");
      expect(directory.readFrom("big", 11, 3)).toHaveLength(0);
      expect(directory.readFrom("absent", 0, 3)).toHaveLength(0);
    });

    test("that are pipes or directories are refused, without waiting for a writer", () => {
      using place = new Place();
      makePipe(join(place.root, "pipe"));
      mkdirSync(join(place.root, "directory"));
      const notAFile = expect.objectContaining({ code: "path.not-a-file" });
      expect(() => readTrusted(place.root, "pipe")).toThrow(notAFile);
      expect(() => readTrusted(place.root, "directory")).toThrow(notAFile);
      expect(() => appendTrusted(place.root, "pipe", "x")).toThrow();
    });

    test("are refused where a directory stands in their place, and leave nothing beside it", () => {
      using place = new Place();
      mkdirSync(join(place.root, "state/directory"), { recursive: true });
      const notAFile = expect.objectContaining({ code: "path.not-a-file" });
      expect(() => writeTrusted(place.root, "state/directory", "x")).toThrow(notAFile);
      expect(listTrusted(place.root, "state")).toEqual(["directory"]);
    });

    test("removed with a whole tree take no file behind a link with them", () => {
      using place = new Place();
      mkdirSync(join(place.root, "tree/inner"), { recursive: true });
      symlinkSync(place.outside, join(place.root, "tree/inner/link"));
      using directory = TrustedDirectory.open(place.root);
      expect(directory.removeTree("tree")).toBe(true);
      expect(directory.removeTree("tree")).toBe(false);
      expect(existsSync(join(place.root, "tree"))).toBe(false);
      place.expectOutsideUntouched();
    });
  });

  describe("a symbolic link", () => {
    const acts: Record<string, (root: string, path: string) => void> = {
      writing: (root, path) => writeTrusted(root, path, "x"),
      appending: (root, path) => appendTrusted(root, path, "x"),
      reading: (root, path) => readTrusted(root, path),
    };

    for (const [act, use] of Object.entries(acts)) {
      test(`in place of a directory on the way is refused when ${act}`, () => {
        using place = new Place();
        mkdirSync(join(place.root, "a"));
        symlinkSync(place.outside, join(place.root, "a/b"));
        expect(() => use(place.root, "a/b/victim")).toThrow(isLinkRefusal);
        expect(() => use(place.root, "a/b/c/new")).toThrow(isLinkRefusal);
        place.expectOutsideUntouched();
      });

      test(`in place of the file is refused when ${act}`, () => {
        using place = new Place();
        symlinkSync(join(place.outside, "victim"), join(place.root, "leaf"));
        symlinkSync(join(place.outside, "not-there-yet"), join(place.root, "dangling"));
        expect(() => use(place.root, "leaf")).toThrow(isLinkRefusal);
        expect(() => use(place.root, "dangling")).toThrow(isLinkRefusal);
        place.expectOutsideUntouched();
      });
    }

    test("in place of a directory is refused when making, listing and removing", () => {
      using place = new Place();
      symlinkSync(place.outside, join(place.root, "a"));
      expect(() => makeTrustedDirectory(place.root, "a/b")).toThrow(isLinkRefusal);
      expect(() => listTrusted(place.root, "a")).toThrow(isLinkRefusal);
      expect(() => removeTrusted(place.root, "a/victim")).toThrow(isLinkRefusal);
      place.expectOutsideUntouched();
    });

    test("may stand above the root: that is the user's own choice", () => {
      using place = new Place();
      symlinkSync(place.root, join(place.root, "../alias"));
      writeTrusted(join(place.root, "../alias"), "a", "x");
      expect(readTrusted(place.root, "a")?.toString()).toBe("x");
    });

    test("put in between again and again while we write never lets anything land outside", async () => {
      using place = new Place();
      // Another process swaps the directory for a link to the outside and back, as fast as it can.
      const swapper = Bun.spawn(
        [process.execPath, "--no-env-file", "--config=/dev/null", "-e", swapForEver, place.root, place.outside],
        { stdin: "ignore", stdout: "pipe", stderr: "inherit" },
      );
      try {
        await swapper.stdout.getReader().read();
        const outcomes = { written: 0, refused: 0 };
        // Until both outcomes were met often: only then did the two meet in the gap between check and use.
        for (let round = 0; round < 60_000 && (outcomes.written < 500 || outcomes.refused < 500); round++) {
          for (const act of writers) {
            try {
              act(place.root);
              outcomes.written += 1;
            } catch {
              outcomes.refused += 1;
            }
          }
        }
        expect(outcomes.written).toBeGreaterThanOrEqual(500);
        expect(outcomes.refused).toBeGreaterThanOrEqual(500);
      } finally {
        swapper.kill("SIGKILL");
        await swapper.exited;
      }
      place.expectOutsideUntouched();
    });
  });

  const writers: ((root: string) => void)[] = [
    (root) => writeTrusted(root, "d/file", "ours"),
    (root) => appendTrusted(root, "d/log", "ours"),
    (root) => appendTrusted(root, "d/victim", "ours"),
    (root) => makeTrustedDirectory(root, "d/made"),
    (root) => removeTrusted(root, "d/victim"),
  ];

  const swapForEver = `
  const { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync } = require("node:fs");
  const [root, outside] = process.argv.slice(-2);
  const attempt = (act) => { try { act(); } catch {} };
  mkdirSync(root + "/d", { recursive: true });
  process.stdout.write("ready");
  for (;;) {
    attempt(() => rmSync(root + "/away", { recursive: true }));
    attempt(() => renameSync(root + "/d", root + "/away"));
    attempt(() => symlinkSync(outside, root + "/d"));
    attempt(() => unlinkSync(root + "/d"));
  }
`;

  describe("a hard link", () => {
    test("to the user's own file is neither written to, nor replaced, nor given another mode", () => {
      using place = new Place();
      const own = join(place.outside, "victim");
      chmodSync(own, 0o644);
      linkSync(own, join(place.root, "log"));
      linkSync(own, join(place.root, "mark"));
      appendTrusted(place.root, "log", " and more");
      using directory = TrustedDirectory.open(place.root);
      directory.changeMark("mark", 4, () => "over");
      directory.write("log", "anew");
      expect(directory.setMode("log", 0o600)).toBe(true);
      linkSync(own, join(place.root, "mode"));
      expect(directory.setMode("mode", 0o600)).toBe(false);
      expect(readTrusted(place.root, "mark")?.toString()).toBe("over");
      expect(lstatSync(own).mode & 0o777).toBe(0o644);
      place.expectOutsideUntouched();
    });

    test("is given up for a copy that keeps what was in it", () => {
      using place = new Place();
      linkSync(join(place.outside, "victim"), join(place.root, "log"));
      appendTrusted(place.root, "log", " and more");
      expect(readTrusted(place.root, "log")?.toString()).toBe("kept and more");
      expect(readdirSync(place.root)).toEqual(["log"]);
    });
  });

  describe("a tree by paths that others wrote", () => {
    test("stays below its directory, whatever the paths say", () => {
      using place = new Place();
      using top = TrustedDirectory.open(place.root);
      using writer = new TreeWriter(top);
      const file = { content: Buffer.from("x"), mode: 0o644 };
      for (const path of ["../outside/new", "/etc/new", "a/../../outside/new", "a//b", "a/./b", "", ".."])
        expect(() => writer.writeFile(path.split("/"), file)).toThrow(
          expect.objectContaining({ code: "path.outside-root" }),
        );
      writer.makeLink(["link"], Buffer.from(place.outside));
      expect(() => writer.writeFile(["link", "victim"], file)).toThrow(isLinkRefusal);
      expect(() => writer.writeFile(["link", "new"], file)).toThrow(isLinkRefusal);
      expect(() => writer.setDirectoryMode(["link"], 0o777)).toThrow(isLinkRefusal);
      expect(() => writer.writeFile(["link"], file)).toThrow();
      writer.writeFile(["a", "b", "c"], { ...file, seconds: 1_000 });
      writer.writeFile(["a", "b", Buffer.of(0xff, 0x80)], file);
      expect(lstatSync(join(place.root, "a/b/c"))).toMatchObject({ mtimeMs: 1_000_000 });
      expect(lstatSync(join(place.root, "a/b/c")).mode & 0o777).toBe(0o644);
      place.expectOutsideUntouched();
    });
  });

  test.skipIf(process.platform !== "linux")("a descriptor is not handed on to programs that we start", () => {
    using place = new Place();
    using directory = TrustedDirectory.open(place.root);
    const flags = directory.appending("file", (fd) =>
      /flags:\s*(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8")),
    );
    const closeOnExec = 0o2000000;
    expect(parseInt(flags?.[1] ?? "", 8) & closeOnExec).toBe(closeOnExec);
  });

  describe("a name that is taken", () => {
    test("keeps what it names, and the file its own name", () => {
      using place = new Place();
      using directory = TrustedDirectory.open(place.root);
      directory.writeNew("new", "new");
      directory.writeNew("taken", "old");
      expect(directory.renameUnlessTaken("new", "taken")).toBe(false);
      expect(directory.list().sort()).toEqual(["new", "taken"]);
      expect(directory.read("taken")?.toString()).toBe("old");
      expect(directory.renameUnlessTaken("new", "free")).toBe(true);
      expect(directory.list().sort()).toEqual(["free", "taken"]);
      expect(directory.stat("free")?.nlink).toBe(1);
    });

    test("is no other name: not one with a NUL, a slash or the dots", () => {
      using place = new Place();
      using directory = TrustedDirectory.open(place.root, "a", { create: true });
      directory.writeNew("file", "kept");
      for (const name of ["file\0x", "../a/file", "a/file", "..", ".", ""]) {
        expect(() => directory.remove(name)).toThrow();
        expect(() => directory.read(name)).toThrow();
        expect(() => directory.renameUnlessTaken("file", name)).toThrow();
        expect(() => directory.link("file", name)).toThrow();
      }
      expect(directory.list()).toEqual(["file"]);
      const long = "x".repeat(5_000);
      expect(() => directory.writeNew(long, "")).toThrow("ENAMETOOLONG");
      directory.writeNew("größe ünd mehr", "text");
      expect(directory.read("größe ünd mehr")?.toString()).toBe("text");
      expect(directory.list().sort()).toEqual(["file", "größe ünd mehr"]);
    });
  });
});

test("a file is read whole, also when it is empty or has grown since its size was asked", () => {
  using place = new Place();
  for (const size of [0, 1, 4096, 100_000]) {
    const text = "é".repeat(size / 2) + "x".repeat(size % 2);
    writeTrusted(place.root, "grown", text);
    expect(readTrusted(place.root, "grown")?.toString()).toBe(text);
    const fd = openSync(join(place.root, "grown"), "r");
    expect(readWhole(fd, 0).toString()).toBe(text);
    expect(readWhole(fd, size * 2).toString()).toBe(text);
    closeSync(fd);
  }
});
