// Files under a trusted root, each by its whole path. How the way there is walked is in descend.ts, what is done at its end in
// trusted-directory.ts.

import { sep } from "node:path";
import { Refusal } from "../protocol/errors.ts";
import type { Disk } from "./disk.ts";
import { absentAsUndefined, componentsOf } from "./problems.ts";
import { type OpenOptions, TrustedDirectory } from "./trusted-directory.ts";

/** Writes `root/relative` whole or not at all. */
export function writeTrusted(
  root: string,
  relative: string,
  content: string | Uint8Array,
  options: { readonly disk?: Disk; readonly sync?: boolean } = {},
): void {
  withParent(root, relative, { ...options, create: true }, (parent, name) => parent.write(name, content, options));
}

/** Makes `root/relative` whole, unless it is there already: then false. @public for what is made once */
export function createTrusted(
  root: string,
  relative: string,
  content: string | Uint8Array,
  options: OpenOptions = {},
): boolean {
  return withParent(root, relative, { ...options, create: true }, (parent, name) => parent.create(name, content));
}

export function appendTrusted(
  root: string,
  relative: string,
  content: string,
  options: { readonly sync?: boolean; readonly disk?: Disk } = {},
): void {
  withParent(root, relative, { ...options, create: true }, (parent, name) => parent.append(name, content, options));
}

/** The content, or undefined when the file or a directory on the way does not exist. */
export function readTrusted(root: string, relative: string): Buffer | undefined {
  return absentAsUndefined(() => withParent(root, relative, {}, (parent, name) => parent.read(name)));
}

/** The last bytes of a file, and whether that is all of it; empty when there is none. */
export function readTail(root: string, relative: string, maxBytes: number): { text: string; whole: boolean } {
  const read = (): { text: string; whole: boolean } =>
    withParent(root, relative, {}, (parent, name) => {
      const from = Math.max(0, (parent.stat(name)?.size ?? 0) - maxBytes);
      return { text: parent.readFrom(name, from, maxBytes).toString(), whole: from === 0 };
    });
  return absentAsUndefined(read) ?? { text: "", whole: true };
}

/** True when it was there. */
export function removeTrusted(root: string, relative: string): boolean {
  return absentAsUndefined(() => withParent(root, relative, {}, (parent, name) => parent.remove(name))) ?? false;
}

/** The names in a directory, sorted; none when it does not exist. */
export function listTrusted(root: string, relative: string): string[] {
  const names = absentAsUndefined(() => {
    using directory = TrustedDirectory.open(root, relative);
    return directory.list();
  });
  return (names ?? []).sort();
}

export function makeTrustedDirectory(root: string, relative: string): void {
  TrustedDirectory.open(root, relative, { create: true }).close();
}

function withParent<T>(
  root: string,
  relative: string,
  options: OpenOptions,
  use: (parent: TrustedDirectory, name: string) => T,
): T {
  const parts = componentsOf(root, relative);
  const name = parts.pop();
  if (name === undefined) throw new Refusal("path.outside-root", "a file name is needed", { root, relative });
  using parent = TrustedDirectory.open(root, parts.join(sep), options);
  return use(parent, name);
}
