// Reads the names that a Cargo.toml brings: since the edition of 2018 every dependency is one, without a line in the source.

import { parse } from "smol-toml";

type Table = Readonly<Record<string, unknown>>;

/** The crates that a path may begin with. None where an older edition asks for `extern crate`, nor where the file cannot be read. */
export function namedDependencies(text: string): string[] {
  let manifest: Table;
  try {
    manifest = parse(text);
  } catch {
    return [];
  }
  const edition = tableOf(manifest["package"])["edition"];
  // One that the workspace chooses is a table.
  if (edition === undefined || edition === "2015") return [];
  const sections = [manifest, ...Object.values(tableOf(manifest["target"])).map(tableOf)];
  const names = sections.flatMap((section) =>
    ["dependencies", "dev-dependencies", "build-dependencies"].flatMap((kind) => Object.keys(tableOf(section[kind]))),
  );
  return names.map((name) => name.replaceAll("-", "_"));
}

const tableOf = (value: unknown): Table => (typeof value === "object" && value !== null ? (value as Table) : {});
