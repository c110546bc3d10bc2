import { expect, test } from "bun:test";
import { originName, originPlace } from "./origin.ts";

test("an origin is named by its directory or its remote, never .git", () => {
  const names = {
    "git@host:team/api.git": "api",
    "https://host/team/api": "api",
    "ssh://host/team/api.git/": "api",
    "/srv/api.git": "api",
    "/home/ada/api/.git": "api",
    "/home/ada/api/.git/": "api",
    "host:api": "api",
    "/home/ada/git": "git",
    "/": "/",
  };
  for (const [origin, name] of Object.entries(names)) expect([origin, originName(origin)]).toEqual([origin, name]);
  expect(originPlace("/home/ada/api/.git")).toBe("/home/ada/api");
  expect(originPlace("/srv/api.git")).toBe("/srv/api.git");
});
