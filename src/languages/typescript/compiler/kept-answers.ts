// The compiler's answers, kept from one command to the next: the same trees with the same packages have the same errors. Only a
// whole answer is kept, and only of trees that git has named by their content. Packages are not in the tree, so what is installed
// is part of the name: whoever installs something else gives its directory another time or another inode.

import type { FactsOf } from "../../facts-memory.ts";
import { installedStamp } from "../../installed-stamp.ts";
import type { CompilerAnswer, CompilerRequest, TypeScriptCompiler } from "./typescript-compiler.ts";

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
  const packages = installedStamp(installed);
  if (packages === undefined || !trees.every((id) => isTreeId.test(id))) return undefined;
  const named = JSON.stringify([version, trees, paths, between, request.packagesFrom, packages]);
  return new Bun.CryptoHasher("sha256").update(named).digest("hex");
}
