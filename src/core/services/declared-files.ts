// Finds the files of a repository that declare services, and reads what they say together.

import { posix } from "node:path";
import { readInBudget } from "../../ports/budget.ts";
import { readBackstage } from "./read-backstage.ts";
import { readCompose } from "./read-compose.ts";
import { readServicesYaml } from "./read-services-yaml.ts";
import type { Declarations } from "./service.ts";

/** A file that declares services: anywhere for a catalogue, at the top for the others. */
export function declaresServices(path: string): boolean {
  return readerOf(path) !== undefined;
}

/** More such files than these are not read; the nearest to the top first. */
export const mostDeclaring = 2_000;

export interface DeclaringFile {
  readonly path: string;
  /** undefined where the file cannot be read as text. */
  readonly text: string | undefined;
}

export function readDeclarations(files: readonly DeclaringFile[]): Declarations {
  const read = files.map(({ path, text }): Declarations => {
    if (text === undefined) return problem(path, "is too large, or is not text");
    const read = (): Declarations => readerOf(path)?.(path, text) ?? noDeclarations;
    return readInBudget({ path, text }, read, (why) => problem(path, `was not read: ${why}`));
  });
  return {
    services: read.flatMap(({ services }) => services),
    apis: read.flatMap(({ apis }) => apis),
    problems: read.flatMap(({ problems }) => problems),
  };
}

function readerOf(path: string): ((path: string, text: string) => Declarations) | undefined {
  const name = posix.basename(path);
  if (/^catalog-info\.ya?ml$/.test(name)) return readBackstage;
  if (path !== name) return undefined;
  if (/^services\.ya?ml$/.test(name)) return readServicesYaml;
  return /^(docker-)?compose\.ya?ml$/.test(name) ? readCompose : undefined;
}

export const noDeclarations: Declarations = { services: [], apis: [], problems: [] };

function problem(path: string, message: string): Declarations {
  return { services: [], apis: [], problems: [{ path, line: null, message }] };
}
