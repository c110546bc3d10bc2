// Reads one file of a specification, JSON or YAML, within bounds: size, depth, and how often YAML's aliases and merge keys may repeat.
// Equal keys in one mapping are an error: YAML forbids them, JSON's readers disagree on which one counts, and a merge of two
// branches that add the same path leaves exactly that. Aliases stay shared values, so a file of a few lines cannot unfold into
// gigabytes here; whoever walks the value must not walk a shared part twice.

import { CORE_SCHEMA, load, mergeTag, YAMLException } from "js-yaml";
import { faultIn } from "./scan-json.ts";

export type ReadDocument =
  | { readonly kind: "read"; readonly value: unknown }
  | { readonly kind: "unreadable"; readonly line: number | null; readonly message: string };

/** The largest public specifications have some 12 MB. */
const maximumLength = 32 * 1024 * 1024;
/** Deeper nesting than this is no specification; the functions that walk it call themselves. */
const maximumDepth = 200;
const maximumAliases = 100_000;
const maximumMergedKeys = 200_000;

const schema = CORE_SCHEMA.withTags(mergeTag);

export function readDocument(text: string): ReadDocument {
  if (text.length > maximumLength) return refuse(null, "is larger than 32 MB and was not read");
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const start = body.trimStart();
  if (start === "") return refuse(null, "is empty");
  if (start.startsWith("<")) return refuse(1, "is HTML or XML, not a specification in JSON or YAML");
  return start.startsWith("{") ? readJson(body) : readYaml(body);
}

function readJson(text: string): ReadDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // YAML's flow style begins with a brace too, and allows the comments and commas that people write into JSON.
    return readYaml(text);
  }
  const fault = faultIn(text, value, maximumDepth);
  return fault === undefined ? read(value) : refuse(fault.line, fault.message);
}

function readYaml(text: string): ReadDocument {
  try {
    return read(
      load(text, {
        schema,
        maxDepth: maximumDepth,
        maxAliases: maximumAliases,
        maxTotalMergeKeys: maximumMergedKeys,
      }),
    );
  } catch (error) {
    if (error instanceof YAMLException) return refuse(lineOf(error), plain(error.reason));
    // A stack or an array too large: the file is hostile, and the reader says no more than that.
    if (error instanceof RangeError) return refuse(null, "is nested too deeply to be read");
    throw error;
  }
}

function read(value: unknown): ReadDocument {
  return { kind: "read", value };
}

function refuse(line: number | null, message: string): ReadDocument {
  return { kind: "unreadable", line, message };
}

function lineOf(error: YAMLException): number | null {
  return error.mark === undefined ? null : error.mark.line + 1;
}

function plain(reason: string): string {
  return reason.startsWith("duplicated mapping key")
    ? "has the same key twice in one mapping"
    : `is not YAML: ${reason}`;
}
