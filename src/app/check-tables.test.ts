import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../test/kit/directory.ts";
import { loadSettings } from "../settings/settings.ts";
import { settingsComplaint } from "./check-tables.ts";

test("a table that its user would refuse is named, whichever setting it is in", async () => {
  using home = temporaryDirectory("tables");
  const complaint = async (text: string): Promise<string | undefined> => {
    writeFileSync(join(home.path, "config.toml"), text);
    return settingsComplaint(await loadSettings({}, "/", { home: home.path }));
  };
  expect(await complaint("")).toBeUndefined();
  expect(await complaint('[[permissions.rules]]\ndecision = "allow"\ncommand = "bun test"\n')).toBeUndefined();
  expect(await complaint('[[permissions.rules]]\ndecision = "alow"\ncommand = "x"\n')).toContain("config.toml:2");
  expect(await complaint('[[page.rules]]\nkind = "redy"\n')).toContain("page.rules, table 1");
  expect(await complaint('[[usage.prices]]\nmodel = "m"\ninput = "1"\n')).toContain("usage.prices, table 1");
  expect(await complaint('[[a2a.remotes]]\nname = "theirs"\nurl = "ftp://x"\n')).toContain("a2a.remotes, table 1");
  expect(await complaint('[[escalate.channels]]\ntype = "pigeon"\n')).toContain("escalate.channels, table 1");
});
