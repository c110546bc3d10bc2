import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSettings, locate } from "./settings.ts";
import { rejection } from "../../test/kit/rejection.ts";

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

describe("what stands in the place of config.toml", () => {
  const load = (home: string) => loadSettings({ CONSTEL_HOME: home }, "/");
  const fresh = (name: string): string => {
    const home = join(top, name);
    mkdirSync(home);
    return home;
  };

  test("a named pipe is refused, not waited for", async () => {
    const home = fresh("pipe");
    expect(Bun.spawnSync(["mkfifo", join(home, "config.toml")]).exitCode).toBe(0);
    expect(await rejection(load(home))).toMatchObject({ code: "path.not-a-file" });
  });

  test("a directory is refused", async () => {
    const home = fresh("directory");
    mkdirSync(join(home, "config.toml"));
    expect(await rejection(load(home))).toMatchObject({ code: "path.not-a-file" });
  });

  test("a file of many megabytes is refused unread", async () => {
    const home = fresh("large");
    writeFileSync(join(home, "config.toml"), `# ${"x".repeat(2_000_000)}\n`);
    expect(await rejection(load(home))).toMatchObject({ code: "path.too-large" });
  });

  test("a link to somebody's dotfiles is read", async () => {
    const home = fresh("linked");
    writeFileSync(join(top, "dotfile.toml"), "[http]\nport = 8\n");
    symlinkSync(join(top, "dotfile.toml"), join(home, "config.toml"));
    expect((await load(home)).config["http.port"]).toBe(8);
  });
});
