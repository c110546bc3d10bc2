// The TypeScript compiler as constel asks any compiler: what the syntax shows and what the types tell, as one answer.

import { existsSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import manifest from "typescript6/package.json" with { type: "json" };
import type { CompilerCare, LanguageCompiler } from "../../language.ts";
import { Bounded } from "../../../ports/bounded.ts";
import type { TreeView } from "../../../ports/semantic.ts";
import { isOwn } from "../files.ts";
import { surfaceOf } from "../reader/surface.ts";
import { checkTypeScript, type TypeScriptPorts } from "../rules/check-typescript.ts";
import { compilerHere } from "./compiler-check.ts";

/** The first checkout where packages are installed: at its top, or beside a manifest further down. */
function withPackages(checkouts: readonly string[], { blobs }: TreeView): string | undefined {
  const beside = [...blobs.keys()].flatMap((path) =>
    path.endsWith("/package.json") && isOwn(path) ? [dirname(path)] : [],
  );
  return checkouts.find((checkout) =>
    ["", ...beside].some((directory) => existsSync(join(checkout, directory, "node_modules"))),
  );
}

/** undefined where this program does not carry the compiler. */
export function openCompiler(
  ports: Pick<TypeScriptPorts, "parse" | "cache">,
  care: CompilerCare,
): LanguageCompiler | undefined {
  const compiler = compilerHere(care);
  if (compiler === undefined) return undefined;
  const surface = rememberedSurface();
  return {
    name: `TypeScript ${manifest.version}`,
    isVisible: (path, before, after) => surface(path, before) !== surface(path, after),
    check: (input, { checkouts, deadlineMs, betweenMs }) => {
      const packagesFrom = withPackages(checkouts, input.merged);
      return checkTypeScript(input, {
        ...ports,
        compiler,
        compilerDeadlineMs: deadlineMs,
        ...(betweenMs === undefined ? {} : { betweenMs }),
        surfaceOf,
        ...(packagesFrom === undefined ? {} : { packagesFrom }),
      });
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
