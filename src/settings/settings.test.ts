import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSettings, locate } from "./settings.ts";

const top = mkdtempSync(join(tmpdir(), "constel-settings-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));
const inner = join(top, "root/deep/er");
mkdirSync(inner, { recursive: true });
writeFileSync(join(top, "root/constel.toml"), "");

describe("where things are", () => {
  test("the home is CONSTEL_HOME, else ~/.constel", () => {
    expect(locate({ CONSTEL_HOME: "/x/y" }, "/").home).toBe("/x/y");
    expect(locate({ CONSTEL_HOME: "", HOME: "/h" }, "/").home).toBe("/h/.constel");
    expect(locate({ CONSTEL_HOME: "rel" }, "/at").home).toBe("/at/rel");
  });

  test("the root is CONSTEL_ROOT, else the nearest parent with constel.toml, else the home", () => {
    expect(locate({ CONSTEL_ROOT: "/r", CONSTEL_HOME: "/h" }, inner)).toMatchObject({ root: "/r", homeOnly: false });
    expect(locate({ CONSTEL_HOME: "/h" }, inner)).toMatchObject({ root: join(top, "root"), homeOnly: false });
    expect(locate({ CONSTEL_HOME: "/h" }, top)).toMatchObject({ root: "/h", homeOnly: true });
  });

  test("flags win over the environment", () => {
    expect(locate({ CONSTEL_HOME: "/h", CONSTEL_ROOT: "/r" }, "/", { home: "/fh", root: "/fr" })).toMatchObject({
      home: "/fh",
      root: "/fr",
    });
  });

  test("the store is meta.db in the home unless a Postgres address is set", async () => {
    expect((await loadSettings({ CONSTEL_HOME: top }, "/")).databaseUrl).toBe(`sqlite:${join(top, "meta.db")}`);
    const settings = await loadSettings({ CONSTEL_HOME: top }, "/", { set: ["store.url=postgres://h/d"] });
    expect(settings.databaseUrl).toBe("postgres://h/d");
    expect(Object.isFrozen(settings)).toBe(true);
  });
});
