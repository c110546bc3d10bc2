// The pages of the documentation by their names below docs/, from the program itself or from the clone it stands in.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cloneOfSources } from "../../../ports/clone.ts";
import { builtDocs } from "./built-docs.ts";

/** `guides/nights.md` → its text; pictures too, those in bytes as base64 (contentOf). */
export type Pages = ReadonlyMap<string, string>;

export async function allPages(): Promise<Pages> {
  if (builtDocs !== undefined) {
    const packed = await Bun.file(builtDocs).bytes();
    const texts = JSON.parse(new TextDecoder().decode(await Bun.zstdDecompress(packed))) as Record<string, string>;
    return new Map(Object.entries(texts));
  }
  const clone = cloneOfSources();
  return clone === undefined ? new Map() : pagesBelow(join(clone, "docs"));
}

/** @public for the build of the single-file program */
export function pagesBelow(directory: string): Pages {
  if (!existsSync(directory)) return new Map();
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(md|svg|webp)$/.test(name),
  );
  return new Map(
    names.toSorted().map((name) => [name, readFileSync(join(directory, name), isInBytes(name) ? "base64" : "utf8")]),
  );
}

const isInBytes = (name: string): boolean => name.endsWith(".webp");

/** What a file of the site has in it. */
export const contentOf = (name: string, text: string): string | Uint8Array =>
  isInBytes(name) ? Buffer.from(text, "base64") : text;

export const titleOf = (text: string): string => /^# (?:\d+[.:] |\d+ )?(.+)$/m.exec(text)?.[1] ?? "";

/** Sections in the order they are read. */
export const sections = [
  { name: "Guides", holds: (page: string): boolean => page.startsWith("guides/") },
  { name: "Concepts", holds: (page: string): boolean => page.startsWith("concepts/") },
  { name: "Reference", holds: (page: string): boolean => page.startsWith("reference/") },
  {
    name: "For contributors",
    holds: (page: string): boolean => !/^(guides|concepts|reference|decisions)\//.test(page),
  },
  { name: "Decisions", holds: (page: string): boolean => page.startsWith("decisions/") },
] as const;
