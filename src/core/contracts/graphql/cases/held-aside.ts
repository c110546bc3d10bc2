// Cases written from the specification before any rule existed, and run for the first time when the rules were done.
// The agreement at that first sight is in docs/decisions/0031-typed-contracts.md.

import type { ContractCase } from "../../contract-case.ts";

const validation = "GraphQL specification, section 5 (Validation)";
const typeSystem = "GraphQL specification, section 3 (Type System)";
const language = "GraphQL specification, section 2 (Language)";
const inspector = "GraphQL Inspector documentation, diff";

export const graphqlHeldAside: readonly ContractCase[] = [
  {
    name: "a field of an interface is removed",
    before:
      "type Query { node: Node } interface Node { id: ID! name: String } type Shop implements Node { id: ID! name: String }",
    after: "type Query { node: Node } interface Node { id: ID! } type Shop implements Node { id: ID! name: String }",
    expected: "breaking",
    words: "The target field of a field selection must be defined on the scoped type of the selection set.",
    source: validation,
  },
  {
    name: "a list's items become nullable in a response",
    before: "type Query { tags: [String!]! }",
    after: "type Query { tags: [String]! }",
    expected: "breaking",
    words: "fields that return Non-Null types will never return the value null if queried",
    source: typeSystem,
  },
  {
    name: "a list's items become non-null in a response",
    before: "type Query { tags: [String] }",
    after: "type Query { tags: [String!] }",
    expected: "compatible",
    words: "fields that return Non-Null types will never return the value null if queried",
    source: typeSystem,
  },
  {
    name: "a list's items become non-null in an argument",
    before: "type Query { find(ids: [ID]): Int }",
    after: "type Query { find(ids: [ID!]): Int }",
    expected: "breaking",
    words: "Validation failures occur when […] a nullable type in a variable is passed to a non-null argument type.",
    source: validation,
  },
  {
    name: "a list's items become nullable in an input field",
    before: "type Query { find(by: By): Int } input By { ids: [ID!]! }",
    after: "type Query { find(by: By): Int } input By { ids: [ID]! }",
    expected: "compatible",
    words: "Variable usages must be compatible with the arguments they are passed to.",
    source: validation,
  },
  {
    name: "a required argument gets a default and stays non-null",
    before: "type Query { find(limit: Int!): Int }",
    after: "type Query { find(limit: Int! = 10): Int }",
    expected: "dangerous",
    words:
      "An argument is required if the argument type is non-null and does not have a default value. Otherwise, the argument is optional.",
    source: validation,
  },
  {
    name: "a directive for executable documents loses the location FIELD",
    before: "directive @live on FIELD | QUERY type Query { ok: Int }",
    after: "directive @live on QUERY type Query { ok: Int }",
    expected: "breaking",
    words: "the directive must be used in a location that the service has declared support for",
    source: validation,
  },
  {
    name: "a directive gains a location",
    before: "directive @live on QUERY type Query { ok: Int }",
    after: "directive @live on QUERY | FIELD type Query { ok: Int }",
    expected: "compatible",
    words: "GraphQL services define what directives they support and where they support them.",
    source: validation,
  },
  {
    name: "a directive is no longer repeatable",
    before: "directive @tag(name: String!) repeatable on FIELD type Query { ok: Int }",
    after: "directive @tag(name: String!) on FIELD type Query { ok: Int }",
    expected: "breaking",
    words: "if a directive is not `repeatable`, then only one occurrence of it is allowed per location",
    source: validation,
  },
  {
    name: "the subscription root goes away with its type",
    before: "type Query { ok: Int } type Subscription { ticks: Int }",
    after: "type Query { ok: Int }",
    expected: "breaking",
    words:
      "If the schema does not include the necessary root operation type for the kind of an operation defined in the document, that operation is invalid",
    source: validation,
  },
  {
    name: "a mutation root is added",
    before: "type Query { ok: Int }",
    after: "type Query { ok: Int } type Mutation { add(n: Int!): Int }",
    expected: "compatible",
    words: "support for `mutation` and `subscription` operations is optional",
    source: validation,
  },
  {
    name: "a scalar becomes an object of the same name",
    before: "scalar Money type Query { price: Money }",
    after: "type Money { amount: Int } type Query { price: Money }",
    expected: "breaking",
    words:
      "A field subselection is not allowed on leaf fields. A leaf field is any field with a scalar or enum unwrapped type.",
    source: validation,
  },
  {
    name: "an object stops implementing an interface and keeps its fields",
    before:
      "interface Node { id: ID! } type Query { node: Node shop: Shop } type Shop implements Node { id: ID! } type Item implements Node { id: ID! }",
    after:
      "interface Node { id: ID! } type Query { node: Node shop: Shop } type Shop { id: ID! } type Item implements Node { id: ID! }",
    expected: "breaking",
    words: "A fragment spread is only valid if its type condition could ever apply within the parent type.",
    source: validation,
  },
  {
    name: "a type is written in two parts with extend",
    before: "type Query { a: Int b(x: Int = 1): Int }",
    after: "type Query { a: Int } extend type Query { b(x: Int = 1): Int }",
    expected: "compatible",
    words: "Object type extensions are used to represent a type which has been extended from some previous type.",
    source: typeSystem,
  },
  {
    name: "fields, arguments and definitions in another order",
    before: "type Query { a(x: Int, y: Int): Color b: Int } enum Color { RED GREEN }",
    after: "enum Color { GREEN RED } type Query { b: Int a(y: Int, x: Int): Color }",
    expected: "compatible",
    words: "Arguments may be provided in any syntactic order and maintain identical semantic meaning.",
    source: language,
  },
  {
    name: "comments and commas only",
    before: "type Query { a(x: Int, y: Int): Int }",
    after: "# the root\ntype Query {\n  a(x: Int y: Int): Int # unchanged\n}",
    expected: "compatible",
    words:
      "commas […] are used to improve the legibility of source text and separate lexical tokens but are otherwise syntactically and semantically insignificant within GraphQL documents.",
    source: language,
  },
  {
    name: "an argument is deprecated",
    before: "type Query { find(old: Int, new: Int): Int }",
    after: 'type Query { find(old: Int @deprecated(reason: "use new"), new: Int): Int }',
    expected: "compatible",
    words:
      "The `@deprecated` built-in directive is used within the type system definition language to indicate deprecated portions of a GraphQL service's schema",
    source: typeSystem,
  },
  {
    name: "an input object becomes a OneOf input object",
    before: "type Query { find(by: By): Int } input By { id: ID name: String }",
    after: "type Query { find(by: By): Int } input By @oneOf { id: ID name: String }",
    expected: "breaking",
    words:
      "A OneOf Input Object is a special variant of Input Object where exactly one field must be set and non-null, all others being omitted.",
    source: typeSystem,
  },
  {
    name: "a union gains a member",
    before: "type Query { found: Found } union Found = A type A { a: Int } type B { b: Int }",
    after: "type Query { found: Found } union Found = A | B type A { a: Int } type B { b: Int }",
    expected: "dangerous",
    words:
      "Adding a possible type to Unions may break existing clients that were not programming defensively against a new possible type.",
    source: inspector,
  },
  {
    name: "an enum used only in arguments loses a value",
    before: "type Query { find(by: Order): Int } enum Order { UP DOWN }",
    after: "type Query { find(by: Order): Int } enum Order { UP }",
    expected: "breaking",
    words:
      "Literal values must be compatible with the type expected in the position they are found as per the coercion rules",
    source: validation,
  },
  {
    name: "a type that no field uses is added with descriptions",
    before: "type Query { ok: Int }",
    after: '"Where queries begin" type Query { ok: Int } "Not used yet" type Later { "when" at: Int }',
    expected: "compatible",
    words: "Documentation is a first-class feature of GraphQL type systems",
    source: typeSystem,
  },
  {
    name: "a field's type narrows from interface to an implementing object",
    before:
      "interface Node { id: ID! } type Shop implements Node { id: ID! } type Item implements Node { id: ID! } type Query { node: Node item: Item }",
    after:
      "interface Node { id: ID! } type Shop implements Node { id: ID! } type Item implements Node { id: ID! } type Query { node: Shop item: Item }",
    expected: "breaking",
    words: "A fragment spread is only valid if its type condition could ever apply within the parent type.",
    source: validation,
  },
  {
    name: "an unknown directive of a federated graph is on both sides",
    before:
      'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"]) type Query { shop: Shop } type Shop @key(fields: "id") { id: ID! }',
    after:
      'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"]) type Query { shop: Shop } type Shop @key(fields: "id") { id: ID! name: String }',
    expected: "compatible",
    words: "GraphQL services define what directives they support.",
    source: validation,
  },
  {
    name: "a non-null input field with a default is removed",
    before: "type Query { find(by: By): Int } input By { limit: Int! = 10 text: String }",
    after: "type Query { find(by: By): Int } input By { text: String }",
    expected: "breaking",
    words:
      "Every input field provided in an input object value must be defined in the set of possible fields of that input object's expected type.",
    source: validation,
  },
];
