// A workspace, its source, its origin and the home on different file systems: nothing can be linked or renamed between them.

import { expect, test } from "bun:test";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemProcesses } from "../process/run.ts";
import { systemGrounds } from "../harvest/landing-repository.ts";
import { printOf, Stage } from "./workspace.suite.ts";

const shared = "/dev/shm";
const isOther = existsSync(shared) && statSync(shared).dev !== statSync(tmpdir()).dev;

// Without a second file system there is nothing to try: systems without /dev/shm, or with the temporary directory on it.
test.skipIf(!isOther)(
  "a workspace is made, removed and brought back on another file system than its source",
  async () => {
    const stage = new Stage();
    const elsewhere = mkdtempSync(join(shared, "constel-test-"));
    try {
      const top = join(elsewhere, "top");
      mkdirSync(top);
      const place = "workspaces/1/repo";
      const wish = {
        source: stage.source,
        root: top,
        place,
        branch: "b",
        fetch: true,
        ports: undefined,
        environment: {},
      };
      const { path } = await stage.workspaces.make(wish);
      expect(lstatSync(path).dev).not.toBe(lstatSync(stage.source).dev);
      expect(stage.tryGit(path, "fsck").code).toBe(0);
      stage.commit(path, { "a.txt": "work\n" });
      stage.write(path, { untracked: "u\n" });
      const before = printOf(stage, path);
      const rescue = await stage.workspaces.remove(stage.removal(place, { root: top }));
      await stage.workspaces.restore({ ...stage.restoring(rescue?.where ?? "", place), root: top });
      expect(printOf(stage, path)).toEqual(before);
      expect(readdirSync(join(top, "workspaces/1"))).toEqual(["repo"]);
    } finally {
      rmSync(elsewhere, { recursive: true, force: true });
      await stage.close();
    }
  },
);

test.skipIf(!isOther)("work lands when the home is on another file system than the repository", async () => {
  const stage = new Stage();
  const elsewhere = mkdtempSync(join(shared, "constel-test-"));
  try {
    const path = await stage.make();
    const options = {
      processes: systemProcesses,
      environment: stage.environment,
      directory: join(elsewhere, "harvest"),
    };
    const wish = { source: join(stage.source, ".git"), origin: stage.origin, target: "main", root: stage.top };
    const ground = await systemGrounds(options).open(wish);
    expect(await ground.fetch()).toBe(stage.git(stage.source, "rev-parse", "main").trim());
    stage.commit(path, { "a.txt": "work\n" });
    const wanted = { task: 1, branch: "constel/constel0/1-work", commit: undefined, workspace: path, kept: undefined };
    expect(await ground.find(wanted)).toMatchObject({ kind: "found", from: "workspace" });
  } finally {
    rmSync(elsewhere, { recursive: true, force: true });
    await stage.close();
  }
});
