// Sorts what another agent handed over: diffs by repository, a branch of the repository itself, and words. Pure. It is a stranger's, so what
// could lead out of the workspace is refused before git is asked.

import { binaryBytes } from "./binary-sizes.ts";
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

const mostUnpacked = 50_000_000;

/**
 * Undefined for a diff that git may be given. What it does to which paths is judged after git has read it (staged-paths.ts); here is
 * refused what would already cost too much: a few bytes can stand for a huge file, and for as many copies of a file as there are lines.
 */
export function complaintAboutDiff(diff: string): string | undefined {
  if (/^copy (?:from|to) /m.test(diff)) return "it copies files by name; a file is handed over whole";
  const bytes = binaryBytes(diff);
  if (bytes === undefined) return "it has a binary file of a size that cannot be read";
  if (bytes > mostUnpacked) return `its binary files would have more than ${mostUnpacked} bytes`;
  return undefined;
}
