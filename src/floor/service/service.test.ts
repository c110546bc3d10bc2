import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { mergeCrontab } from "./crontab.ts";
import { cronLine, launchdPlist, serviceName, type ServicePlace, systemdUnits } from "./units.ts";

const place: ServicePlace = {
  home: `/home/you/50% "odd" $HOME's`,
  root: "/home/you/root & <more>",
  userHome: "/home/you",
  configHome: "/home/you/.config",
  path: "/opt/a b:/usr/bin",
};

describe("a crontab", () => {
  const mark = "# mine, written by constel";
  const check = (before: string, line: string | undefined, after: string): void =>
    expect(mergeCrontab(before, mark, line)).toBe(after);

  test("gets our line at its end, whatever it ends with", () => {
    check("", `a ${mark}`, `a ${mark}\n`);
    check("x\n", `a ${mark}`, `x\na ${mark}\n`);
    check("x", `a ${mark}`, `x\na ${mark}\n`);
  });
  test("has it replaced where it stands, once", () => {
    check(`x\nold ${mark}\ny\nolder ${mark}\n`, `a ${mark}`, `x\na ${mark}\ny\n`);
  });
  test("loses it and nothing else", () => {
    check(`x\r\n\n# y\nold ${mark}\nz`, undefined, "x\r\n\n# y\nz");
    check("x", undefined, "x");
  });
});

test("paths reach the scheduler as they are, whatever signs they hold", () => {
  const [service] = systemdUnits(place);
  expect(service?.content).toContain(String.raw`"--home" "/home/you/50%% \"odd\" $$HOME's" "--root"`);
  expect(service?.content).toContain('Environment="PATH=/opt/a b:/usr/bin"');
  expect(service?.content).toContain("KillMode=process");
  expect(launchdPlist(place).content).toContain("'/home/you/root &amp; &lt;more&gt;'");
  expect(cronLine(place)).toContain(String.raw`'/home/you/50\% "odd" $HOME'\''s'`);
  expect(cronLine(place)).not.toContain("\n");
  expect(() => cronLine({ ...place, root: "/a\nb" })).toThrow("control character");
});

const analyze = Bun.which("systemd-analyze");

test.skipIf(analyze === null)("systemd itself takes the units, whatever signs the paths hold", () => {
  using directory = temporaryDirectory("units");
  for (const name of ["plain", `50% "odd" $HOME's \\ ü`]) {
    const home = join(directory.path, name);
    const units = systemdUnits({ ...place, home, root: home, configHome: directory.path });
    mkdirSync(join(home, "state/bin"), { recursive: true });
    writeFileSync(join(home, "state/bin/constel"), "#!/bin/sh\n", { mode: 0o755 });
    mkdirSync(join(directory.path, "systemd/user"), { recursive: true });
    for (const { path, content } of units) writeFileSync(path, content);
    const run = Bun.spawnSync([analyze ?? "", "--user", "verify", ...units.map(({ path }) => path)], {
      env: { PATH: process.env["PATH"] ?? "", HOME: directory.path, XDG_RUNTIME_DIR: directory.path },
    });
    expect({ name, says: run.stderr.toString() }).toEqual({ name, says: "" });
  }
});

test("what cron and launchd hand to a shell runs, and finds its words as they are", () => {
  using directory = temporaryDirectory("lines");
  const home = join(directory.path, `50% "odd" $HOME's`);
  mkdirSync(join(home, "state/bin"), { recursive: true });
  const program = join(home, "state/bin/constel");
  writeFileSync(program, '#!/bin/sh\nprintf "%s\\n" "$KEY" "$@" > "$0.ran"\n', { mode: 0o755 });
  writeFileSync(join(home, "service.env"), "KEY='for the agents'\n");
  const line = cronLine({ ...place, home, root: home, path: process.env["PATH"] ?? "" });
  // As cron reads it: five fields, then a command in which an escaped percent sign is one.
  const command = line
    .split(" ")
    .slice(5)
    .join(" ")
    .replaceAll(String.raw`\%`, "%");
  expect(Bun.spawnSync(["/bin/sh", "-c", command], { env: {}, cwd: directory.path }).exitCode).toBe(0);
  const words = ["for the agents", "watchdog", "tick", "--existing-home", "--home", home, "--root", home];
  expect(readFileSync(`${program}.ran`, "utf8")).toBe(`${words.join("\n")}\n`);
});

test("a home has a name of its own, and the usual one the plain name", () => {
  expect(serviceName({ ...place, home: "/home/you/.constel" })).toBe("constel-watchdog");
  expect(serviceName(place)).toMatch(/^constel-watchdog-[0-9a-f]{8}$/);
});
