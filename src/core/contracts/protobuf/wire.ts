// Says what a change of type does to bytes and JSON (protobuf.dev, "Updating A Message Type", and the ProtoJSON table). The verdict does not
// depend on it, since generated code changes anyway; the sentence does.

import type { LinkedField } from "./linked.ts";

const wireFamilies = [
  ["int32", "uint32", "int64", "uint64", "bool", "enum"],
  ["sint32", "sint64"],
  ["fixed32", "sfixed32"],
  ["fixed64", "sfixed64"],
  ["string", "bytes"],
  ["bytes", "message"],
] as const;

const jsonFamilies = [
  ["int32", "uint32", "sint32", "fixed32", "sfixed32"],
  ["int64", "uint64", "sint64", "fixed64", "sfixed64"],
  ["float", "double"],
] as const;

export function typeName({ type, mapKey, delimited }: LinkedField): string {
  if (mapKey !== null) return `map<${mapKey}, ${type.name}>`;
  return delimited ? `group ${type.name}` : type.name;
}

export function typeChangeEffect(old: LinkedField, young: LinkedField): string {
  if (old.mapKey !== null || young.mapKey !== null)
    return "generated code no longer fits, and entries are read wrongly";
  const [was, is] = [family(old), family(young)];
  if (was === is && was !== "scalar") return `generated code no longer fits, and bytes are read as another ${was}`;
  const wire = together(wireFamilies, was, is);
  const json = together(jsonFamilies, was, is);
  if (wire && json)
    return "generated code no longer fits, though bytes and JSON are read (values that do not fit are cut)";
  if (wire)
    return "generated code no longer fits and JSON differs, though bytes are read (values that do not fit are cut)";
  return "old and new no longer read each other's bytes";
}

function family({ type, delimited }: LinkedField): string {
  if (delimited) return "group";
  return type.kind === "scalar" ? type.name : type.kind;
}

function together(families: readonly (readonly string[])[], was: string, is: string): boolean {
  return families.some((members) => members.includes(was) && members.includes(is));
}
