// A sixth round: editions and their features in files, messages and fields, reserved words, names in JSON, and what moves between files. Written before
// it was run; decision 0120 has what it showed at first sight.

import type { ContractCase } from "../../contract-case.ts";
import { e23, of, p2, p3 } from "./fragments.ts";

const same = "The same descriptor in other words.";
const editions = "protobuf.dev, Feature Settings for Editions";
const field = (options: string): string => e23(`message A { int32 x = 1${options}; }`);

export const protobufSixthSight: readonly ContractCase[] = [
  of(
    "breaking",
    "a field of an edition has no presence any more, by its own feature",
    field(""),
    field(" [features.field_presence = IMPLICIT]"),
    editions,
  ),
  of(
    "compatible",
    "a message says the presence that holds anyway",
    field(""),
    field(" [features.field_presence = EXPLICIT]"),
    same,
  ),
  of(
    "breaking",
    "all fields of a file lose presence by one line",
    e23("message A { int32 x = 1; }"),
    e23("option features.field_presence = IMPLICIT; message A { int32 x = 1; }"),
    editions,
  ),
  of(
    "compatible",
    "the presence of a file is said at each field",
    e23("option features.field_presence = IMPLICIT; message A { int32 x = 1; }"),
    e23("message A { int32 x = 1 [features.field_presence = IMPLICIT]; }"),
    same,
  ),
  of(
    "breaking",
    "proto3 becomes edition 2023 and means the same",
    p3("message A { int32 x = 1; optional int32 y = 2; repeated int32 z = 3; }"),
    e23(
      "option features.field_presence = IMPLICIT; message A { int32 x = 1; int32 y = 2 [features.field_presence = EXPLICIT]; repeated int32 z = 3; }",
    ),
    "FILE_SAME_SYNTAX",
  ),
  of(
    "breaking",
    "a group becomes a message by length",
    e23("message B {} message A { B b = 1 [features.message_encoding = DELIMITED]; }"),
    e23("message B {} message A { B b = 1; }"),
    editions,
  ),
  of(
    "breaking",
    "an open enum becomes a closed one, for its file",
    e23("enum E { Z = 0; } message A { E e = 1; }"),
    e23("option features.enum_type = CLOSED; enum E { Z = 0; } message A { E e = 1; }"),
    editions,
  ),
  of(
    "compatible",
    "a closed enum of its file is closed by itself",
    e23("option features.enum_type = CLOSED; enum E { Z = 0; } message A { E e = 1; }"),
    e23("enum E { option features.enum_type = CLOSED; Z = 0; } message A { E e = 1; }"),
    same,
  ),
  of(
    "breaking",
    "a number and a name are reserved and the name is taken again",
    p3('message A { int32 x = 1; reserved "y"; }'),
    p3("message A { int32 x = 1; string y = 3; }"),
    "RESERVED_MESSAGE_NO_DELETE",
  ),
  of(
    "compatible",
    "a reserved range is split",
    p3("message A { reserved 5 to 10; }"),
    p3("message A { reserved 5 to 7, 8 to 10; }"),
    same,
  ),
  of(
    "breaking",
    "a reserved range of a nested message gets a hole",
    p3("message A { message B { reserved 5 to 10; } }"),
    p3("message A { message B { reserved 5 to 6, 8 to 10; } }"),
    "RESERVED_MESSAGE_NO_DELETE",
  ),
  of(
    "breaking",
    "the name of a field in JSON is another",
    p3("message A { int32 a_b = 1; }"),
    p3('message A { int32 a_b = 1 [json_name = "ab"]; }'),
    "FIELD_SAME_JSON_NAME",
  ),
  of(
    "compatible",
    "the name of a field in JSON is said as it is",
    p3("message A { int32 a_b = 1; }"),
    p3('message A { int32 a_b = 1 [json_name = "aB"]; }'),
    same,
  ),
  of(
    "breaking",
    "a map becomes a list of entries of another message",
    p3("message A { map<string, int32> m = 1; }"),
    p3("message A { message MEntry { string key = 1; int32 value = 2; } repeated MEntry m = 1; }"),
    "FIELD_SAME_CARDINALITY: a map is a repeated entry in the wire format, and another type in code.",
  ),
  of(
    "breaking",
    "a field moves from one oneof into another",
    p3("message A { oneof o { int32 x = 1; int32 y = 2; } oneof p { int32 z = 3; } }"),
    p3("message A { oneof o { int32 x = 1; } oneof p { int32 z = 3; int32 y = 2; } }"),
    "FIELD_SAME_ONEOF",
  ),
  of(
    "breaking",
    "a oneof has another name",
    p3("message A { oneof o { int32 x = 1; } }"),
    p3("message A { oneof p { int32 x = 1; } }"),
    "FIELD_SAME_ONEOF",
  ),
  of(
    "breaking",
    "a message moves to another file",
    { "a.proto": p3("message A {}"), "b.proto": p3("message B {}") },
    { "a.proto": p3(""), "b.proto": p3("message B {} message A {}") },
    "MESSAGE_NO_DELETE",
  ),
  of(
    "compatible",
    "an alias of an enum's value is new",
    p3("enum E { option allow_alias = true; Z = 0; A = 0; B = 1; }"),
    p3("enum E { option allow_alias = true; Z = 0; A = 0; B = 1; C = 1; }"),
    "Adding is safe.",
  ),
  of(
    "breaking",
    "of two names of one value the first goes",
    p3("enum E { option allow_alias = true; Z = 0; A = 1; B = 1; }"),
    p3("enum E { option allow_alias = true; Z = 0; B = 1; }"),
    "ENUM_VALUE_SAME_NAME",
  ),
  of(
    "breaking",
    "a call answers with a stream",
    p3("message A {} service S { rpc C(A) returns (A); }"),
    p3("message A {} service S { rpc C(A) returns (stream A); }"),
    "RPC_SAME_SERVER_STREAMING",
  ),
  of(
    "breaking",
    "a default of proto2 is another",
    p2("message A { optional int32 x = 1 [default = 1]; }"),
    p2("message A { optional int32 x = 1 [default = 2]; }"),
    "FIELD_SAME_DEFAULT",
  ),
  of(
    "compatible",
    "a default is written as a hexadecimal number",
    p2("message A { optional int32 x = 1 [default = 16]; }"),
    p2("message A { optional int32 x = 1 [default = 0x10]; }"),
    same,
  ),
  of(
    "breaking",
    "an extension takes another number",
    p2("message A { extensions 100 to 200; } extend A { optional int32 x = 100; }"),
    p2("message A { extensions 100 to 200; } extend A { optional int32 x = 101; }"),
    "EXTENSION_NO_DELETE",
  ),
  of(
    "compatible",
    "an import that nobody needs goes",
    { "a.proto": p3('import "b.proto"; message A {}'), "b.proto": p3("message B {}") },
    { "a.proto": p3("message A {}"), "b.proto": p3("message B {}") },
    same,
  ),
  of(
    "dangerous",
    "a public import goes",
    { "a.proto": p3('import public "b.proto"; message A {}'), "b.proto": p3("message B {}") },
    { "a.proto": p3('import "b.proto"; message A {}'), "b.proto": p3("message B {}") },
    "Who imported a.proto for B does not find it any more.",
  ),
];
