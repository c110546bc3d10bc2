import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FakeClock } from "../ports/fake-clock.ts";
import { Outage, Refusal } from "../protocol/errors.ts";
import { homeDirectories } from "../settings/paths.ts";
import { inProcesses, source, temporaryDirectory, unwritableHome } from "./floor.suite.ts";
import { onboard } from "./onboard.ts";
import { hasMarker } from "./markers/marker-files.ts";
import { markers } from "./markers/markers.ts";

const clock = new FakeClock();

describe("onboarding", () => {
  test("makes home and root directory, private, and says what it did", () => {
    const home = join(temporaryDirectory(), "deep", "home");
    const root = temporaryDirectory();
    const { changed, lines } = onboard({ home, root, clock });
    expect(changed).toBe(true);
    for (const relative of ["", ...homeDirectories]) {
      expect([relative, statSync(join(home, relative)).mode & 0o777]).toEqual([relative, 0o700]);
      expect(lines).toContain(`made ${join(home, relative)}`);
    }
    // An empty one would stand in the way of putting lost keys back.
    expect(readdirSync(home)).not.toContain("keys");
    expect(readdirSync(root).sort()).toEqual(["briefs", "constel.toml", "notes", "workspaces"]);
    expect(Bun.TOML.parse(readFileSync(join(root, "constel.toml"), "utf8"))).toEqual({});
    expect(hasMarker(home, markers.onboarded)).toBe(true);
  });

  test("run again does nothing and says so", () => {
    const home = temporaryDirectory();
    const root = temporaryDirectory();
    onboard({ home, root, clock });
    writeFileSync(join(root, "constel.toml"), "# mine\n");
    expect(onboard({ home, root, clock })).toEqual({ changed: false, lines: ["everything was there already"] });
    expect(readFileSync(join(root, "constel.toml"), "utf8")).toBe("# mine\n");
  });

  test("closes a home that others could look into, and leaves the project's own directories as they are", () => {
    const home = temporaryDirectory();
    const root = temporaryDirectory();
    mkdirSync(join(home, "logs"));
    chmodSync(join(home, "logs"), 0o755);
    mkdirSync(join(root, "notes"));
    chmodSync(join(root, "notes"), 0o755);
    const { lines } = onboard({ home, root, clock });
    expect(lines).toContain(`closed ${join(home, "logs")} to other users`);
    expect(statSync(join(home, "logs")).mode & 0o777).toBe(0o700);
    expect(statSync(join(root, "notes")).mode & 0o777).toBe(0o755);
  });

  test("a root directory that stands keeps what it has, and no second one is made beside it", () => {
    const marked = temporaryDirectory();
    writeFileSync(join(marked, "constel.toml"), "# mine\n");
    onboard({ home: temporaryDirectory(), root: marked, clock });
    expect(readdirSync(marked)).toEqual(["constel.toml"]);
    const noted = temporaryDirectory();
    mkdirSync(join(noted, "notes"));
    onboard({ home: temporaryDirectory(), root: noted, clock });
    expect(readdirSync(noted).sort()).toEqual(["constel.toml", "notes"]);
    // From outside of the root directory the home stands in for it.
    const home = temporaryDirectory();
    onboard({ home, root: temporaryDirectory(), clock });
    const before = readdirSync(home).sort();
    expect(onboard({ home, root: home, clock })).toEqual({ changed: false, lines: ["everything was there already"] });
    expect(readdirSync(home).sort()).toEqual(before);
  });

  test("works with the home as root directory", () => {
    const home = temporaryDirectory();
    onboard({ home, root: home, clock });
    expect(onboard({ home, root: home, clock }).changed).toBe(false);
  });

  test("at once in several processes, all end well and one writes the marker", async () => {
    const home = temporaryDirectory();
    const root = temporaryDirectory();
    const lines = await inProcesses<string[]>(
      3,
      `import { onboard } from ${source("floor/onboard.ts")};
       const place = { home: ${JSON.stringify(home)}, root: ${JSON.stringify(root)}, clock: { nowMs: Date.now } };
       console.log(JSON.stringify(onboard(place).lines));`,
    );
    expect(lines.flat().filter((line) => line.startsWith("marked"))).toHaveLength(1);
    expect(lines.flat().filter((line) => line.startsWith("wrote"))).toHaveLength(1);
  });

  test("refuses a link in place of a directory of the home", () => {
    const home = temporaryDirectory();
    symlinkSync(temporaryDirectory(), join(home, "state"));
    expect(() => onboard({ home, root: temporaryDirectory(), clock })).toThrow(Refusal);
  });

  test("in a home that cannot be written is an outage", () => {
    expect(() => onboard({ home: unwritableHome(), root: temporaryDirectory(), clock })).toThrow(Outage);
  });
});
