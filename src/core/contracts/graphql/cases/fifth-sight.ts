// A fifth round, through the catalogue of changes once more: every kind in both directions, in places that the earlier tables leave out. Written
// before it was run; decision 0073 has what it showed at first sight.

import type { ContractCase } from "../../contract-case.ts";
import { of } from "./fragments.ts";

const q = (more: string): string => `type Query { a: A } type A { x: Int } ${more}`;
const fields = (text: string): string => `type Query { a: A } ${text}`;
const js = "graphql-js, BreakingChangeType and DangerousChangeType";
const same = "The same schema in other words.";
const coercion = "GraphQL specification, section 3.11: input coercion of lists";

export const graphqlFifthSight: readonly ContractCase[] = [
  of("breaking", "a list of lists becomes a list", fields("type A { x: [[Int]] }"), fields("type A { x: [Int] }"), js),
  of(
    "breaking",
    "items inside items may be null",
    fields("type A { x: [[Int!]!]! }"),
    fields("type A { x: [[Int]!]! }"),
    js,
  ),
  of(
    "compatible",
    "items inside items are never null any more",
    fields("type A { x: [[Int]!]! }"),
    fields("type A { x: [[Int!]!]! }"),
    js,
  ),
  of(
    "breaking",
    "items inside items of an argument must be there",
    fields("type A { x(i: [[Int]]): Int }"),
    fields("type A { x(i: [[Int!]]): Int }"),
    js,
  ),
  of(
    "compatible",
    "items inside items of an argument need not be there",
    fields("type A { x(i: [[Int!]]): Int }"),
    fields("type A { x(i: [[Int]]): Int }"),
    js,
  ),
  of(
    "breaking",
    "an argument that was one is a list of lists",
    fields("type A { x(i: Int): Int }"),
    fields("type A { x(i: [[Int]]): Int }"),
    coercion,
  ),
  of(
    "breaking",
    "a field changes its type through an extension",
    `${q("")} extend type A { y: Int }`,
    `${q("")} extend type A { y: String }`,
    js,
  ),
  of(
    "breaking",
    "a value of an enum goes from an extension",
    `${q("enum E { X }")} extend enum E { Y }`,
    q("enum E { X }"),
    js,
  ),
  of(
    "breaking",
    "a member of a union goes from an extension",
    `${q("union U = A type B { y: Int }")} extend union U = B`,
    q("union U = A type B { y: Int }"),
    js,
  ),
  of(
    "breaking",
    "a field of an input comes by extension and is required",
    q("input I { x: Int }"),
    `${q("input I { x: Int }")} extend input I { y: Int! }`,
    js,
  ),
  of(
    "dangerous",
    "a field of an input comes by extension with a default",
    q("input I { x: Int }"),
    `${q("input I { x: Int }")} extend input I { y: Int! = 1 }`,
    js,
  ),
  of(
    "breaking",
    "a subscription goes",
    `${q("")} type Subscription { a: Int b: Int }`,
    `${q("")} type Subscription { a: Int }`,
    js,
  ),
  of(
    "breaking",
    "an argument of a subscription becomes required",
    `${q("")} type Subscription { a(i: Int): Int }`,
    `${q("")} type Subscription { a(i: Int!): Int }`,
    js,
  ),
  of(
    "dangerous",
    "an argument of an interface's field comes, and everywhere it is implemented",
    q("interface N { n: Int } type B implements N { n: Int }"),
    q("interface N { n(i: Int): Int } type B implements N { n(i: Int): Int }"),
    js,
  ),
  of(
    "breaking",
    "a field of an interface alone becomes nullable",
    q("interface N { n: Int! } type B implements N { n: Int! }"),
    q("interface N { n: Int } type B implements N { n: Int! }"),
    js,
  ),
  of(
    "compatible",
    "a type gives more than its interface promises",
    q("interface N { n: Int } type B implements N { n: Int }"),
    q("interface N { n: Int } type B implements N { n: Int! }"),
    js,
  ),
  of(
    "breaking",
    "the default of a required argument goes deep down",
    fields("type A { x(i: [I!]! = []): Int } input I { n: Int }"),
    fields("type A { x(i: [I!]!): Int } input I { n: Int }"),
    js,
  ),
  of(
    "dangerous",
    "a default inside a default changes",
    fields("type A { x(i: I = { n: 1 }): Int } input I { n: Int }"),
    fields("type A { x(i: I = { n: 2 }): Int } input I { n: Int }"),
    js,
  ),
  of(
    "compatible",
    "a default list is spaced otherwise",
    fields("type A { x(i: [Int] = [1,2]): Int }"),
    fields("type A { x(i: [Int] = [ 1 2 ]): Int }"),
    same,
  ),
  of(
    "dangerous",
    "a default of null is written where there was none",
    fields("type A { x(i: Int): Int }"),
    fields("type A { x(i: Int = null): Int }"),
    js,
  ),
  of(
    "breaking",
    "a directive for variables goes",
    q("directive @d on VARIABLE_DEFINITION | FIELD"),
    q("directive @d on FIELD"),
    js,
  ),
  of(
    "breaking",
    "an argument of a directive changes from one to a list of another",
    q("directive @d(a: Int) on FIELD"),
    q("directive @d(a: [String]) on FIELD"),
    js,
  ),
  of(
    "breaking",
    "an argument of a directive gets a default and may no longer be null",
    q("directive @d(a: Int) on OBJECT"),
    q("directive @d(a: Int! = 1) on OBJECT | FIELD_DEFINITION"),
    "An argument that is null was right before.",
  ),
  of(
    "breaking",
    "a custom scalar takes the place of Int in an input",
    q("scalar S input I { x: Int }"),
    q("scalar S input I { x: S }"),
    js,
  ),
  of(
    "breaking",
    "a union becomes an interface with the same members",
    q("union U = A"),
    "type Query { a: A } interface U { x: Int } type A implements U { x: Int }",
    js,
  ),
  of(
    "breaking",
    "an interface takes the place of a union in a field",
    "type Query { u: U } union U = A interface I { x: Int } type A implements I { x: Int }",
    "type Query { u: I } union U = A interface I { x: Int } type A implements I { x: Int }",
    js,
  ),
  of(
    "compatible",
    "an interface is implemented by a further interface and its type",
    q("interface N { n: Int } interface M { n: Int } type B implements N & M { n: Int }"),
    q("interface N { n: Int } interface M { n: Int } type B implements M & N { n: Int }"),
    same,
  ),
  of(
    "compatible",
    "an enum's value is described and deprecated",
    q("enum E { X Y }"),
    q('enum E { X "no longer" Y @deprecated(reason: "gone soon") }'),
    "Deprecation takes nothing away.",
  ),
];
