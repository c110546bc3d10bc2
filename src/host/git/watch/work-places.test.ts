import { expect, test } from "bun:test";
import type { ChangedFile } from "../../../ports/git.ts";
import { joinPaths } from "../objects/path-text.ts";
import { FollowedPaths } from "./followed-paths.ts";
import { WorkPlaces } from "./work-places.ts";

const changed = (path: string): ChangedFile => ({
  path,
  change: "modified",
  from: undefined,
  before: undefined,
  after: undefined,
});

const files = ["x", "a/1", "a/2", "a/3", "b/1", "b/2", "c/1", "d/1", "e/deep/1"];
const all = new FollowedPaths(joinPaths(files));

test("the directories of a worktree's own work come first, then those of others, then those with most files", () => {
  const places = new WorkPlaces();
  places.differs({ before: "base", after: "ours" }, [changed("d/1")]);
  places.differs({ before: "base", after: "theirs" }, [changed("c/1"), changed("e/deep/1")]);
  places.differs({ before: "base", after: "a third" }, [changed("c/1"), changed("gone/1"), changed("x")]);
  expect(places.first("ours", [], all, 9)).toEqual(["d", "c", "e/deep", "a", "b"]);
  expect(places.first("ours", ["b"], all, 3)).toEqual(["b", "d", "c"]);
  expect(places.first("unknown", [], all, 2)).toEqual(["c", "d"]);
  expect(new WorkPlaces().first("unknown", [], all, 2)).toEqual(["a", "b"]);
});

test("an edit makes its directory one where work happens, and is news; the oldest are forgotten", () => {
  const places = new WorkPlaces();
  const before = places.version;
  places.edited(["c/1"]);
  expect(places.version).not.toBe(before);
  expect(places.first("any", [], all, 1)).toEqual(["c"]);
  for (let at = 0; at < 3_000; at++) places.edited([`other${at}/file`]);
  expect(places.first("any", [], all, 1)).toEqual(["a"]);
});
