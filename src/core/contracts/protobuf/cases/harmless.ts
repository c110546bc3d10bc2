// Changes that break nobody, many of them of a kind that a careless comparison would report.

import type { ContractCase } from "../../contract-case.ts";

const updating = "protobuf.dev, Language Guide (proto3), Updating A Message Type";
const specification = "protobuf.dev, Protocol Buffers Language Specification";
const features = "protobuf.dev, Feature Settings for Editions";
const rules = "buf.build/docs/breaking/rules";
const adding = "Adding new fields is safe.";
const scopes =
  "Type name resolution in the protocol buffer language works like C++: first the innermost scope is searched, then the next-innermost, and so on";
const inherited =
  "Lowest-level: Fields, extensions, enum values, extension ranges, and methods are the lowest level at which you can override settings.";
const customOptions = "There's no way for `buf` to know the effects of your custom options";

const proto2 = (body: string): string => `syntax = "proto2"; package t; ${body}`;
const proto3 = (body: string): string => `syntax = "proto3"; package t; ${body}`;
const edition = (body: string): string => `edition = "2023"; package t; ${body}`;

function harmless(
  name: string,
  before: ContractCase["before"],
  after: ContractCase["after"],
  words: string,
  source: string,
): ContractCase {
  return { name, before, after, expected: "compatible", words, source };
}

export const protobufHarmlessCases: readonly ContractCase[] = [
  harmless(
    "empty statements and trailing semicolons",
    proto3("message A { int32 n = 1; }"),
    proto3(";; message A { ; int32 n = 1;; };"),
    'emptyStatement = ";"',
    specification,
  ),
  harmless(
    "field numbers in octal and hexadecimal",
    proto3("message A { int32 n = 15; int32 m = 16; }"),
    proto3("message A { int32 n = 0xF; int32 m = 020; }"),
    "intLit = decimalLit | octalLit | hexLit",
    specification,
  ),
  harmless(
    "a file begins with a byte order mark",
    proto3("message A {}"),
    `\uFEFF${proto3("message A {}")}`,
    "the compiler skips a byte order mark",
    specification,
  ),
  harmless(
    "lines end as on Windows",
    'syntax = "proto3";\nmessage A {\n  int32 n = 1;\n}\n',
    'syntax = "proto3";\r\nmessage A {\r\n  int32 n = 1;\r\n}\r\n',
    "white space separates tokens and has no other meaning",
    specification,
  ),
  harmless(
    "fields named like keywords",
    proto3("message A { string message = 1; int32 optional = 2; bool reserved = 3; string rpc = 4; int32 to = 5; }"),
    proto3(
      "message A { string message = 1; int32 optional = 2; bool reserved = 3; string rpc = 4; int32 to = 5; bool syntax = 6; int32 max = 7; string stream = 8; string oneof = 9; }",
    ),
    "keywords are not reserved as identifiers",
    specification,
  ),
  harmless(
    "a type is named by package and name",
    proto3("message A { B b = 1; } message B {}"),
    proto3("message A { t.B b = 1; } message B {}"),
    scopes,
    updating,
  ),
  harmless(
    "a type is named by part of its path",
    'syntax = "proto3"; package x.y; message A { message B {} B b = 1; }',
    'syntax = "proto3"; package x.y; message A { message B {} y.A.B b = 1; }',
    scopes,
    updating,
  ),
  harmless(
    "a method's types are named with a leading dot",
    proto3("message A {} service S { rpc G(A) returns (stream A); }"),
    proto3("message A {} service S { rpc G(.t.A) returns (stream .t.A) {} }"),
    scopes,
    updating,
  ),
  harmless(
    "a nested type of the same name as an outer one",
    proto3("message B { int32 n = 1; } message A { message B { int32 m = 1; } B b = 1; }"),
    proto3("message A { B b = 1; message B { int32 m = 1; } } message B { int32 n = 1; }"),
    scopes,
    updating,
  ),
  harmless(
    "a group gains a field",
    proto2("message A { optional group G = 1 { optional int32 n = 1; } }"),
    proto2("message A { optional group G = 1 { optional int32 n = 1; optional int32 m = 2; } }"),
    adding,
    updating,
  ),
  harmless(
    "an optional field is added to proto3 with presence",
    proto3("message A { int32 n = 1; }"),
    proto3("message A { int32 n = 1; optional int32 m = 2; }"),
    adding,
    updating,
  ),
  harmless(
    "a message with required fields is added",
    proto2("message A { optional int32 n = 1; }"),
    proto2("message A { optional int32 n = 1; } message B { required int32 n = 1; }"),
    "Checks that messages have no added or deleted required fields.",
    rules,
  ),
  harmless(
    "a map of messages is added",
    proto3("message A {}"),
    proto3("message A { map<int64, A> m = 1; map<bool, bytes> b = 2; }"),
    adding,
    updating,
  ),
  harmless(
    "a closed enum gains a value",
    proto2("enum E { ONE = 1; } message A { optional E e = 1; repeated E r = 2; }"),
    proto2("enum E { ONE = 1; TWO = 2; } message A { optional E e = 1; repeated E r = 2; }"),
    "Adding additional values to an enum is safe.",
    updating,
  ),
  harmless(
    "a service is deprecated",
    proto3("message A {} service S { rpc G(A) returns (A); }"),
    proto3("message A {} service S { option deprecated = true; rpc G(A) returns (A); }"),
    "Instead of deleting these types, deprecate them",
    rules,
  ),
  harmless(
    "a service gets a custom option",
    proto3("message A {} service S { rpc G(A) returns (A); }"),
    proto3('message A {} service S { option (google.api.default_host) = "a.example.com"; rpc G(A) returns (A); }'),
    customOptions,
    rules,
  ),
  harmless(
    "custom options with nested values",
    proto3("message A { int32 n = 1; }"),
    proto3(
      'message A { option (my.rule) = { name: "x" list: [1, 2] sub < a: -1.5e3 > [my.ext]: { b: true } }; int32 n = 1 [(my.opt).deep.er = "v", (.my.other) = -inf]; }',
    ),
    customOptions,
    rules,
  ),
  harmless(
    "a method gets an HTTP route",
    proto3("message A {} service S { rpc G(A) returns (A); }"),
    proto3(
      'message A {} service S { rpc G(A) returns (A) { option (google.api.http) = { get: "/v1/{name=a/*}" additional_bindings { post: "/v1/b" body: "*" } }; } }',
    ),
    customOptions,
    rules,
  ),
  harmless(
    "a method's HTTP route is written field by field, as before",
    proto3('message A {} service S { rpc G(A) returns (A) { option (google.api.http).get = "/v1/a"; } }'),
    proto3('message A {} service S { rpc G(A) returns (A) { option (google.api.http).get = "/v1" "/a"; } }'),
    "strLit = strLitSingle { strLitSingle }",
    specification,
  ),
  harmless(
    "presence is said for the file instead of every field",
    edition("message A { int32 n = 1 [features.field_presence = IMPLICIT]; }"),
    edition("option features.field_presence = IMPLICIT; message A { int32 n = 1; }"),
    inherited,
    features,
  ),
  harmless(
    "enum type is said for the file instead of the enum",
    edition("enum E { option features.enum_type = CLOSED; E_A = 0; }"),
    edition("option features.enum_type = CLOSED; enum E { E_A = 0; }"),
    inherited,
    features,
  ),
  harmless(
    "the default of a feature is written out",
    edition("message A { int32 n = 1; A a = 2; repeated int32 r = 3; string s = 4; }"),
    edition(
      "option features.field_presence = EXPLICIT; message A { int32 n = 1; A a = 2 [features.message_encoding = LENGTH_PREFIXED]; repeated int32 r = 3 [features.repeated_field_encoding = PACKED]; string s = 4 [features.utf8_validation = VERIFY]; }",
    ),
    inherited,
    features,
  ),
  harmless(
    "presence is implicit for the file, which a message field ignores",
    edition("message A { A a = 1; repeated int32 n = 2; }"),
    edition("option features.field_presence = IMPLICIT; message A { A a = 1; repeated int32 n = 2; }"),
    "`IMPLICIT` applies to singular scalar fields",
    features,
  ),
  harmless(
    "a reserved number is joined to a range",
    proto3("message A { reserved 2, 3, 4; }"),
    proto3("message A { reserved 2 to 4; }"),
    "Reserved field number ranges are inclusive",
    "protobuf.dev, Language Guide (proto3), Reserved Field Numbers",
  ),
  harmless(
    "reserved names in several statements",
    proto3('message A { reserved "a", "b"; }'),
    proto3('message A { reserved "b"; reserved "a"; }'),
    "These check that no reserved number range or reserved name is deleted from any enum or message.",
    rules,
  ),
  harmless(
    "more enum numbers are reserved, negative ones too",
    proto2("enum E { A = 0; reserved -5 to -3; }"),
    proto2("enum E { A = 0; reserved -9 to -1; }"),
    "These check that no reserved number range or reserved name is deleted from any enum or message.",
    rules,
  ),
  harmless(
    "extension ranges get declarations",
    proto2("message A { extensions 100 to 199; }"),
    proto2(
      'message A { extensions 100 to 199 [verification = DECLARATION, declaration = { number: 100, full_name: ".t.x", type: "string" }]; }',
    ),
    "This checks that no extension range is deleted from any message.",
    rules,
  ),
  harmless(
    "an extension inside a message",
    proto2("message A { extensions 100 to 199; } message B { optional int32 n = 1; }"),
    proto2("message A { extensions 100 to 199; } message B { optional int32 n = 1; extend A { optional B b = 100; } }"),
    adding,
    updating,
  ),
  harmless(
    "a well-known type is used by a new field",
    proto3("message A { int32 n = 1; }"),
    'syntax = "proto3"; package t; import "google/protobuf/struct.proto"; import "google/protobuf/any.proto"; message A { int32 n = 1; google.protobuf.Struct s = 2; google.protobuf.NullValue v = 3; google.protobuf.Any any = 4; }',
    adding,
    updating,
  ),
  harmless(
    "an import that is in no snapshot",
    'syntax = "proto3"; package t; import "google/api/annotations.proto"; message A { google.api.HttpRule r = 1; }',
    'syntax = "proto3"; package t; import "google/api/annotations.proto"; message A { google.api.HttpRule r = 1; int32 n = 2; }',
    adding,
    updating,
  ),
  harmless(
    "two files that import each other through a third",
    {
      "a.proto": 'syntax = "proto3"; import "b.proto"; message A { B b = 1; }',
      "b.proto": 'syntax = "proto3"; import "c.proto"; message B { C c = 1; }',
      "c.proto": 'syntax = "proto3"; message C { int32 n = 1; }',
    },
    {
      "a.proto": 'syntax = "proto3"; import "b.proto"; message A { B b = 1; }',
      "b.proto": 'syntax = "proto3"; import "c.proto"; message B { C c = 1; }',
      "c.proto": 'syntax = "proto3"; message C { int32 n = 1; int32 m = 2; }',
    },
    adding,
    updating,
  ),
  harmless(
    "an import becomes weak",
    {
      "a.proto": 'syntax = "proto2"; import "b.proto"; message A { optional B b = 1; }',
      "b.proto": 'syntax = "proto2"; message B {}',
    },
    {
      "a.proto": 'syntax = "proto2"; import weak "b.proto"; message A { optional B b = 1; }',
      "b.proto": 'syntax = "proto2"; message B {}',
    },
    'import = "import" [ "weak" | "public" ] strLit ";"',
    specification,
  ),
  harmless(
    "a oneof gets an option and a field",
    proto3("message A { oneof x { string a = 1; } }"),
    proto3("message A { oneof x { option (my.required) = true; string a = 1; A b = 2; } }"),
    adding,
    updating,
  ),
  harmless(
    "a message becomes exported in edition 2024",
    'edition = "2024"; message A { message B {} }',
    'edition = "2024"; message A { export message B {} }',
    "`EXPORT_TOP_LEVEL`: All top-level symbols default to export; nested default to local.",
    features,
  ),
  harmless(
    "large and special defaults in other words",
    proto2(
      "message A { optional double d = 1 [default = inf]; optional uint64 u = 2 [default = 18446744073709551615]; optional float f = 3 [default = -0.5]; }",
    ),
    proto2(
      "message A { optional double d = 1 [default = inf]; optional uint64 u = 2 [default = 0xFFFFFFFFFFFFFFFF]; optional float f = 3 [default = -5e-1]; }",
    ),
    "Checks that fields have the same default value, if a default is specified.",
    rules,
  ),
  harmless(
    "escapes in a default",
    proto2('message A { optional string s = 1 [default = "a\\tb"]; optional bytes b = 2 [default = "\\x41\\102"]; }'),
    proto2('message A { optional string s = 1 [default = "a\\011b"]; optional bytes b = 2 [default = "AB"]; }'),
    "strLit may contain hexEscape, octEscape and charEscape",
    specification,
  ),
  harmless(
    "debug_redact and retention are set",
    proto3("message A { string s = 1; }"),
    proto3(
      "message A { string s = 1 [debug_redact = true, retention = RETENTION_SOURCE, targets = TARGET_TYPE_FIELD]; }",
    ),
    customOptions,
    rules,
  ),
  harmless(
    "a lazy submessage",
    proto2("message A { optional A a = 1; }"),
    proto2("message A { optional A a = 1 [lazy = true]; }"),
    "lazy: should this field be parsed lazily? It does not affect the interface of the generated code",
    "descriptor.proto",
  ),
];
