import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "./floor.suite.ts";
import { refuseOutsideRoot } from "./guard.ts";

describe("the guard of the root directory", () => {
  const home = "/nowhere/home";

  test("lets verbs that change the constellation run inside it only", () => {
    const root = temporaryDirectory();
    mkdirSync(join(root, "src"));
    mkdirSync(`${root}-other`);
    try {
      expect(refuseOutsideRoot({ home, root, cwd: root }, "up")).toBeUndefined();
      expect(refuseOutsideRoot({ home, root, cwd: join(root, "src") }, "up")).toBeUndefined();
      expect(refuseOutsideRoot({ home, root, cwd: `${root}-other` }, "up")?.code).toBe("root.outside");
      expect(refuseOutsideRoot({ home, root, cwd: "/" }, "task create")?.code).toBe("root.outside");
    } finally {
      rmSync(`${root}-other`, { recursive: true });
    }
  });

  test("knows the same directory by another name", () => {
    const root = temporaryDirectory();
    const link = join(temporaryDirectory(), "link");
    symlinkSync(root, link);
    expect(refuseOutsideRoot({ home, root: link, cwd: root }, "up")).toBeUndefined();
  });

  test("does not stand in home-only mode", () => {
    const both = temporaryDirectory();
    expect(refuseOutsideRoot({ home: both, root: both, cwd: "/" }, "up")).toBeUndefined();
  });
});
