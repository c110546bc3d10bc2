// A second round of cases, written after the rules and run once before anything was mended on them: what they showed at first sight is in
// decision 0045.

import type { ContractCase } from "../../contract-case.ts";

const updating = "protobuf.dev, Language Guide (proto3), Updating A Message Type";
const rules = "buf.build/docs/breaking/rules";
const editions = "protobuf.dev, Feature Settings for Editions";

const of = (
  expected: ContractCase["expected"],
  name: string,
  before: ContractCase["before"],
  after: ContractCase["after"],
  words: string,
  source: string,
): ContractCase => ({ name, before, after, expected, words, source });

const p3 = (text: string): string => `syntax = "proto3"; package shop.v1; ${text}`;
const p2 = (text: string): string => `syntax = "proto2"; package shop.v1; ${text}`;
const e23 = (text: string): string => `edition = "2023"; package shop.v1; ${text}`;

const numbers = "Changing field numbers for any existing field is not safe.";
const types = "FIELD_SAME_TYPE: checks that a field has the same type.";
const deleted = "FIELD_NO_DELETE: checks that no message field is deleted.";

export const protobufSecondSight: readonly ContractCase[] = [
  of(
    "breaking",
    "a field of a nested message is deleted",
    p3("message A { message B { int32 x = 1; int32 y = 2; } B b = 1; }"),
    p3("message A { message B { int32 x = 1; } B b = 1; }"),
    deleted,
    rules,
  ),
  of(
    "breaking",
    "a field becomes a map",
    p3("message A { string x = 1; }"),
    p3("message A { map<string, string> x = 1; }"),
    types,
    rules,
  ),
  of(
    "breaking",
    "a field's enum type is another one with the same values",
    p3("enum E { E_0 = 0; } enum F { F_0 = 0; } message A { E e = 1; }"),
    p3("enum E { E_0 = 0; } enum F { F_0 = 0; } message A { F e = 1; }"),
    types,
    rules,
  ),
  of(
    "breaking",
    "int32 becomes sint32",
    p3("message A { int32 x = 1; }"),
    p3("message A { sint32 x = 1; }"),
    "sint32 and sint64 are compatible with each other but are not compatible with the other integer types.",
    updating,
  ),
  of(
    "breaking",
    "fixed32 becomes int32",
    p3("message A { fixed32 x = 1; }"),
    p3("message A { int32 x = 1; }"),
    "fixed32 is compatible with sfixed32 only.",
    updating,
  ),
  of(
    "breaking",
    "double becomes float",
    p3("message A { double x = 1; }"),
    p3("message A { float x = 1; }"),
    types,
    rules,
  ),
  of(
    "breaking",
    "a number is moved by inserting a field before it",
    p3("message A { int32 x = 1; int32 y = 2; }"),
    p3("message A { int32 n = 1; int32 x = 2; int32 y = 3; }"),
    numbers,
    updating,
  ),
  of(
    "compatible",
    "a field is added in a oneof of its own by optional",
    p3("message A { int32 x = 1; }"),
    p3("message A { int32 x = 1; optional int32 y = 2; }"),
    "Adding new fields is safe.",
    updating,
  ),
  of(
    "compatible",
    "a service's comments and options of tools change",
    p3("message A {} service S { rpc M(A) returns (A); }"),
    p3("message A {} // all\nservice S { rpc M(A) returns (A) {} }"),
    "Comments are not part of the schema.",
    updating,
  ),
  of(
    "breaking",
    "a method is renamed",
    p3("message A {} service S { rpc M(A) returns (A); }"),
    p3("message A {} service S { rpc N(A) returns (A); }"),
    "RPC_NO_DELETE: checks that no rpc is deleted.",
    rules,
  ),
  of(
    "breaking",
    "a service is renamed",
    p3("message A {} service S { rpc M(A) returns (A); }"),
    p3("message A {} service T { rpc M(A) returns (A); }"),
    "SERVICE_NO_DELETE: checks that no service is deleted.",
    rules,
  ),
  of(
    "breaking",
    "a method streams from both sides",
    p3("message A {} service S { rpc M(A) returns (A); }"),
    p3("message A {} service S { rpc M(stream A) returns (stream A); }"),
    "RPC_SAME_CLIENT_STREAMING, RPC_SAME_SERVER_STREAMING.",
    rules,
  ),
  of(
    "breaking",
    "an enum value's number is swapped with another",
    p3("enum E { E_0 = 0; E_A = 1; E_B = 2; }"),
    p3("enum E { E_0 = 0; E_A = 2; E_B = 1; }"),
    "ENUM_VALUE_SAME_NAME: checks that enum values have the same name.",
    rules,
  ),
  of(
    "breaking",
    "an enum is deleted inside a message",
    p3("message A { enum E { E_0 = 0; } int32 x = 1; }"),
    p3("message A { int32 x = 1; }"),
    "ENUM_NO_DELETE: checks that no enum is deleted.",
    rules,
  ),
  of(
    "breaking",
    "a proto2 field gets another default",
    p2("message A { optional int32 x = 1 [default = 1]; }"),
    p2("message A { optional int32 x = 1 [default = 2]; }"),
    "FIELD_SAME_DEFAULT: checks that a field has the same default value.",
    rules,
  ),
  of(
    "breaking",
    "an optional proto2 group loses a field",
    p2("message A { optional group G = 1 { optional int32 x = 2; optional int32 y = 3; } }"),
    p2("message A { optional group G = 1 { optional int32 x = 2; } }"),
    deleted,
    rules,
  ),
  of(
    "breaking",
    "a repeated field becomes a single one",
    p3("message A { repeated int32 x = 1; }"),
    p3("message A { int32 x = 1; }"),
    "FIELD_SAME_CARDINALITY: checks that a field has the same cardinality.",
    rules,
  ),
  of(
    "breaking",
    "go_package changes",
    `${p3("")} option go_package = "a/b"; message A {}`,
    `${p3("")} option go_package = "a/c"; message A {}`,
    "FILE_SAME_GO_PACKAGE: checks that a file has the same go_package.",
    rules,
  ),
  of(
    "compatible",
    "a reserved range is added",
    p3("message A { int32 x = 1; }"),
    p3('message A { reserved 5 to 9; reserved "old"; int32 x = 1; }'),
    "Reserving numbers keeps them from being used.",
    updating,
  ),
  of(
    "compatible",
    "an edition says presence where it held anyway",
    e23("message A { int32 x = 1; }"),
    e23("message A { int32 x = 1 [features.field_presence = EXPLICIT]; }"),
    "field_presence is EXPLICIT by default in edition 2023.",
    editions,
  ),
  of(
    "breaking",
    "an edition's field no longer tracks presence",
    e23("message A { int32 x = 1; }"),
    e23("message A { int32 x = 1 [features.field_presence = IMPLICIT]; }"),
    "field_presence decides whether a has-method exists.",
    editions,
  ),
  of(
    "breaking",
    "an edition's enum becomes closed",
    e23("enum E { E_0 = 0; }"),
    e23("enum E { option features.enum_type = CLOSED; E_0 = 0; }"),
    "ENUM_SAME_TYPE: checks that enums are open or closed as before.",
    rules,
  ),
  of(
    "breaking",
    "proto2 becomes an edition with the features of proto2",
    p2("message A { optional int32 x = 1; repeated int32 y = 2; } enum E { E_0 = 0; }"),
    e23(
      "option features.enum_type = CLOSED; option features.repeated_field_encoding = EXPANDED; option features.json_format = LEGACY_BEST_EFFORT; option features.utf8_validation = NONE; message A { int32 x = 1; repeated int32 y = 2; } enum E { E_0 = 0; }",
    ),
    "FILE_SAME_SYNTAX: checks that a file has the same syntax.",
    rules,
  ),
  of(
    "compatible",
    "a message is added beside others with an enum",
    p3("message A {}"),
    p3("message A {} message B { enum E { E_0 = 0; } E e = 1; }"),
    "Adding new types is safe.",
    updating,
  ),
  of(
    "breaking",
    "bytes become a message",
    p3("message A { bytes x = 1; } message B { int32 y = 1; }"),
    p3("message A { B x = 1; } message B { int32 y = 1; }"),
    types,
    rules,
  ),
  of(
    "breaking",
    "a map's value becomes another message",
    p3("message A { map<string, B> x = 1; } message B {} message C {}"),
    p3("message A { map<string, C> x = 1; } message B {} message C {}"),
    types,
    rules,
  ),
];
