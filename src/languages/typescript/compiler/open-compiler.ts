// The TypeScript compiler as constel asks any compiler: what the syntax shows and what the types tell, as one answer.

import { existsSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import manifest from "typescript/package.json" with { type: "json" };
import type { FactsOf } from "../../facts-memory.ts";
import type { CompilerCare, LanguageCompiler } from "../../language.ts";
import { Bounded } from "../../../ports/bounded.ts";
import type { TreeView } from "../../../ports/semantic.ts";
import { isOwn } from "../files.ts";
import { surfaceOf } from "../reader/surface.ts";
import { checkTypeScript, type TypeScriptPorts } from "../rules/check-typescript.ts";
import { compilerHere } from "./compiler-check.ts";
import { withKeptAnswers } from "./kept-answers.ts";
import { uncheckedFiles } from "./unchecked-files.ts";
import type { CompilerAnswer } from "./typescript-compiler.ts";

/** The first checkout where packages are installed: at its top, or beside a manifest further down. */
function withPackages(checkouts: readonly string[], merged: TreeView): string | undefined {
  return checkouts.find((checkout) => packageDirectories(checkout, merged).some((directory) => existsSync(directory)));
}

/** Returns the directories in which a checkout of a tree has its packages. */
function packageDirectories(checkout: string, { blobs }: TreeView): string[] {
  const beside = [...blobs.keys()].flatMap((path) =>
    path.endsWith("/package.json") && isOwn(path) ? [dirname(path)] : [],
  );
  return ["", ...beside].map((directory) => join(checkout, directory, "node_modules"));
}

/** One more whenever the same error is told otherwise: answers are kept as they were told. */
const answersVersion = 3;

/** undefined where this program does not carry the compiler. */
export function openCompiler(
  ports: Pick<TypeScriptPorts, "parse" | "cache">,
  care: CompilerCare,
  answers: FactsOf<CompilerAnswer>,
): LanguageCompiler | undefined {
  const compiler = compilerHere(care);
  if (compiler === undefined) return undefined;
  const keeping = withKeptAnswers(compiler, answers, {
    version: `${manifest.version} ${answersVersion}`,
    installedIn: ({ packagesFrom, merged }) =>
      packagesFrom === undefined ? [] : packageDirectories(packagesFrom, merged),
  });
  const surface = rememberedSurface();
  return {
    name: `TypeScript ${manifest.version}`,
    isVisible: (path, before, after) => surface(path, before) !== surface(path, after),
    check: async (input, { checkouts, deadlineMs, betweenMs }) => {
      const packagesFrom = withPackages(checkouts, input.merged);
      const outcome = await checkTypeScript(input, {
        ...ports,
        compiler: keeping,
        compilerDeadlineMs: deadlineMs,
        ...(betweenMs === undefined ? {} : { betweenMs }),
        surfaceOf,
        ...(packagesFrom === undefined ? {} : { packagesFrom }),
      });
      const unchecked = await uncheckedFiles(input);
      if (unchecked.length === 0) return outcome;
      return { ...outcome, complete: false, notes: [...outcome.notes, ...unchecked] };
    },
    get pids() {
      return compiler.pids;
    },
    close: () => compiler.close(),
  };
}

/** In bytes. A file that somebody edits is compared with the same text of the base each time. */
const surfacesBytes = 1_000_000;

function rememberedSurface(): (path: string, text: string) => string {
  const known = new Bounded<string>(surfacesBytes, (surface) => 200 + surface.length);
  return (path, text) => {
    const key = `${extname(path)} ${Bun.CryptoHasher.hash("sha256", text, "base64")}`;
    const surface = known.get(key) ?? surfaceOf(path, text);
    known.set(key, surface);
    return surface;
  };
}
