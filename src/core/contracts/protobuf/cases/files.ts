// Files: package, syntax, options, imports, and types that move between files.

import type { ContractCase } from "../../contract-case.ts";

const rules = "buf.build/docs/breaking/rules";
const features = "protobuf.dev, Feature Settings for Editions";
const visibility = "protobuf.dev, Symbol Visibility";
const options =
  "These check that each of these file options do not change values between versions of your Protobuf schema. Changing any of these values results in differences in your generated source code.";
const sameSyntax =
  "Changing the syntax results in differences in generated code for many languages. (FILE_SAME_SYNTAX)";

const withOption = (option: string): string => `syntax = "proto3"; package t; ${option} message A { int32 n = 1; }`;

function optionChange(before: string, after: string): ContractCase {
  return {
    name: `a file option goes from ${before || "nothing"} to ${after || "nothing"}`,
    before: withOption(before),
    after: withOption(after),
    expected: "breaking",
    words: options,
    source: rules,
  };
}

export const protobufFileCases: readonly ContractCase[] = [
  optionChange('option go_package = "example.com/a";', 'option go_package = "example.com/b";'),
  optionChange("", 'option csharp_namespace = "Shop.V1";'),
  optionChange("option java_multiple_files = true;", ""),
  optionChange('option java_outer_classname = "Old";', 'option java_outer_classname = "New";'),
  optionChange("", 'option objc_class_prefix = "SHP";'),
  optionChange('option php_namespace = "A";', 'option php_namespace = "B";'),
  optionChange('option ruby_package = "A";', 'option ruby_package = "B";'),
  optionChange('option swift_prefix = "A";', ""),
  optionChange("", "option optimize_for = LITE_RUNTIME;"),
  optionChange("", "option cc_generic_services = true;"),
  {
    name: "file options say what held anyway",
    before: withOption(""),
    after: withOption(
      "option java_multiple_files = false; option optimize_for = SPEED; option cc_enable_arenas = true;",
    ),
    expected: "compatible",
    words: "This is a Boolean option which defaults to `false`.",
    source: "protobuf.dev, Language Guide (proto3), Options",
  },
  {
    name: "file options are in another order and joined from parts",
    before: withOption('option go_package = "example.com/a"; option java_package = "com.example";'),
    after: withOption('option java_package = \'com.example\'; option go_package = "example" ".com/a";'),
    expected: "compatible",
    words: options,
    source: rules,
  },
  {
    name: "a file is deprecated",
    before: withOption(""),
    after: withOption("option deprecated = true;"),
    expected: "compatible",
    words: "Instead of deleting these types, deprecate them",
    source: rules,
  },
  {
    name: "java_string_check_utf8 is turned on in proto2",
    before: 'syntax = "proto2"; message A { optional string s = 1; }',
    after: 'syntax = "proto2"; option java_string_check_utf8 = true; message A { optional string s = 1; }',
    expected: "breaking",
    words:
      "Checks that fields have the same Java string UTF8 validation, based on java_string_check_utf8 file option or (pb.java).utf8_validation feature.",
    source: rules,
  },
  {
    name: "the package changes",
    before: 'syntax = "proto3"; package shop.v1; message A { A a = 1; }',
    after: 'syntax = "proto3"; package shop.v2; message A { A a = 1; }',
    expected: "breaking",
    words:
      "This checks that a given file has the same `package` value. Changing the package value results in a ton of issues downstream in various languages",
    source: rules,
  },
  {
    name: "a package is named where there was none",
    before: 'syntax = "proto3"; message A { int32 n = 1; }',
    after: 'syntax = "proto3"; package shop; message A { int32 n = 1; }',
    expected: "breaking",
    words: "This checks that a given file has the same `package` value.",
    source: rules,
  },
  {
    name: "proto2 becomes proto3",
    before: 'syntax = "proto2"; message A { optional A a = 1; }',
    after: 'syntax = "proto3"; message A { optional A a = 1; }',
    expected: "breaking",
    words: sameSyntax,
    source: rules,
  },
  {
    name: "proto3 becomes an edition with the features of proto3",
    before: 'syntax = "proto3"; message A { int32 n = 1; }',
    after: 'edition = "2023"; option features.field_presence = IMPLICIT; message A { int32 n = 1; }',
    expected: "breaking",
    words: "Checks that files have the same syntax. (FILE_SAME_SYNTAX)",
    source: rules,
  },
  {
    name: "the syntax that held anyway is written out",
    before: "message A { optional int32 n = 1; }",
    after: 'syntax = "proto2"; message A { optional int32 n = 1; }',
    expected: "compatible",
    words: "going to/from unset (which assumes `proto2`) to set to `proto3`",
    source: rules,
  },
  {
    name: "edition 2023 becomes 2024 and strings keep their C++ type",
    before: 'edition = "2023"; message A { string s = 1; int32 n = 2; }',
    after:
      'edition = "2024"; import option "google/protobuf/cpp_features.proto"; message A { string s = 1 [features.(pb.cpp).string_type = STRING]; int32 n = 2; }',
    expected: "compatible",
    words:
      "You can explicitly override a behavior at those different levels (file, message, field, ...) when your needs don't match the default behavior for the edition you've selected.",
    source: features,
  },
  {
    name: "edition 2023 becomes 2024 and strings become views in C++",
    before: 'edition = "2023"; message A { string s = 1; }',
    after: 'edition = "2024"; message A { string s = 1; }',
    expected: "breaking",
    words:
      "Checks that fields have the same C++ string type, based on ctype field option or (pb.cpp).string_type feature.",
    source: rules,
  },
  {
    name: "a message becomes local in edition 2024",
    before: 'edition = "2024"; message A { int32 n = 1; }',
    after: 'edition = "2024"; local message A { int32 n = 1; }',
    expected: "breaking",
    words: "A local symbol cannot be imported by other files.",
    source: visibility,
  },
  {
    name: "a message says that it is exported, as it was",
    before: 'edition = "2024"; message A { int32 n = 1; } local enum E { E_NONE = 0; }',
    after: 'edition = "2024"; export message A { int32 n = 1; } export enum E { E_NONE = 0; }',
    expected: "compatible",
    words: "`EXPORT_TOP_LEVEL`: All top-level symbols default to export; nested default to local.",
    source: features,
  },
  {
    name: "a message moves to a new file that is imported publicly",
    before: { "a.proto": 'syntax = "proto3"; package t; message A { B b = 1; } message B { int32 n = 1; }' },
    after: {
      "a.proto": 'syntax = "proto3"; package t; import public "b.proto"; message A { B b = 1; }',
      "b.proto": 'syntax = "proto3"; package t; message B { int32 n = 1; }',
    },
    expected: "breaking",
    words:
      "Detects changes that move generated code between files, breaking generated source code on a per-file basis. This breaks generated stubs in some languages (FILE)",
    source: rules,
  },
  {
    name: "an enum moves to a file beside that nothing imports",
    before: {
      "t/a.proto": 'syntax = "proto3"; package t; message A { int32 n = 1; } enum E { E_NONE = 0; }',
      "t/b.proto": 'syntax = "proto3"; package t;',
    },
    after: {
      "t/a.proto": 'syntax = "proto3"; package t; message A { int32 n = 1; }',
      "t/b.proto": 'syntax = "proto3"; package t; enum E { E_NONE = 0; }',
    },
    expected: "breaking",
    words: "These check that no enums, messages, or services are deleted from a given file.",
    source: rules,
  },
  {
    name: "an imported file loses a field",
    before: {
      "shop/a.proto": 'syntax = "proto3"; package shop; import "shop/b.proto"; message A { B b = 1; }',
      "shop/b.proto": 'syntax = "proto3"; package shop; message B { int32 n = 1; int32 m = 2; }',
    },
    after: {
      "shop/a.proto": 'syntax = "proto3"; package shop; import "shop/b.proto"; message A { B b = 1; }',
      "shop/b.proto": 'syntax = "proto3"; package shop; message B { int32 n = 1; }',
    },
    expected: "breaking",
    words: "These check that no enum value or message field is deleted.",
    source: rules,
  },
  {
    name: "an imported file below another root gains a field",
    before: {
      "proto/shop/v1/a.proto": 'syntax = "proto3"; package shop.v1; import "shop/v1/b.proto"; message A { B b = 1; }',
      "proto/shop/v1/b.proto": 'syntax = "proto3"; package shop.v1; message B { int32 n = 1; }',
    },
    after: {
      "proto/shop/v1/a.proto": 'syntax = "proto3"; package shop.v1; import "shop/v1/b.proto"; message A { B b = 1; }',
      "proto/shop/v1/b.proto": 'syntax = "proto3"; package shop.v1; message B { int32 n = 1; int32 m = 2; }',
    },
    expected: "compatible",
    words: "Adding new fields is safe.",
    source: "protobuf.dev, Language Guide (proto3), Updating A Message Type",
  },
  {
    name: "an import that is not needed is dropped and its file stays",
    before: {
      "a.proto": 'syntax = "proto3"; package t; import "b.proto"; message A { int32 n = 1; }',
      "b.proto": 'syntax = "proto3"; package t; message B { int32 n = 1; }',
    },
    after: {
      "a.proto": 'syntax = "proto3"; package t; message A { int32 n = 1; }',
      "b.proto": 'syntax = "proto3"; package t; message B { int32 n = 1; }',
    },
    expected: "compatible",
    words: "This checks that no file is deleted.",
    source: rules,
  },
  {
    name: "an imported file is deleted with what it defined",
    before: {
      "a.proto": 'syntax = "proto3"; package t; import "b.proto"; message A { int32 n = 1; }',
      "b.proto": 'syntax = "proto3"; package t; message B { int32 n = 1; }',
    },
    after: { "a.proto": 'syntax = "proto3"; package t; message A { int32 n = 1; }' },
    expected: "breaking",
    words:
      "This checks that no file is deleted. Deleting a file results in its generated header file being deleted as well, which could break source code.",
    source: rules,
  },
  {
    name: "a file is imported that was there before",
    before: {
      "a.proto": 'syntax = "proto3"; package t; message A { int32 n = 1; }',
      "b.proto": 'syntax = "proto3"; package t; message B { int32 n = 1; }',
    },
    after: {
      "a.proto": 'syntax = "proto3"; package t; import "b.proto"; message A { int32 n = 1; B b = 2; }',
      "b.proto": 'syntax = "proto3"; package t; message B { int32 n = 1; }',
    },
    expected: "compatible",
    words: "Adding new fields is safe.",
    source: "protobuf.dev, Language Guide (proto3), Updating A Message Type",
  },
  {
    name: "a public import becomes a plain one",
    before: {
      "a.proto": 'syntax = "proto3"; package t; import public "b.proto"; message A { B b = 1; }',
      "b.proto": 'syntax = "proto3"; package t; message B { int32 n = 1; }',
    },
    after: {
      "a.proto": 'syntax = "proto3"; package t; import "b.proto"; message A { B b = 1; }',
      "b.proto": 'syntax = "proto3"; package t; message B { int32 n = 1; }',
    },
    expected: "dangerous",
    words:
      "`import public` dependencies can be transitively relied upon by any code importing the proto containing the `import public` statement.",
    source: "protobuf.dev, Language Guide (proto3), Importing Definitions",
  },
  {
    name: "comments, spacing and single quotes",
    before: 'syntax = "proto3"; package t; message A { int32 n = 1; }',
    after:
      "// about\nsyntax = 'proto3';\n/* more */\npackage t;\n\nmessage A {\n  // a number\n  int32 n = 1; // here\n}\n",
    expected: "compatible",
    words: "To add comments to your `.proto` files: prefer C/C++/Java line-end-style comments",
    source: "protobuf.dev, Language Guide (proto3)",
  },
];
