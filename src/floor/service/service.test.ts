import { describe, expect, test } from "bun:test";
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

test("a home has a name of its own, and the usual one the plain name", () => {
  expect(serviceName({ ...place, home: "/home/you/.constel" })).toBe("constel-watchdog");
  expect(serviceName(place)).toMatch(/^constel-watchdog-[0-9a-f]{8}$/);
});
