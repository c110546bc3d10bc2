// The owner's compilers for one repository: where they work, and whether the repository's build code may run. Leave is given by the
// path of a checkout. A repository's identity comes from its remote, which any process that works there can change.

import { realpathSync } from "node:fs";
import type { TrustedPlace } from "../files/trusted-place.ts";
import { identityHash } from "../host/git/repository/identity.ts";
import { type OpenToolchains, openToolchains } from "../host/toolchains/open-toolchains.ts";
import type { CompilerCare } from "../languages/language.ts";
import type { RepositoryObserver } from "../ports/git.ts";
import type { Processes } from "../ports/machine.ts";
import type { CompilerWish } from "../protocol/compilers.ts";

export interface ToolchainsWish {
  readonly observer: RepositoryObserver;
  readonly processes: Processes;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string | TrustedPlace;
  readonly compilers: CompilerWish;
  readonly checkouts: () => readonly string[];
}

/** For a compiler that this program carries, which serves one command. */
export function careOf(compilers: CompilerWish | undefined): CompilerCare {
  return compilers === undefined ? {} : { memoryBytes: compilers.memoryBytes };
}

export function repositoryToolchains(wish: ToolchainsWish): OpenToolchains {
  const { observer, compilers, checkouts } = wish;
  return openToolchains({
    observer,
    processes: wish.processes,
    environment: wish.environment,
    directory: wish.directory,
    name: `compilers-${identityHash(observer.identity)}`,
    checkouts,
    kept: compilers.kept,
    rules: () => ({
      off: compilers.off,
      memoryBytes: compilers.memoryBytes,
      mayRunBuildCode: isNamed(compilers.buildCode, checkouts()),
    }),
  });
}

function isNamed(named: readonly string[], checkouts: readonly string[]): boolean {
  const there = new Set(checkouts.map(real));
  return named.some((path) => there.has(real(path)));
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // not there: it names nothing
  }
}
