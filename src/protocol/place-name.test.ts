import { expect, test } from "bun:test";
import { placeName } from "./place-name.ts";

const check = (place: string, name: string): void => {
  test(`${place} is called ${name}`, () => expect(placeName(place)).toBe(name));
};

check("/srv/api", "api");
check("/srv/api/", "api");
check("/srv/api//", "api");
check("/srv/api.git", "api");
check("/srv/api.git/", "api");
check("/srv/api/.git", "api");
check("/srv/api/.git/", "api");
check("/srv/api/.git/worktrees/fix", "api");
check("/srv/.git", "srv");
check("/.git", "/");
check("/", "/");
check("api.git", "api");
check("/srv/.github", ".github");
check("/srv/api.git.git", "api.git");
check("git@host:team/api.git", "api");
check("host:api.git", "api");
check("https://host/team/api", "api");
