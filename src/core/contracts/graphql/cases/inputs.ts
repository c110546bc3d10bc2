// What clients send: arguments, input objects, and the defaults of both.

import type { ContractCase } from "../../contract-case.ts";

const validation = "GraphQL specification, section 5 (Validation)";
const typeSystem = "GraphQL specification, section 3 (Type System)";
const changes = "graphql-js, findBreakingChanges and findDangerousChanges";
const inspector = "GraphQL Inspector documentation, diff";
const required =
  "An argument is required if the argument type is non-null and does not have a default value. Otherwise, the argument is optional.";
const requiredField =
  "An input field is required if it has a non-null type and does not have a default value. Otherwise, the input object field is optional.";
const defined =
  "Every argument provided to a field or directive must be defined in the set of possible arguments of that field or directive.";
const definedField =
  "Every input field provided in an input object value must be defined in the set of possible fields of that input object's expected type.";
const variables = "Variable usages must be compatible with the arguments they are passed to.";
const behaviour =
  "Changing the default value for an argument may change the runtime behavior of a field if it was never provided.";

const query = (field: string): string => `type Query { ${field} }`;
const input = (fields: string): string => `type Query { a(by: By): Int } input By { ${fields} }`;

export const graphqlInputCases: readonly ContractCase[] = [
  {
    name: "a required argument is added",
    before: query("a: Int"),
    after: query("a(x: Int!): Int"),
    expected: "breaking",
    words: required,
    source: validation,
  },
  {
    name: "a required argument is added beside others",
    before: query("a(y: Int): Int"),
    after: query("a(y: Int, x: [ID!]!): Int"),
    expected: "breaking",
    words: required,
    source: validation,
  },
  {
    name: "an optional argument is added",
    before: query("a: Int"),
    after: query("a(x: Int): Int"),
    expected: "dangerous",
    words: "OPTIONAL_ARG_ADDED: may change the runtime behaviour of clients that leave it out",
    source: changes,
  },
  {
    name: "a non-null argument with a default is added",
    before: query("a: Int"),
    after: query("a(x: Int! = 3): Int"),
    expected: "dangerous",
    words: required,
    source: validation,
  },
  {
    name: "a new field has a required argument",
    before: query("a: Int"),
    after: query("a: Int b(x: Int!): Int"),
    expected: "compatible",
    words: required,
    source: validation,
  },
  {
    name: "an argument is removed",
    before: query("a(x: Int, y: Int): Int"),
    after: query("a(x: Int): Int"),
    expected: "breaking",
    words: defined,
    source: validation,
  },
  {
    name: "a deprecated argument is removed",
    before: query("a(x: Int, y: Int @deprecated): Int"),
    after: query("a(x: Int): Int"),
    expected: "breaking",
    words: defined,
    source: validation,
  },
  {
    name: "an argument is renamed",
    before: query("a(first: Int): Int"),
    after: query("a(limit: Int): Int"),
    expected: "breaking",
    words: defined,
    source: validation,
  },
  {
    name: "an argument becomes non-null",
    before: query("a(x: Int): Int"),
    after: query("a(x: Int!): Int"),
    expected: "breaking",
    words: "Validation failures occur when […] a nullable type in a variable is passed to a non-null argument type.",
    source: validation,
  },
  {
    name: "an argument becomes nullable",
    before: query("a(x: Int!): Int"),
    after: query("a(x: Int): Int"),
    expected: "compatible",
    words: variables,
    source: validation,
  },
  {
    name: "an argument's list and items become nullable",
    before: query("a(x: [Int!]!): Int"),
    after: query("a(x: [Int]): Int"),
    expected: "compatible",
    words: variables,
    source: validation,
  },
  {
    name: "an argument becomes a list",
    before: query("a(x: Int): Int"),
    after: query("a(x: [Int]): Int"),
    expected: "breaking",
    words: "AreTypesCompatible: if locationType is a list type and variableType is not, return false",
    source: validation,
  },
  {
    name: "an argument is no longer a list",
    before: query("a(x: [Int]): Int"),
    after: query("a(x: Int): Int"),
    expected: "breaking",
    words: variables,
    source: validation,
  },
  {
    name: "an argument changes from Int to Float",
    before: query("a(x: Int): Int"),
    after: query("a(x: Float): Int"),
    expected: "breaking",
    words: "ARG_CHANGED_KIND: a variable of the old type no longer fits",
    source: changes,
  },
  {
    name: "an argument changes from String to ID",
    before: query("a(x: String): Int"),
    after: query("a(x: ID): Int"),
    expected: "breaking",
    words: "ARG_CHANGED_KIND: a variable of the old type no longer fits",
    source: changes,
  },
  {
    name: "an argument changes to another input object of the same shape",
    before: "type Query { a(x: A): Int b(x: B): Int } input A { n: Int } input B { n: Int }",
    after: "type Query { a(x: B): Int b(x: B): Int } input A { n: Int } input B { n: Int }",
    expected: "breaking",
    words: variables,
    source: validation,
  },
  {
    name: "an argument's default changes",
    before: query("a(x: Int = 1): Int"),
    after: query("a(x: Int = 2): Int"),
    expected: "dangerous",
    words: behaviour,
    source: inspector,
  },
  {
    name: "an argument gets a default",
    before: query("a(x: Int): Int"),
    after: query("a(x: Int = 2): Int"),
    expected: "dangerous",
    words: behaviour,
    source: inspector,
  },
  {
    name: "an argument loses its default and stays nullable",
    before: query("a(x: Int = 2): Int"),
    after: query("a(x: Int): Int"),
    expected: "dangerous",
    words: behaviour,
    source: inspector,
  },
  {
    name: "a non-null argument loses its default",
    before: query("a(x: Int! = 2): Int"),
    after: query("a(x: Int!): Int"),
    expected: "breaking",
    words: required,
    source: validation,
  },
  {
    name: "a non-null input field loses its default",
    before: input("x: Int! = 2 y: Int"),
    after: input("x: Int! y: Int"),
    expected: "breaking",
    words: requiredField,
    source: validation,
  },
  {
    name: "a default object is written in another order",
    before: "type Query { a(by: By = { x: 1, y: 2 }): Int } input By { x: Int y: Int }",
    after: "type Query { a(by: By = { y: 2, x: 1 }): Int } input By { x: Int y: Int }",
    expected: "compatible",
    words: "Input object fields may be provided in any syntactic order and maintain identical semantic meaning.",
    source: "GraphQL specification, section 2 (Language)",
  },
  {
    name: "a default string is written as a block string",
    before: query('a(x: String = "one"): Int'),
    after: query('a(x: String = """one"""): Int'),
    expected: "compatible",
    words:
      "the string value semantics of a block string excludes uniform indentation and blank initial and trailing lines via BlockStringValue()",
    source: "GraphQL specification, section 2 (Language)",
  },
  {
    name: "a default list changes",
    before: query("a(x: [Int!] = [1, 2]): Int"),
    after: query("a(x: [Int!] = [1, 2, 3]): Int"),
    expected: "dangerous",
    words: behaviour,
    source: inspector,
  },
  {
    name: "a required input field is added",
    before: input("x: Int"),
    after: input("x: Int y: Int!"),
    expected: "breaking",
    words: requiredField,
    source: validation,
  },
  {
    name: "an optional input field is added",
    before: input("x: Int"),
    after: input("x: Int y: Int"),
    expected: "compatible",
    words: requiredField,
    source: validation,
  },
  {
    name: "an input field with a default is added",
    before: input("x: Int"),
    after: input("x: Int y: Int! = 1"),
    expected: "dangerous",
    words: "Adding a field with a default value can change runtime behavior for clients that previously omitted it",
    source: inspector,
  },
  {
    name: "an input field is removed",
    before: input("x: Int y: Int"),
    after: input("x: Int"),
    expected: "breaking",
    words: definedField,
    source: validation,
  },
  {
    name: "an input field becomes non-null",
    before: input("x: Int"),
    after: input("x: Int!"),
    expected: "breaking",
    words: requiredField,
    source: validation,
  },
  {
    name: "an input field becomes nullable",
    before: input("x: Int!"),
    after: input("x: Int"),
    expected: "compatible",
    words: variables,
    source: validation,
  },
  {
    name: "an input field becomes a list",
    before: input("x: Int"),
    after: input("x: [Int]"),
    expected: "breaking",
    words: variables,
    source: validation,
  },
  {
    name: "an input field's default changes",
    before: input("x: Int = 1"),
    after: input("x: Int = 2"),
    expected: "dangerous",
    words: behaviour,
    source: inspector,
  },
  {
    name: "an input field is deprecated",
    before: input("x: Int y: Int"),
    after: input("x: Int y: Int @deprecated"),
    expected: "compatible",
    words:
      "deprecated fields on a type, arguments on a field, input fields on an input type, or values of an enum type",
    source: typeSystem,
  },
  {
    name: "an input object is added",
    before: query("a: Int"),
    after: "type Query { a: Int b(by: By): Int } input By { x: Int! }",
    expected: "compatible",
    words: requiredField,
    source: validation,
  },
  {
    name: "an input object is no longer a OneOf",
    before: "type Query { a(by: By): Int } input By @oneOf { x: Int y: Int }",
    after: "type Query { a(by: By): Int } input By { x: Int y: Int }",
    expected: "compatible",
    words: "exactly one field must be set and non-null, all others being omitted",
    source: typeSystem,
  },
  {
    name: "a member is added to a OneOf input object",
    before: "type Query { a(by: By): Int } input By @oneOf { x: Int }",
    after: "type Query { a(by: By): Int } input By @oneOf { x: Int y: Int }",
    expected: "compatible",
    words: "exactly one field must be set and non-null, all others being omitted",
    source: typeSystem,
  },
  {
    name: "an argument of an interface's field becomes required",
    before: "type Query { n: N } interface N { a(x: Int): Int } type A implements N { a(x: Int): Int }",
    after: "type Query { n: N } interface N { a(x: Int!): Int } type A implements N { a(x: Int!): Int }",
    expected: "breaking",
    words: required,
    source: validation,
  },
];
