// Cases written from the documentation before any rule existed, and run for the first time when the rules were done.
// The agreement at that first sight is in docs/decisions/0031-typed-contracts.md.

import type { ContractCase } from "../../contract-case.ts";

const updating = "protobuf.dev, Language Guide (proto3), Updating A Message Type";
const rules = "buf.build/docs/breaking/rules";
const features = "protobuf.dev, Feature Settings for Editions";

export const protobufHeldAside: readonly ContractCase[] = [
  {
    name: "a field is added",
    before: 'syntax = "proto3"; package shop.v1; message Order { string id = 1; }',
    after: 'syntax = "proto3"; package shop.v1; message Order { string id = 1; repeated string tags = 2; }',
    expected: "compatible",
    words: "Adding new fields is safe.",
    source: updating,
  },
  {
    name: "a field changes its number",
    before: 'syntax = "proto3"; message Order { string id = 1; int32 n = 2; }',
    after: 'syntax = "proto3"; message Order { string id = 1; int32 n = 3; }',
    expected: "breaking",
    words: "Changing field numbers for any existing field is not safe.",
    source: updating,
  },
  {
    name: "an enum gains a value",
    before: 'syntax = "proto3"; enum State { STATE_UNSPECIFIED = 0; STATE_OPEN = 1; }',
    after: 'syntax = "proto3"; enum State { STATE_UNSPECIFIED = 0; STATE_OPEN = 1; STATE_SHUT = 2; }',
    expected: "compatible",
    words: "Adding additional values to an enum is safe.",
    source: updating,
  },
  {
    name: "a field moves into a oneof that was there",
    before: 'syntax = "proto3"; message Pay { string note = 1; oneof by { string card = 2; } }',
    after: 'syntax = "proto3"; message Pay { oneof by { string card = 2; string note = 1; } }',
    expected: "breaking",
    words: "Moving fields into an existing `oneof` is not safe.",
    source: updating,
  },
  {
    name: "a field is added to a oneof that was there",
    before: 'syntax = "proto3"; message Pay { oneof by { string card = 2; } }',
    after: 'syntax = "proto3"; message Pay { oneof by { string card = 2; string bank = 3; } }',
    expected: "compatible",
    words: "Adding new fields is safe.",
    source: updating,
  },
  {
    name: "string becomes bytes",
    before: 'syntax = "proto3"; message Order { string id = 1; }',
    after: 'syntax = "proto3"; message Order { bytes id = 1; }',
    expected: "breaking",
    words:
      "Changing the type of a field can affect the type in the generated source code, wire compatibility, and JSON compatibility. (FIELD_SAME_TYPE)",
    source: rules,
  },
  {
    name: "packed is turned off",
    before: 'syntax = "proto3"; message Order { repeated int32 n = 1; }',
    after: 'syntax = "proto3"; message Order { repeated int32 n = 1 [packed = false]; }',
    expected: "compatible",
    words:
      "Protocol buffer parsers must be able to parse repeated fields that were compiled as `packed` as if they were not packed, and vice versa.",
    source: "protobuf.dev, Encoding",
  },
  {
    name: "a field is marked deprecated",
    before: 'syntax = "proto3"; message Order { string id = 1; }',
    after: 'syntax = "proto3"; message Order { string id = 1 [deprecated = true]; }',
    expected: "compatible",
    words:
      "indicates that the field is deprecated and should not be used by new code. In most languages this has no actual effect.",
    source: "protobuf.dev, Language Guide (proto3), Options",
  },
  {
    name: "json_name says what was already so",
    before: 'syntax = "proto3"; message Order { string order_id = 1; }',
    after: 'syntax = "proto3"; message Order { string order_id = 1 [json_name = "orderId"]; }',
    expected: "compatible",
    words: "Keys are serialized as lowerCamelCase of field name.",
    source: "protobuf.dev, ProtoJSON Format",
  },
  {
    name: "a method becomes server streaming",
    before: 'syntax = "proto3"; message A {} service S { rpc Get(A) returns (A); }',
    after: 'syntax = "proto3"; message A {} service S { rpc Get(A) returns (stream A); }',
    expected: "breaking",
    words:
      "These check that RPC signatures do not change. Doing so would break both generated source code and over-the-wire RPC calls.",
    source: rules,
  },
  {
    name: "a reserved range is widened around the old one",
    before: 'syntax = "proto3"; message Order { reserved 3 to 6; string id = 1; }',
    after: 'syntax = "proto3"; message Order { reserved 3 to 9; string id = 1; }',
    expected: "compatible",
    words: "Note that moving from `reserved 3 to 6;` to `reserved 2 to 8;`, for example, would technically be fine",
    source: rules,
  },
  {
    name: "a reserved name is given up",
    before: 'syntax = "proto3"; message Order { reserved "total"; string id = 1; }',
    after: 'syntax = "proto3"; message Order { string id = 1; }',
    expected: "breaking",
    words: "These check that no reserved number range or reserved name is deleted from any enum or message.",
    source: rules,
  },
  {
    name: "an enum's closed type becomes open by feature",
    before: 'edition = "2023"; enum State { option features.enum_type = CLOSED; STATE_UNSPECIFIED = 0; }',
    after: 'edition = "2023"; enum State { STATE_UNSPECIFIED = 0; }',
    expected: "breaking",
    words: "Checks that enums have the same type (open vs closed). (ENUM_SAME_TYPE)",
    source: rules,
  },
  {
    name: "a feature is said at the field instead of the file",
    before: 'edition = "2023"; option features.field_presence = IMPLICIT; message A { int32 n = 1; }',
    after: 'edition = "2023"; message A { int32 n = 1 [features.field_presence = IMPLICIT]; }',
    expected: "compatible",
    words:
      "Lowest-level: Fields, extensions, enum values, extension ranges, and methods are the lowest level at which you can override settings.",
    source: features,
  },
  {
    name: "messages become delimited by feature",
    before: 'edition = "2023"; message A { B b = 1; } message B { int32 n = 1; }',
    after:
      'edition = "2023"; message A { B b = 1 [features.message_encoding = DELIMITED]; } message B { int32 n = 1; }',
    expected: "breaking",
    words: "`DELIMITED`: Message-typed fields are encoded as groups.",
    source: features,
  },
  {
    name: "a required field is added",
    before: 'syntax = "proto2"; message A { optional int32 n = 1; }',
    after: 'syntax = "proto2"; message A { optional int32 n = 1; required int32 m = 2; }',
    expected: "breaking",
    words: "Never add a required field",
    source: "protobuf.dev, Proto Best Practices",
  },
  {
    name: "java_package changes",
    before: 'syntax = "proto3"; option java_package = "com.shop"; message A {}',
    after: 'syntax = "proto3"; option java_package = "com.shop.v1"; message A {}',
    expected: "breaking",
    words: "Changing any of these values results in differences in your generated source code.",
    source: rules,
  },
  {
    name: "a type is named by a longer path to the same message",
    before: 'syntax = "proto3"; package shop.v1; message A { B b = 1; message B { int32 n = 1; } }',
    after: 'syntax = "proto3"; package shop.v1; message A { .shop.v1.A.B b = 1; message B { int32 n = 1; } }',
    expected: "compatible",
    words: "A leading '.' (for example, `.foo.bar.Baz`) means to start from the outermost scope instead.",
    source: "protobuf.dev, Language Guide (proto3), Packages and Name Resolution",
  },
  {
    name: "an alias is added to an enum value",
    before: 'syntax = "proto3"; enum E { E_UNSPECIFIED = 0; E_RUN = 1; }',
    after: 'syntax = "proto3"; enum E { option allow_alias = true; E_UNSPECIFIED = 0; E_RUN = 1; E_RUNNING = 1; }',
    expected: "compatible",
    words:
      "this verifies that the set of names in the current definition covers the set of names in the previous definition (ENUM_VALUE_SAME_NAME)",
    source: rules,
  },
  {
    name: "a map's value type changes",
    before: 'syntax = "proto3"; message A { map<string, int32> n = 1; }',
    after: 'syntax = "proto3"; message A { map<string, string> n = 1; }',
    expected: "breaking",
    words: "This checks that a field has the same type.",
    source: rules,
  },
  {
    name: "definitions and comments move about in one file",
    before: 'syntax = "proto3"; message A { int32 n = 1; string s = 2; } enum E { E_UNSPECIFIED = 0; }',
    after:
      'syntax = "proto3";\n// The state.\nenum E { E_UNSPECIFIED = 0; }\n/* A */ message A { string s = 2; int32 n = 1; }',
    expected: "compatible",
    words: "The order of fields in the file has no effect on how the proto is serialized",
    source: "protobuf.dev, Encoding",
  },
  {
    name: "an extension range is taken away",
    before: 'syntax = "proto2"; message A { extensions 100 to 199; extensions 300; }',
    after: 'syntax = "proto2"; message A { extensions 100 to 199; }',
    expected: "breaking",
    words: "This checks that no extension range is deleted from any message.",
    source: rules,
  },
  {
    name: "a proto3 field gets the optional label",
    before: 'syntax = "proto3"; message A { int32 n = 1; }',
    after: 'syntax = "proto3"; message A { optional int32 n = 1; }',
    expected: "breaking",
    words: "Checks that fields have the same cardinalities in a given message. (FIELD_SAME_CARDINALITY)",
    source: rules,
  },
  {
    name: "a service gains a method and its messages",
    before: 'syntax = "proto3"; message A {} service S { rpc Get(A) returns (A); }',
    after:
      'syntax = "proto3"; message A {} message B {} service S { rpc Get(A) returns (A); rpc List(B) returns (stream A); }',
    expected: "compatible",
    words: "This checks that no RPC is deleted from a service.",
    source: rules,
  },
];
