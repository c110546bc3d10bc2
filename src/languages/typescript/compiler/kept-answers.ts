// The compiler's answers, kept from one command to the next: the same trees with the same packages have the same errors. Only a
// whole answer is kept, and only of trees that git has named by their content. Packages are not in the tree, so what is installed
// is part of the name: whoever installs something else gives its directory another time or another inode.

import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { FactsOf } from "../../facts-memory.ts";
import type { CompilerAnswer, CompilerRequest, TypeScriptCompiler } from "./typescript-compiler.ts";

/** More packages than this are not looked over for one answer; then it is not kept. */
const mostPackages = 5_000;

export function withKeptAnswers<Compiler extends TypeScriptCompiler>(
  compiler: Compiler,
  kept: FactsOf<CompilerAnswer>,
  wish: { readonly version: string; readonly installedIn: (request: CompilerRequest) => readonly string[] },
): TypeScriptCompiler {
  return {
    compare: async (request) => {
      const key = keyOf(request, wish.version, wish.installedIn(request));
      const known = key === undefined ? undefined : kept.get(key);
      if (known !== undefined) return known;
      const answer = await compiler.compare(request);
      if (key !== undefined && isWhole(answer)) kept.set(key, answer);
      return answer;
    },
  };
}

const isWhole = ({ complete, note, unasked = [], missingPackages = [] }: CompilerAnswer): boolean =>
  complete && note === undefined && unasked.length === 0 && missingPackages.length === 0;

const isTreeId = /^[0-9a-f]{40}(?:[0-9a-f]{24})?(?:\+[0-9a-f]{40})?$/;

function keyOf(request: CompilerRequest, version: string, installed: readonly string[]): string | undefined {
  const { ours, theirs, merged, paths, between } = request;
  const trees = [ours.id, theirs.id, merged.id];
  const packages = stampOf(installed);
  if (packages === undefined || !trees.every((id) => isTreeId.test(id))) return undefined;
  const named = JSON.stringify([version, trees, paths, between, request.packagesFrom, packages]);
  return new Bun.CryptoHasher("sha256").update(named).digest("hex");
}

/** What is installed in these directories, as far as their entries tell; undefined when they are too many. */
function stampOf(directories: readonly string[]): string | undefined {
  const said: string[] = [];
  for (const directory of directories) {
    for (const name of namesIn(directory)) {
      const scoped = name.startsWith("@") ? namesIn(join(directory, name)).map((one) => join(name, one)) : [];
      for (const one of [name, ...scoped]) said.push(entryStamp(join(directory, one)));
      if (said.length > mostPackages) return undefined;
    }
  }
  return new Bun.CryptoHasher("sha256").update(said.join("\n")).digest("hex");
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return []; // not there, or not a directory: nothing is installed in it
  }
}

function entryStamp(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? path : `${path} ${stat.ino} ${stat.mtimeNs} ${stat.size}`;
}
