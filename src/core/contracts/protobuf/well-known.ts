// The types that come with every protocol buffer compiler. Their files are never read from a repository; their names are
// needed so that fields of those types resolve.

const byFile: Readonly<Record<string, string>> = {
  any: "Any",
  api: "Api Method Mixin",
  duration: "Duration",
  empty: "Empty",
  field_mask: "FieldMask",
  source_context: "SourceContext",
  struct: "Struct Value ListValue NullValue",
  timestamp: "Timestamp",
  type: "Type Field Enum EnumValue Option Syntax",
  wrappers: "DoubleValue FloatValue Int64Value UInt64Value Int32Value UInt32Value BoolValue StringValue BytesValue",
  descriptor:
    "FileDescriptorSet FileDescriptorProto DescriptorProto ExtensionRangeOptions FieldDescriptorProto OneofDescriptorProto " +
    "EnumDescriptorProto EnumValueDescriptorProto ServiceDescriptorProto MethodDescriptorProto FileOptions MessageOptions " +
    "FieldOptions OneofOptions EnumOptions EnumValueOptions ServiceOptions MethodOptions UninterpretedOption FeatureSet " +
    "FeatureSetDefaults SourceCodeInfo GeneratedCodeInfo Edition SymbolVisibility",
  cpp_features: "",
  java_features: "",
  go_features: "",
};

const enums = new Set(["google.protobuf.NullValue", "google.protobuf.Syntax", "google.protobuf.Edition"]);
const types = new Set(
  Object.values(byFile).flatMap((names) =>
    names
      .split(" ")
      .filter((name) => name !== "")
      .map((name) => `google.protobuf.${name}`),
  ),
);

export function isWellKnownFile(path: string): boolean {
  const name = /^google\/protobuf\/(?:compiler\/)?([a-z_]+)\.proto$/.exec(path)?.[1];
  return name !== undefined && (Object.hasOwn(byFile, name) || path === "google/protobuf/compiler/plugin.proto");
}

/** Types nested in those count too: `google.protobuf.FieldDescriptorProto.Type`. */
export function wellKnownKind(fullName: string): "message" | "enum" | undefined {
  if (enums.has(fullName)) return "enum";
  if (types.has(fullName)) return "message";
  if (
    /^google\.protobuf\.(?:FieldDescriptorProto\.(?:Type|Label)|FileOptions\.OptimizeMode|FieldOptions\.\w+)$/.test(
      fullName,
    )
  ) {
    return "enum";
  }
  const outer = fullName.split(".").slice(0, 3).join(".");
  return fullName !== outer && types.has(outer) ? "message" : undefined;
}
