import { expect, test } from "bun:test";
import { parseRepositoryConfig } from "./repository-config.ts";

test("gate and patterns are read, and what is of the wrong type is passed over", () => {
  const config = parseRepositoryConfig(
    '[gate]\ncommand = "make test"\ndeadline_seconds = 5\n[findings]\nexclude = ["docs/", 3]\ninclude = "no list"\n',
  );
  expect(config).toMatchObject({ gateCommand: "make test", gateDeadlineMs: 5_000, notes: [] });
  expect(config.patterns).toEqual({ exclude: ["docs/"], include: [] });
});

test("a file that is no TOML means defaults and a note", () => {
  const config = parseRepositoryConfig("[gate\n");
  expect([config.gateCommand, config.notes.length]).toEqual([undefined, 1]);
});
