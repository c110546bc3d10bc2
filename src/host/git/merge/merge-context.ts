// Holds what besides the contents decides how two trees merge: attribute files (merge=union, binary, eol), the clone's own attributes, and
// its merge settings. git takes them from the side that merges, so each snapshot names its context, and a private git directory with exactly
// these stands for it. Attributes may name merge drivers; none is configured there, so git falls back to its own merge and runs nothing.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { TreeWriter } from "../../../files/trusted-tree.ts";
import { privateConfig } from "../repository/allowed-settings.ts";
import type { Blobs } from "../objects/blobs.ts";
import type { Git } from "../git.ts";
import { fieldsOf, partsOf, pathFromBytes } from "../objects/path-text.ts";
import { keyOf, type PrivateStore } from "../objects/private-store.ts";

/** Wide enough that no file has such lines of its own. */
export const markerSize = 47;

export interface AttributeFile {
  readonly path: string;
  readonly blob: string;
}

export interface ContextParts {
  readonly files: readonly AttributeFile[];
  /** The text of the clone's info/attributes. */
  readonly cloneAttributes: string;
  readonly settings: ReadonlyMap<string, string>;
  /** The commits where history is cut off. */
  readonly shallow: string;
}

const maxAttributeBytes = 1024 * 1024;

/** Makes the context's directory when it is new, and answers its name. */
export async function makeContext(store: PrivateStore, blobs: Blobs, parts: ContextParts): Promise<string> {
  const settings = new Map([...parts.settings].filter(([name]) => /^(merge|diff)\.|attributesfile/.test(name)));
  const config = privateConfig(settings, store.format);
  const files = [...parts.files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const key = keyOf(JSON.stringify([config, parts.cloneAttributes, parts.shallow, files.map((f) => [f.path, f.blob])]));
  const directory = store.gitDirectory("merge", key);
  if (existsSync(join(directory, "ready"))) return key;
  store.write(join(directory, "config"), config);
  const attributes = `${parts.cloneAttributes}\n* conflict-marker-size=${markerSize}\n`;
  store.write(join(directory, "info", "attributes"), attributes);
  if (parts.shallow !== "") store.write(join(directory, "shallow"), parts.shallow);
  const contents: { path: string; content: Uint8Array }[] = [];
  for (const { path, blob } of files) {
    const content = await blobs.read(blob, maxAttributeBytes);
    if (content !== undefined) contents.push({ path, content });
  }
  store.inDirectoryOf(join(directory, "tree"), (above, name) => {
    above.removeTree(name); // of a time when the directory was not made ready to its end
    using tree = above.child(name, { create: true });
    using writer = new TreeWriter(tree);
    for (const { path, content } of contents) writer.writeFile(partsOf(path), { content, mode: 0o600 });
  });
  store.write(join(directory, "ready"), "");
  return key;
}

export function contextDirectory(store: PrivateStore, key: string): { gitDirectory: string; tree: string } {
  const gitDirectory = store.gitDirectory("merge", key);
  return { gitDirectory, tree: join(gitDirectory, "tree") };
}

/** The attribute files of a private index. Links are left out: git does not follow them either. */
export async function attributeFilesOfIndex(
  git: Git,
  variables: Readonly<Record<string, string>>,
  worktree: string,
): Promise<AttributeFile[]> {
  const args = ["ls-files", "-z", "--stage", "--", ":(glob)**/.gitattributes"];
  return attributeFiles(await git.bytes({ args, variables, cwd: worktree, withPatterns: true }));
}

export async function attributeFilesOfTree(
  git: Git,
  variables: Readonly<Record<string, string>>,
  tree: string,
): Promise<AttributeFile[]> {
  const found = attributeFiles(await git.bytes({ args: ["ls-tree", "-r", "-z", tree], variables }));
  return found.filter((file) => file.path === ".gitattributes" || file.path.endsWith("/.gitattributes"));
}

/** Both listings have the mode first, the path after a tab, and the id as the last word that is one. */
function attributeFiles(listing: Uint8Array): AttributeFile[] {
  const files: AttributeFile[] = [];
  for (const field of fieldsOf(listing)) {
    const tab = field.indexOf(9);
    const words = Buffer.from(field.subarray(0, tab)).toString("latin1").split(" ");
    const blob = words.find((word) => /^[0-9a-f]{40,64}$/.test(word));
    if (blob === undefined || !(words[0] ?? "").startsWith("100")) continue;
    files.push({ path: pathFromBytes(field.subarray(tab + 1)), blob });
  }
  return files;
}
