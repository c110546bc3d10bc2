import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { tomlInDirectory } from "./find-constel-toml.ts";

test("what stands in a directory is told as it is; a directory that is not there has none", () => {
  using top = temporaryDirectory("toml");
  const made = (name: string): string => {
    mkdirSync(join(top.path, name));
    return join(top.path, name);
  };
  expect(tomlInDirectory(join(top.path, "nowhere"))).toEqual({ kind: "missing" });
  const directory = made("empty");
  expect(tomlInDirectory(directory)).toEqual({ kind: "missing" });
  writeFileSync(join(directory, "constel.yml"), "gate: x\n");
  expect(tomlInDirectory(directory)).toEqual({ kind: "misnamed", name: "constel.yml" });
  writeFileSync(join(directory, "constel.toml"), "");
  expect(tomlInDirectory(directory)).toEqual({ kind: "file", bytes: expect.anything() });
  const link = made("link");
  symlinkSync("/nowhere", join(link, "constel.toml"));
  expect(tomlInDirectory(link)).toEqual({ kind: "unfit", what: "a symbolic link" });
  const nested = made("nested");
  mkdirSync(join(nested, "constel.toml"));
  expect(tomlInDirectory(nested).kind).toBe("unfit");
});
