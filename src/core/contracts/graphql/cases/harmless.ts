// Changes that break nobody, many of them of a kind that a careless comparison would report.

import type { ContractCase } from "../../contract-case.ts";

const validation = "GraphQL specification, section 5 (Validation)";
const typeSystem = "GraphQL specification, section 3 (Type System)";
const language = "GraphQL specification, section 2 (Language)";
const selection = "The target field of a field selection must be defined on the scoped type of the selection set.";
const insignificant =
  "commas […] are used to improve the legibility of source text and separate lexical tokens but are otherwise syntactically and semantically insignificant within GraphQL documents.";
const extensions =
  "Type system extensions are used to represent a GraphQL type system which has been extended from some previous type system.";

function harmless(
  name: string,
  before: ContractCase["before"],
  after: ContractCase["after"],
  words: string,
  source: string,
): ContractCase {
  return { name, before, after, expected: "compatible", words, source };
}

export const graphqlHarmlessCases: readonly ContractCase[] = [
  harmless(
    "a file begins with a byte order mark",
    "type Query { a: Int }",
    "\uFEFFtype Query { a: Int }",
    'The "Byte Order Mark" is a special Unicode code point which may appear at the beginning of a file',
    language,
  ),
  harmless(
    "lines end as on Windows",
    "type Query {\n  a: Int\n  b: Int\n}",
    "type Query {\r\n  a: Int\r\n  b: Int\r\n}",
    insignificant,
    language,
  ),
  harmless(
    "a leading & before interfaces",
    "interface N { id: ID } type Query implements N { id: ID }",
    "interface N { id: ID } type Query implements & N { id: ID }",
    "ImplementsInterfaces : implements `&`? NamedType",
    typeSystem,
  ),
  harmless(
    "an enum is extended instead of written whole",
    "type Query { a: E } enum E { X Y }",
    "type Query { a: E } enum E { X } extend enum E { Y }",
    extensions,
    typeSystem,
  ),
  harmless(
    "an input is extended instead of written whole",
    "type Query { a(i: I): Int } input I { x: Int y: Int! }",
    "type Query { a(i: I): Int } input I { x: Int } extend input I { y: Int! }",
    extensions,
    typeSystem,
  ),
  harmless(
    "an interface is implemented by extension",
    "interface N { id: ID } type Query implements N { id: ID }",
    "interface N { id: ID } type Query { id: ID } extend type Query implements N",
    extensions,
    typeSystem,
  ),
  harmless(
    "the schema is extended with a root",
    "schema { query: Q mutation: M } type Q { a: Int } type M { b: Int }",
    "schema { query: Q } extend schema { mutation: M } type Q { a: Int } type M { b: Int }",
    extensions,
    typeSystem,
  ),
  harmless(
    "a built-in directive is written out",
    "type Query { a: Int @deprecated }",
    'directive @deprecated(reason: String = "No longer supported") on FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE type Query { a: Int @deprecated }',
    "any built-in directive may be omitted for brevity",
    typeSystem,
  ),
  harmless(
    "a built-in scalar is written out",
    "type Query { a: Int }",
    "scalar Int type Query { a: Int }",
    "all built-in scalars must be omitted for brevity",
    typeSystem,
  ),
  harmless(
    "the default reason of a deprecation is written out",
    "type Query { a: Int @deprecated }",
    'type Query { a: Int @deprecated(reason: "No longer supported") }',
    'reason: String! = "No longer supported"',
    typeSystem,
  ),
  harmless(
    "a field with optional arguments is added to a mutation",
    "type Query { a: Int } type Mutation { m: Int }",
    "type Query { a: Int } type Mutation { m: Int n(x: Int, y: [String!]): Int }",
    selection,
    validation,
  ),
  harmless(
    "an output field's innermost type becomes non-null",
    "type Query { a: [[[Int]]] }",
    "type Query { a: [[[Int!]]] }",
    "fields that return Non-Null types will never return the value null if queried",
    typeSystem,
  ),
  harmless(
    "an argument's innermost type becomes nullable",
    "type Query { a(x: [[Int!]!]!): Int }",
    "type Query { a(x: [[Int]!]!): Int }",
    "Variable usages must be compatible with the arguments they are passed to.",
    validation,
  ),
  harmless(
    "a new union of types that were there",
    "type Query { a: A } type A { x: Int } type B { y: Int }",
    "type Query { a: A any: Any } type A { x: Int } type B { y: Int } union Any = A | B",
    selection,
    validation,
  ),
  harmless(
    "a new interface is added and implemented by a new type only",
    "type Query { a: Int }",
    "type Query { a: Int n: N } interface N { id: ID! } type A implements N { id: ID! }",
    selection,
    validation,
  ),
  harmless(
    "a default is written with an explicit sign of the same number",
    "type Query { a(x: Float = 10): Int }",
    "type Query { a(x: Float = 10.0): Int }",
    "Integer input values are coerced to Float by adding an empty fractional part, for example `1.0` for the integer input value `1`.",
    typeSystem,
  ),
  harmless(
    "an escaped character in a default",
    'type Query { a(x: String = "é"): Int }',
    'type Query { a(x: String = "\\u00e9"): Int }',
    "\\uXXXX escape sequences stand for the Unicode code point",
    language,
  ),
  harmless(
    "an enum value's description and a deprecated argument's reason",
    'type Query { a(x: Int @deprecated(reason: "a")): E } enum E { X }',
    'type Query { a(x: Int @deprecated(reason: "b")): E } enum E { "the only one" X }',
    "Documentation is a first-class feature of GraphQL type systems.",
    typeSystem,
  ),
  harmless(
    "a subscription's fields are put in order",
    "type Query { a: Int } type Subscription { b: Int a: Int }",
    "type Query { a: Int } type Subscription { a: Int b: Int }",
    "An object type's fields are a set of named fields",
    typeSystem,
  ),
  harmless(
    "a directive for type definitions is added and not used",
    "type Query { a: Int }",
    "directive @owner(team: String!) repeatable on OBJECT | FIELD_DEFINITION type Query { a: Int }",
    "GraphQL services define what directives they support.",
    validation,
  ),
  harmless(
    "a schema is split over three files",
    "type Query { a: A b: B } type A { x: Int } type B { y: E } enum E { X }",
    {
      "s.graphql": "type Query { a: A }",
      "parts/b.graphql": "extend type Query { b: B } type B { y: E } enum E { X }",
      "parts/a.graphqls": "type A { x: Int }",
    },
    extensions,
    typeSystem,
  ),
  harmless(
    "a schema of two files becomes one",
    { "s.graphql": "type Query { a: A }", "a.graphql": "type A { x: Int! }" },
    "type Query { a: A } type A { x: Int! }",
    extensions,
    typeSystem,
  ),
  harmless(
    "a type that both versions leave to another subgraph",
    "type Query { owner: Account }",
    "type Query { owner: Account at: Int }",
    selection,
    validation,
  ),
  harmless(
    "names that programs trip over",
    "type Query { constructor: Int toString: String }",
    "type Query { constructor: Int toString: String hasOwnProperty: Int }",
    "Name :: NameStart NameContinue*; no name but those beginning with two underscores is reserved",
    language,
  ),
];
