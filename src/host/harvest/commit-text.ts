// Commits as bytes: read, given trailers, written. Messages may be in any encoding, so nothing here decodes them.

import { Outage } from "../../protocol/errors.ts";
import type { WorkGit } from "../workspace/work-git.ts";

export interface Commit {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Buffer;
  readonly encoding: Buffer | undefined;
  readonly message: Buffer;
  readonly subject: string;
}

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Buffer;
  readonly committer: Buffer;
  readonly encoding: Buffer | undefined;
  readonly message: Buffer;
}

export async function readCommits(git: WorkGit, gitDirectory: string, ids: readonly string[]): Promise<Commit[]> {
  const output = Buffer.from(
    await git.bytes({
      args: ["cat-file", "--batch=%(objectsize)"],
      variables: { GIT_DIR: gitDirectory },
      stdin: ids.map((id) => `${id}\n`).join(""),
    }),
  );
  const commits: Commit[] = [];
  let at = 0;
  for (const id of ids) {
    const end = output.indexOf(0x0a, at);
    const size = Number(output.subarray(at, end).toString("latin1"));
    if (!Number.isInteger(size)) throw new Outage("read commit", id, "it is missing");
    commits.push(parseCommit(id, output.subarray(end + 1, end + 1 + size)));
    at = end + 1 + size + 1;
  }
  return commits;
}

export function parseCommit(id: string, raw: Buffer): Commit {
  const cut = raw.indexOf("\n\n");
  const head = raw.subarray(0, cut === -1 ? raw.length : cut).toString("latin1");
  const message = cut === -1 ? Buffer.of() : Buffer.from(raw.subarray(cut + 2));
  const field = (name: string): string[] =>
    head
      .split("\n")
      .filter((line) => line.startsWith(`${name} `))
      .map((line) => line.slice(name.length + 1));
  const encoding = field("encoding")[0];
  return {
    id,
    tree: field("tree")[0] ?? "",
    parents: field("parent"),
    author: Buffer.from(field("author")[0] ?? "", "latin1"),
    encoding: encoding === undefined ? undefined : Buffer.from(encoding, "latin1"),
    message,
    subject: message.toString("utf8").trimStart().split("\n")[0] ?? "",
  };
}

export async function writeCommit(git: WorkGit, gitDirectory: string, commit: NewCommit): Promise<string> {
  const newline = Buffer.from("\n");
  const parts = [
    Buffer.from(`tree ${commit.tree}\n${commit.parents.map((id) => `parent ${id}\n`).join("")}author `),
    commit.author,
    Buffer.from("\ncommitter "),
    commit.committer,
    newline,
    ...(commit.encoding === undefined ? [] : [Buffer.from("encoding "), commit.encoding, newline]),
    newline,
    commit.message,
  ];
  const args = ["hash-object", "-w", "-t", "commit", "--stdin"];
  return git.text({ args, variables: { GIT_DIR: gitDirectory }, stdin: Buffer.concat(parts) });
}

/** Adds trailers to the last paragraph when that is made of trailers, else as a paragraph of their own. Older ones of the same name go, however they are spelt. */
export function withTrailers(message: Buffer, trailers: readonly string[]): Buffer {
  const names = trailers.map((trailer) => trailer.slice(0, trailer.indexOf(":")).toLowerCase());
  const isOlder = (line: string): boolean => names.includes(/^\s*([^:\s]+)\s*:/.exec(line)?.[1]?.toLowerCase() ?? "");
  const text = message
    .toString("latin1")
    .split("\n")
    .filter((line) => !isOlder(line))
    .join("\n")
    .trimEnd();
  const last = text.slice(text.lastIndexOf("\n\n") + 1).trim();
  const isBlock = text.includes("\n\n") && last.split("\n").every((line) => /^[A-Za-z0-9-]+: \S/.test(line));
  return Buffer.from(`${text}${isBlock ? "\n" : "\n\n"}${trailers.join("\n")}\n`, "latin1");
}
