// Resolves the names of all loaded files against each other and fills in what the syntax leaves unsaid. What two readers
// could understand differently (a number or a name used twice, a type that is nowhere) is a problem, not a choice.

import { defaultFeatures, inheritFeatures, optionValue } from "./features.ts";
import type { Features } from "./features.ts";
import { linkField } from "./link-field.ts";
import type { LinkedEnum, LinkedField, LinkedFile, LinkedMessage, LinkedProto, TypeReference } from "./linked.ts";
import type { LoadedProto } from "./load.ts";
import type { EnumSyntax, FieldSyntax, FileSyntax, MessageSyntax } from "./syntax.ts";
import { wellKnownKind } from "./well-known.ts";

interface Linking {
  readonly linked: LinkedProto;
  readonly loaded: LoadedProto;
  /** Kinds of all full names of every file. */
  readonly names: ReadonlyMap<string, "message" | "enum" | "service" | "extension">;
  /** True if a type may live in a file that is not there. */
  readonly open: boolean;
}

export function linkProto(loaded: LoadedProto): LinkedProto {
  const files = new Map([...loaded.files].map(([key, file]): [string, LinkedFile] => [key, file]));
  const linked: LinkedProto = {
    files,
    messages: new Map(),
    enums: new Map(),
    extensions: new Map(),
    services: new Map(),
  };
  const linking: Linking = { linked, loaded, names: collectNames(loaded), open: loaded.missing.size > 0 };
  for (const file of files.values()) linkFile(linking, file);
  return linked;
}

/** Full names of everything that a file defines. */
export function* definedNames(
  file: FileSyntax,
): Generator<{ name: string; kind: "message" | "enum" | "service" | "extension"; line: number }> {
  yield* namesIn(file, file.package);
  for (const { name, line } of file.services) yield { name: join(file.package, name), kind: "service", line };
}

function* namesIn(
  scope: Pick<MessageSyntax, "messages" | "enums" | "extensions">,
  prefix: string,
): Generator<{ name: string; kind: "message" | "enum" | "extension"; line: number }> {
  for (const { name, line } of scope.enums) yield { name: join(prefix, name), kind: "enum", line };
  for (const { name, line } of scope.extensions) yield { name: join(prefix, name), kind: "extension", line };
  for (const message of scope.messages) {
    const name = join(prefix, message.name);
    yield { name, kind: "message", line: message.line };
    yield* namesIn(message, name);
  }
}

function collectNames(loaded: LoadedProto): Linking["names"] {
  const names = new Map<string, "message" | "enum" | "service" | "extension">();
  for (const { path, syntax } of loaded.files.values()) {
    for (const { name, kind, line } of definedNames(syntax)) {
      if (names.has(name)) complain(loaded, path, line, `${name} is defined twice.`);
      names.set(name, kind);
    }
  }
  return names;
}

function linkFile(linking: Linking, file: LinkedFile): void {
  const { syntax } = file;
  const features = inheritFeatures(fileFeatures(syntax), syntax.options);
  linkScope(linking, file, syntax, syntax.package, features);
  for (const service of syntax.services) {
    const fullName = join(syntax.package, service.name);
    const methods = new Map(
      service.methods.map((method) => {
        const input = resolve(linking, file, method.input, fullName, method.line);
        const output = resolve(linking, file, method.output, fullName, method.line);
        return [method.name, { syntax: method, input, output }];
      }),
    );
    for (const { name, line } of twice(service.methods, ({ name: key }) => key)) {
      complain(linking.loaded, file.path, line, `${fullName} has two methods named ${name}.`);
    }
    linking.linked.services.set(fullName, { fullName, file, syntax: service, methods });
  }
}

/** Options of proto2 and proto3 that editions replaced by features. */
function fileFeatures(syntax: FileSyntax): Features {
  const features = defaultFeatures(syntax.syntax);
  if (optionValue(syntax.options, "java_string_check_utf8") !== "true") return features;
  return { ...features, "(pb.java).utf8_validation": "VERIFY" };
}

function linkScope(
  linking: Linking,
  file: LinkedFile,
  scope: Pick<MessageSyntax, "messages" | "enums" | "extensions">,
  prefix: string,
  features: Features,
): void {
  for (const syntax of scope.enums) linkEnum(linking, file, syntax, prefix, features);
  for (const field of scope.extensions) {
    const fullName = join(prefix, field.name);
    linking.linked.extensions.set(fullName, { fullName, file, field: linkOne(linking, file, field, prefix, features) });
  }
  for (const message of scope.messages) linkMessage(linking, file, message, prefix, features);
}

function linkMessage(linking: Linking, file: LinkedFile, syntax: MessageSyntax, prefix: string, outer: Features): void {
  const fullName = join(prefix, syntax.name);
  const features = inheritFeatures(outer, syntax.options);
  const inOneof = new Map(syntax.oneofs.map(({ name, options }) => [name, inheritFeatures(features, options)]));
  const fields = new Map(
    syntax.fields.map((field) => {
      const inner = inOneof.get(field.oneof ?? "") ?? features;
      return [field.number, linkOne(linking, file, field, fullName, inner)];
    }),
  );
  for (const { name, number, line } of twice(syntax.fields, ({ number: key }) => key)) {
    complain(linking.loaded, file.path, line, `${fullName}.${name} has number ${number}, which another field has.`);
  }
  for (const { name, line } of twice(syntax.fields, ({ name: key }) => key)) {
    complain(linking.loaded, file.path, line, `${fullName} has two fields named ${name}.`);
  }
  const linked: LinkedMessage = { fullName, file, syntax, fields, features };
  linking.linked.messages.set(fullName, linked);
  linkScope(linking, file, syntax, fullName, features);
}

function linkEnum(linking: Linking, file: LinkedFile, syntax: EnumSyntax, prefix: string, outer: Features): void {
  const fullName = join(prefix, syntax.name);
  for (const { name } of twice(syntax.values, ({ name: key }) => key)) {
    complain(linking.loaded, file.path, syntax.line, `${fullName} has two values named ${name}.`);
  }
  const linked: LinkedEnum = { fullName, file, syntax, features: inheritFeatures(outer, syntax.options) };
  linking.linked.enums.set(fullName, linked);
}

function linkOne(
  linking: Linking,
  file: LinkedFile,
  field: FieldSyntax,
  scope: string,
  features: Features,
): LinkedField {
  const type = resolve(linking, file, field.type, scope, field.line);
  const extendee = field.extendee === null ? null : resolve(linking, file, field.extendee, scope, field.line).name;
  return linkField(field, type, extendee, inheritFeatures(features, field.options), file.syntax.syntax);
}

const scalars = new Set(
  "double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string bytes".split(" "),
);

/** Innermost scope first, as C++ does. */
function resolve(linking: Linking, file: LinkedFile, written: string, scope: string, line: number): TypeReference {
  if (scalars.has(written)) return { kind: "scalar", name: written };
  const absolute = written.startsWith(".");
  const name = absolute ? written.slice(1) : written;
  for (let prefix = absolute ? "" : scope; ; prefix = prefix.slice(0, Math.max(0, prefix.lastIndexOf(".")))) {
    const candidate = join(prefix, name);
    const kind = linking.names.get(candidate) ?? wellKnownKind(candidate);
    if (kind === "message" || kind === "enum") return { kind, name: candidate };
    if (prefix === "") break;
  }
  if (!linking.open) complain(linking.loaded, file.path, line, `The type ${written} is defined nowhere.`);
  return { kind: "unknown", name };
}

function complain({ problems, side }: LoadedProto, path: string, line: number, message: string): void {
  // One broken file can be wrong a hundred thousand times; the first few say it.
  if (problems.length < 100) problems.push({ side, path, line, message });
}

function twice<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): Item[] {
  const seen = new Set<unknown>();
  return items.filter((item) => {
    const key = keyOf(item);
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  });
}

function join(prefix: string, name: string): string {
  return prefix === "" ? name : `${prefix}.${name}`;
}
