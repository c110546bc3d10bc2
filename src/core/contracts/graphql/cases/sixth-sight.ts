// A sixth round: interfaces of interfaces, unions, inputs of which exactly one is given, directives, and extensions. Written before it was run; decision
// 0120 has what it showed at first sight.

import type { ContractCase } from "../../contract-case.ts";
import { of } from "./fragments.ts";

const q = (more: string): string =>
  `type Query { n: N a: A } interface N { id: ID! } type A implements N { id: ID! x: Int } ${more}`;
const js = "graphql-js, BreakingChangeType and DangerousChangeType";
const same = "The same schema in other words.";
const asks = (inputs: string): string => `type Query { a(i: I): Int } ${inputs}`;

export const graphqlSixthSight: readonly ContractCase[] = [
  of(
    "breaking",
    "an interface loses a field that its types keep",
    "type Query { n: N } interface N { id: ID! x: Int } type A implements N { id: ID! x: Int }",
    "type Query { n: N } interface N { id: ID! } type A implements N { id: ID! x: Int }",
    js,
  ),
  of(
    "compatible",
    "an interface gets a field that its types have",
    "type Query { n: N } interface N { id: ID! } type A implements N { id: ID! x: Int }",
    "type Query { n: N } interface N { id: ID! x: Int } type A implements N { id: ID! x: Int }",
    js,
  ),
  of("dangerous", "another type is an N as well", q("type B { id: ID! }"), q("type B implements N { id: ID! }"), js),
  of("breaking", "a type is no N any more", q("type B implements N { id: ID! }"), q("type B { id: ID! }"), js),
  of(
    "breaking",
    "an interface builds on another no more",
    q("interface M implements N { id: ID! } type B implements M & N { id: ID! }"),
    q("interface M { id: ID! } type B implements M & N { id: ID! }"),
    js,
  ),
  of(
    "dangerous",
    "a union within a list gets a member",
    "type Query { u: [U!]! } union U = A type A { x: Int } type B { y: Int }",
    "type Query { u: [U!]! } union U = A | B type A { x: Int } type B { y: Int }",
    js,
  ),
  of(
    "breaking",
    "a union loses a member that still exists",
    "type Query { u: U b: B } union U = A | B type A { x: Int } type B { y: Int }",
    "type Query { u: U b: B } union U = A type A { x: Int } type B { y: Int }",
    js,
  ),
  of(
    "breaking",
    "an input inside an input needs a field",
    asks("input I { j: J } input J { x: Int }"),
    asks("input I { j: J } input J { x: Int y: Int! }"),
    js,
  ),
  of(
    "compatible",
    "an input inside an input may have a field more",
    asks("input I { j: J } input J { x: Int }"),
    asks("input I { j: J } input J { x: Int y: Int }"),
    "GraphQL specification, Input Object Required Fields: only those need be given.",
  ),
  of(
    "breaking",
    "exactly one field of an input must be given",
    asks("input I { x: Int y: Int }"),
    asks("input I @oneOf { x: Int y: Int }"),
    "GraphQL specification, September 2025: OneOf Input Objects",
  ),
  of(
    "compatible",
    "more than one field of an input may be given",
    asks("input I @oneOf { x: Int y: Int }"),
    asks("input I { x: Int y: Int }"),
    "What was valid stays valid.",
  ),
  of(
    "breaking",
    "a directive of queries may not stand on fields any more",
    q("directive @d on FIELD | QUERY"),
    q("directive @d on QUERY"),
    js,
  ),
  of(
    "compatible",
    "a directive of queries may stand in more places",
    q("directive @d on QUERY"),
    q("directive @d on QUERY | FIELD"),
    js,
  ),
  of(
    "breaking",
    "a directive of queries needs an argument",
    q("directive @d on FIELD"),
    q("directive @d(by: Int!) on FIELD"),
    js,
  ),
  of(
    "breaking",
    "a directive may stand only once",
    q("directive @d repeatable on FIELD"),
    q("directive @d on FIELD"),
    js,
  ),
  of(
    "breaking",
    "a field of an interface answers with one of its types",
    "type Query { n: N m: M } interface N { id: ID! } type A implements N { id: ID! } type B implements N { id: ID! } type M { n: N }",
    "type Query { n: N m: M } interface N { id: ID! } type A implements N { id: ID! } type B implements N { id: ID! } type M { n: A }",
    js,
  ),
  of(
    "compatible",
    "what extensions said is said in the type",
    "type Query { a: A } type A { x: Int } extend type A { y: Int } enum E { P } extend enum E { Q }",
    "type Query { a: A } type A { x: Int y: Int } enum E { P Q }",
    same,
  ),
  of(
    "compatible",
    "a field is marked with a reason",
    q("type B { x: Int }"),
    q('type B { x: Int @deprecated(reason: "use y") }'),
    js,
  ),
  of(
    "breaking",
    "a subscription is gone",
    "type Query { a: Int } type Subscription { a: Int b: Int }",
    "type Query { a: Int } type Subscription { a: Int }",
    js,
  ),
  of(
    "breaking",
    "the root of mutations is another type",
    "schema { query: Query mutation: M } type Query { a: Int } type M { x: Int } type O { y: Int }",
    "schema { query: Query mutation: O } type Query { a: Int } type M { x: Int } type O { y: Int }",
    "A query for x on mutations is refused.",
  ),
  of(
    "dangerous",
    "an argument has another default, deep in an object",
    asks("input I { x: J = { a: 1 } } input J { a: Int }"),
    asks("input I { x: J = { a: 2 } } input J { a: Int }"),
    js,
  ),
  of(
    "compatible",
    "a default object has its fields in another order",
    asks("input I { x: J = { a: 1, b: 2 } } input J { a: Int b: Int }"),
    asks("input I { x: J = { b: 2, a: 1 } } input J { a: Int b: Int }"),
    same,
  ),
];
