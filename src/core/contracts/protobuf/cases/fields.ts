// Fields: numbers, types, names, cardinality, oneofs, defaults and what generated code makes of them.

import type { ContractCase } from "../../contract-case.ts";

const updating = "protobuf.dev, Language Guide (proto3), Updating A Message Type";
const rules = "buf.build/docs/breaking/rules";
const features = "protobuf.dev, Feature Settings for Editions";
const sameType =
  "This checks that a field has the same type. Changing the type of a field can affect the type in the generated source code, wire compatibility, and JSON compatibility. (FIELD_SAME_TYPE)";
const sameOneof =
  "This checks that no field moves into or out of a oneof, or changes the oneof it is a part of. (FIELD_SAME_ONEOF)";
const sameCardinality = "Checks that fields have the same cardinalities in a given message. (FIELD_SAME_CARDINALITY)";
const sameDefault = "Checks that fields have the same default value, if a default is specified. (FIELD_SAME_DEFAULT)";
const noDelete =
  "Deleting an enum value or message field results in the corresponding value or field being deleted from the generated source code, which could be referenced. (FIELD_NO_DELETE)";

const proto2 = (body: string): string => `syntax = "proto2"; package t; message A { ${body} }`;
const proto3 = (body: string): string => `syntax = "proto3"; package t; message A { ${body} }`;
const edition = (body: string): string => `edition = "2023"; package t; message A { ${body} }`;

function typeChange(before: string, after: string): ContractCase {
  return {
    name: `a field changes from ${before} to ${after}`,
    before: proto3(`${before} n = 1;`),
    after: proto3(`${after} n = 1;`),
    expected: "breaking",
    words: sameType,
    source: rules,
  };
}

export const protobufFieldCases: readonly ContractCase[] = [
  typeChange("int32", "int64"),
  typeChange("uint32", "bool"),
  typeChange("sint32", "int32"),
  typeChange("fixed32", "sfixed32"),
  typeChange("string", "int32"),
  typeChange("float", "double"),
  {
    name: "an enum field becomes an int32",
    before: 'syntax = "proto3"; enum E { E_NONE = 0; } message A { E e = 1; }',
    after: 'syntax = "proto3"; enum E { E_NONE = 0; } message A { int32 e = 1; }',
    expected: "breaking",
    words: sameType,
    source: rules,
  },
  {
    name: "a field has another message type of the same shape",
    before: proto3("B b = 1; message B { int32 n = 1; } message C { int32 n = 1; }"),
    after: proto3("C b = 1; message B { int32 n = 1; } message C { int32 n = 1; }"),
    expected: "breaking",
    words: sameType,
    source: rules,
  },
  {
    name: "a group becomes a message field of the same type",
    before: proto2("optional group G = 1 { optional int32 n = 1; }"),
    after: proto2("optional G g = 1; message G { optional int32 n = 1; }"),
    expected: "breaking",
    words: "`DELIMITED`: Message-typed fields are encoded as groups.",
    source: features,
  },
  {
    name: "a map's key type changes",
    before: proto3("map<string, int32> m = 1;"),
    after: proto3("map<int32, int32> m = 1;"),
    expected: "breaking",
    words: sameType,
    source: rules,
  },
  {
    name: "a map becomes the repeated entries that it stands for",
    before: proto3("map<string, int32> m = 1;"),
    after: proto3("repeated MEntry m = 1; message MEntry { string key = 1; int32 value = 2; }"),
    expected: "breaking",
    words: sameCardinality,
    source: rules,
  },
  {
    name: "a field is deleted and nothing reserved",
    before: proto3("int32 n = 1; int32 m = 2;"),
    after: proto3("int32 n = 1;"),
    expected: "breaking",
    words: noDelete,
    source: rules,
  },
  {
    name: "a field is deleted, its number and name reserved",
    before: proto3("int32 n = 1; int32 m = 2;"),
    after: proto3('reserved 2; reserved "m"; int32 n = 1;'),
    expected: "breaking",
    words: noDelete,
    source: rules,
  },
  {
    name: "a field is renamed",
    before: proto3("int32 n = 1;"),
    after: proto3("int32 count = 1;"),
    expected: "breaking",
    words:
      "This affects generated source code, but also affects JSON compatibility as JSON uses field names for serialization. (FIELD_SAME_NAME)",
    source: rules,
  },
  {
    name: "a field is renamed and keeps its JSON name",
    before: proto3("int32 old_name = 1;"),
    after: proto3('int32 new_name = 1 [json_name = "oldName"];'),
    expected: "breaking",
    words: "This checks that the field name for a given field number does not change. (FIELD_SAME_NAME)",
    source: rules,
  },
  {
    name: "a field's json_name changes",
    before: proto3('int32 n = 1 [json_name = "one"];'),
    after: proto3('int32 n = 1 [json_name = "two"];'),
    expected: "breaking",
    words: "This checks that the `json_name` field option does not change, which would break JSON compatibility.",
    source: rules,
  },
  {
    name: "a json_name other than the default is taken away",
    before: proto3('int32 my_field = 1 [json_name = "my_field"];'),
    after: proto3("int32 my_field = 1;"),
    expected: "breaking",
    words: "This checks that the `json_name` field option does not change, which would break JSON compatibility.",
    source: rules,
  },
  {
    name: "two fields swap their numbers",
    before: proto3("int32 n = 1; int32 m = 2;"),
    after: proto3("int32 n = 2; int32 m = 1;"),
    expected: "breaking",
    words: "Changing field numbers for any existing field is not safe.",
    source: updating,
  },
  {
    name: "a field's number is reused for something else",
    before: proto3("int32 n = 1;"),
    after: proto3("string title = 1;"),
    expected: "breaking",
    words: "Never re-use a tag number. It messes up deserialization.",
    source: "protobuf.dev, Proto Best Practices",
  },
  {
    name: "a single field becomes repeated",
    before: proto3("string s = 1;"),
    after: proto3("repeated string s = 1;"),
    expected: "breaking",
    words: sameCardinality,
    source: rules,
  },
  {
    name: "a repeated message becomes single",
    before: proto3("repeated A a = 1;"),
    after: proto3("A a = 1;"),
    expected: "breaking",
    words: sameCardinality,
    source: rules,
  },
  {
    name: "an optional field becomes required",
    before: proto2("optional int32 n = 1;"),
    after: proto2("required int32 n = 1;"),
    expected: "breaking",
    words: "Existing `required` fields should be treated as permanent, immutable elements of the message definition.",
    source: "protobuf.dev, Language Guide (proto2)",
  },
  {
    name: "a required field becomes optional",
    before: proto2("required int32 n = 1;"),
    after: proto2("optional int32 n = 1;"),
    expected: "breaking",
    words: "Checks that messages have no added or deleted required fields. (MESSAGE_SAME_REQUIRED_FIELDS)",
    source: rules,
  },
  {
    name: "a required field is deleted and reserved",
    before: proto2("required int32 n = 1;"),
    after: proto2('reserved 1; reserved "n";'),
    expected: "breaking",
    words: "Checks that messages have no added or deleted required fields. (MESSAGE_SAME_REQUIRED_FIELDS)",
    source: rules,
  },
  {
    name: "a message field of proto3 gets the label optional",
    before: proto3("A a = 1;"),
    after: proto3("optional A a = 1;"),
    expected: "compatible",
    words: "Singular message | No | ✔️; Singular message | Yes | ✔️ (the column says whether the field is `optional`)",
    source: "protobuf.dev, Application Note: Field Presence",
  },
  {
    name: "a field loses presence by feature",
    before: edition("int32 n = 1;"),
    after: edition("int32 n = 1 [features.field_presence = IMPLICIT];"),
    expected: "breaking",
    words: "`IMPLICIT`: The field has no presence tracking. The default value is not serialized onto the wire",
    source: features,
  },
  {
    name: "a field becomes required by feature",
    before: edition("int32 n = 1;"),
    after: edition("int32 n = 1 [features.field_presence = LEGACY_REQUIRED];"),
    expected: "breaking",
    words: "Checks that messages have no added or deleted required fields. (MESSAGE_SAME_REQUIRED_FIELDS)",
    source: rules,
  },
  {
    name: "a field moves into a new oneof",
    before: proto3("optional string a = 1;"),
    after: proto3("oneof x { string a = 1; }"),
    expected: "breaking",
    words: sameOneof,
    source: rules,
  },
  {
    name: "a field moves out of a oneof that stays",
    before: proto3("oneof x { string a = 1; string b = 2; }"),
    after: proto3("oneof x { string a = 1; } string b = 2;"),
    expected: "breaking",
    words: sameOneof,
    source: rules,
  },
  {
    name: "a field moves from one oneof to another",
    before: proto3("oneof x { string a = 1; string c = 3; } oneof y { string b = 2; }"),
    after: proto3("oneof x { string a = 1; } oneof y { string b = 2; string c = 3; }"),
    expected: "breaking",
    words: sameOneof,
    source: rules,
  },
  {
    name: "a oneof is renamed",
    before: proto3("oneof x { string a = 1; }"),
    after: proto3("oneof y { string a = 1; }"),
    expected: "breaking",
    words:
      "This checks that no oneof is deleted from a message. Various languages generate types for oneofs, which should no longer be present if deleted.",
    source: rules,
  },
  {
    name: "a oneof of new fields is added",
    before: proto3("string a = 1;"),
    after: proto3("string a = 1; oneof x { string b = 2; string c = 3; }"),
    expected: "compatible",
    words: "Adding new fields is safe.",
    source: updating,
  },
  {
    name: "a oneof's fields are in another order",
    before: proto3("oneof x { string a = 1; string b = 2; }"),
    after: proto3("oneof x { string b = 2; string a = 1; }"),
    expected: "compatible",
    words: "The order of fields in the file has no effect on how the proto is serialized",
    source: "protobuf.dev, Encoding",
  },
  {
    name: "a default changes",
    before: proto2("optional int32 n = 1 [default = 1];"),
    after: proto2("optional int32 n = 1 [default = 2];"),
    expected: "breaking",
    words: sameDefault,
    source: rules,
  },
  {
    name: "a default is added that differs from zero",
    before: proto2('optional string s = 1; optional string t = 2 [default = "t"];'),
    after: proto2('optional string s = 1 [default = "s"]; optional string t = 2 [default = "t"];'),
    expected: "breaking",
    words: sameDefault,
    source: rules,
  },
  {
    name: "the default that held anyway is written out",
    before: proto2("optional int32 n = 1; optional bool b = 2; optional string s = 3;"),
    after: proto2(
      'optional int32 n = 1 [default = 0]; optional bool b = 2 [default = false]; optional string s = 3 [default = ""];',
    ),
    expected: "compatible",
    words:
      "For strings, the default value is the empty string. […] For bools, the default value is false. […] For numeric types, the default value is zero.",
    source: "protobuf.dev, Language Guide (proto2)",
  },
  {
    name: "a default is written in another base",
    before: proto2("optional int64 n = 1 [default = 255]; optional double d = 2 [default = 1.50];"),
    after: proto2("optional int64 n = 1 [default = 0xFF]; optional double d = 2 [default = 1.5];"),
    expected: "compatible",
    words: sameDefault,
    source: rules,
  },
  {
    name: "a closed enum's first value, which is the default of a field, changes",
    before: 'syntax = "proto2"; enum E { ONE = 1; TWO = 2; } message A { optional E e = 1; }',
    after: 'syntax = "proto2"; enum E { TWO = 2; ONE = 1; } message A { optional E e = 1; }',
    expected: "breaking",
    words: "For enums, the default value is the **first defined enum value**",
    source: "protobuf.dev, Language Guide (proto2)",
  },
  {
    name: "jstype changes",
    before: proto3("int64 n = 1;"),
    after: proto3("int64 n = 1 [jstype = JS_STRING];"),
    expected: "breaking",
    words:
      "This checks that a given field has the same value for the jstype option. This affects JavaScript generated code.",
    source: rules,
  },
  {
    name: "jstype says what held anyway",
    before: proto3("int64 n = 1;"),
    after: proto3("int64 n = 1 [jstype = JS_NORMAL];"),
    expected: "compatible",
    words: "This checks that a given field has the same value for the jstype option.",
    source: rules,
  },
  {
    name: "ctype changes",
    before: proto2("optional string s = 1;"),
    after: proto2("optional string s = 1 [ctype = CORD];"),
    expected: "breaking",
    words:
      "Checks that fields have the same C++ string type, based on ctype field option or (pb.cpp).string_type feature.",
    source: rules,
  },
  {
    name: "UTF-8 validation is turned off by feature",
    before: edition("string s = 1;"),
    after: edition("string s = 1 [features.utf8_validation = NONE];"),
    expected: "breaking",
    words: "Checks that string fields have the same UTF8 validation mode. (FIELD_SAME_UTF8_VALIDATION)",
    source: rules,
  },
  {
    name: "a feature for strings is set on a number",
    before: edition("int32 n = 1;"),
    after: `edition = "2023"; package t; option features.utf8_validation = NONE; message A { int32 n = 1; }`,
    expected: "compatible",
    words: "This feature sets how strings are validated.",
    source: features,
  },
  {
    name: "repeated numbers are expanded by feature",
    before: edition("repeated int32 n = 1;"),
    after: edition("repeated int32 n = 1 [features.repeated_field_encoding = EXPANDED];"),
    expected: "compatible",
    words:
      "Protocol buffer parsers must be able to parse repeated fields that were compiled as `packed` as if they were not packed, and vice versa.",
    source: "protobuf.dev, Encoding",
  },
  {
    name: "packed is added in proto2",
    before: proto2("repeated int32 n = 1;"),
    after: proto2("repeated int32 n = 1 [packed = true];"),
    expected: "compatible",
    words: "This permits adding `[packed=true]` to existing fields in a forward- and backward-compatible way.",
    source: "protobuf.dev, Encoding",
  },
  {
    name: "message encoding becomes delimited for the whole file",
    before: edition("A a = 1;"),
    after: 'edition = "2023"; package t; option features.message_encoding = DELIMITED; message A { A a = 1; }',
    expected: "breaking",
    words: "`DELIMITED`: Message-typed fields are encoded as groups.",
    source: features,
  },
  {
    name: "features are written as one braced value",
    before: edition("int32 n = 1 [features.field_presence = IMPLICIT];"),
    after: edition("int32 n = 1 [features = { field_presence: IMPLICIT }];"),
    expected: "compatible",
    words: "alternative aggregate syntax (uses TextFormat)",
    source: "protobuf.dev, Language Guide (proto2), Custom Options",
  },
  {
    name: "a field is no longer deprecated",
    before: proto3("int32 n = 1 [deprecated = true];"),
    after: proto3("int32 n = 1;"),
    expected: "compatible",
    words:
      "indicates that the field is deprecated and should not be used by new code. In most languages this has no actual effect.",
    source: "protobuf.dev, Language Guide (proto3), Options",
  },
  {
    name: "a custom option of a field changes",
    before: proto3("int32 n = 1 [(rules.max) = 5, debug_redact = true];"),
    after: proto3("int32 n = 1 [(rules.max) = 6, debug_redact = true];"),
    expected: "compatible",
    words:
      "There's no way for `buf` to know the effects of your custom options, so we cannot reliably determine their compatibility.",
    source: rules,
  },
  {
    name: "fields of many kinds are added",
    before: proto3("int32 n = 1;"),
    after: proto3(
      "int32 n = 1; map<string, A> m = 2; optional bytes b = 3; repeated double d = 4; google.protobuf.Timestamp at = 5;",
    ).replace("package t;", 'package t; import "google/protobuf/timestamp.proto";'),
    expected: "compatible",
    words: "Adding new fields is safe.",
    source: updating,
  },
];
