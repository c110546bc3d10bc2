// Sorts what another agent handed over: diffs by repository, a branch of the repository itself, and words. Pure. It is a stranger's, so what
// could lead out of the workspace is refused before git is asked.

import { textOf, type TheirArtefact, type TheirPart } from "../../../host/a2a/outward/their-task.ts";

export interface HandedOver {
  readonly diffs: readonly { readonly name: string; readonly diff: string }[];
  readonly branch: string | undefined;
  readonly text: string;
}

const mostDiff = 8_000_000;

export function sortHandedOver(artefacts: readonly TheirArtefact[], says: string): HandedOver {
  const parts = artefacts.flatMap((one) => one.parts);
  const diffs = parts.flatMap((part) => {
    const diff = diffIn(part);
    return diff === undefined ? [] : [{ name: (part.filename ?? "").replace(/\.(diff|patch)$/, ""), diff }];
  });
  const branch = parts.map(branchIn).find((one) => one !== undefined);
  const words = parts.filter((part) => diffIn(part) === undefined && branchIn(part) === undefined);
  return { diffs, branch, text: [says, textOf(words)].filter((text) => text.trim() !== "").join("\n\n") };
}

function diffIn({ text, raw, mediaType = "", filename = "" }: TheirPart): string | undefined {
  const isNamed = /^text\/x-(diff|patch)\b/.test(mediaType) || /\.(diff|patch)$/.test(filename);
  const content = text ?? (isNamed && raw !== undefined ? Buffer.from(raw, "base64").toString("utf8") : undefined);
  if (content === undefined || content.length > mostDiff) return undefined;
  return isNamed || content.startsWith("diff --git ") ? content : undefined;
}

function branchIn({ data }: TheirPart): string | undefined {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return undefined;
  const { branch } = data as { branch?: unknown };
  return typeof branch === "string" && isPlainBranch(branch) ? branch : undefined;
}

const isPlainBranch = (name: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._/-]{0,200}$/.test(name) && !/\.\.|\/\/|\/\.|\.lock$|[./]$/.test(name);

/** Undefined for a diff that may be tried. A link may lead anywhere, and a submodule brings a repository of its own. */
export function complaintAboutDiff(diff: string): string | undefined {
  for (const line of diff.split("\n")) {
    if (/^(?:new file mode|new mode) (?:120000|160000)$/.test(line)) return "it makes a symbolic link or a submodule";
    if (/^index [0-9a-f]+\.\.[0-9a-f]+ (?:120000|160000)$/.test(line))
      return "it changes a symbolic link or a submodule";
    const [, path] = /^(?:\+\+\+|---|rename (?:from|to)|copy (?:from|to)) "?(?:[ab]\/)?(.*?)"?$/.exec(line) ?? [];
    if (path !== undefined && path !== "/dev/null" && leadsOut(path))
      return `it names ${JSON.stringify(path.slice(0, 100))}`;
  }
  return undefined;
}

const leadsOut = (path: string): boolean =>
  path.startsWith("/") || path.split("/").some((part) => part === ".." || /^\.git$/i.test(part));
