// The fifth round, first part: alternatives, which are paired and compared one by one, in both directions.

import { answer, json, list, object, ok, ref, text, whole } from "./fragments.ts";
import type { OpenApiCase } from "./minimal-document.ts";

const said = {
  oneOf: "JSON Schema Core 10.2.1.3: oneOf is valid if exactly one subschema is.",
  anyOf: "JSON Schema Core 10.2.1.2: anyOf is valid if at least one subschema is.",
  tag: "OpenAPI Discriminator Object: the value of the property says which schema the payload follows.",
  gone: "A property that was promised in a response is no longer described.",
  sent: "What a sender was allowed to send is refused.",
  same: "Both are valid for the same instances.",
};
const cat = object({ kind: text, meow: text }, ["kind"]);
const dog = (breed: unknown, required: string[] = ["kind"]) =>
  object({ kind: text, ...(breed === null ? {} : { breed }) }, required);
const tagged = { discriminator: { propertyName: "kind" } };
const mapped = (mapping: object) => ({ discriminator: { propertyName: "kind", mapping } });
const inAnswer = (schema: unknown, schemas: object) => ({
  paths: { "/pets": { get: { responses: answer(schema) } } },
  components: { schemas },
});
const inRequest = (schema: unknown, schemas: object) => ({
  paths: { "/pets": { post: { requestBody: { required: true, content: json(schema) }, responses: ok } } },
  components: { schemas },
});
const pets = { oneOf: [ref("Cat"), ref("Dog")] };
const either = { anyOf: [ref("Cat"), ref("Dog")] };
const withDog = (Dog: unknown) => ({ Cat: cat, Dog });
const told = (kind: string, more: object = {}) => object({ kind: { const: kind }, ...more }, ["kind"]);
const closed = (properties: object, required: string[] = []) => ({
  ...object(properties, required),
  additionalProperties: false,
});

export const fifthSightAlternatives: readonly OpenApiCase[] = [
  [
    "breaking",
    "a tagged alternative of an answer changes a type",
    "document",
    inAnswer({ ...pets, ...tagged }, withDog(dog(text))),
    inAnswer({ ...pets, ...tagged }, withDog(dog(whole))),
    said.tag,
  ],
  [
    "breaking",
    "a tagged alternative of an answer loses a property",
    "document",
    inAnswer({ ...pets, ...tagged }, withDog(dog(text))),
    inAnswer({ ...pets, ...tagged }, withDog(dog(null))),
    said.gone,
  ],
  [
    "compatible",
    "a tagged alternative of an answer gets a property",
    "document",
    inAnswer({ ...pets, ...tagged }, withDog(dog(null))),
    inAnswer({ ...pets, ...tagged }, withDog(dog(text))),
    said.tag,
  ],
  [
    "breaking",
    "a tagged alternative of a request changes a type",
    "document",
    inRequest({ ...pets, ...tagged }, withDog(dog(text))),
    inRequest({ ...pets, ...tagged }, withDog(dog(whole))),
    said.sent,
  ],
  [
    "breaking",
    "a tagged alternative of a request requires more",
    "document",
    inRequest({ ...pets, ...tagged }, withDog(dog(text))),
    inRequest({ ...pets, ...tagged }, withDog(dog(text, ["kind", "breed"]))),
    said.sent,
  ],
  [
    "compatible",
    "a tagged alternative of an answer requires more",
    "document",
    inAnswer({ ...pets, ...tagged }, withDog(dog(text))),
    inAnswer({ ...pets, ...tagged }, withDog(dog(text, ["kind", "breed"]))),
    said.tag,
  ],
  [
    "breaking",
    "a named alternative without a tag changes a type in an answer",
    "document",
    inAnswer(pets, withDog(dog(text))),
    inAnswer(pets, withDog(dog(whole))),
    said.oneOf,
  ],
  [
    "breaking",
    "a named alternative of anyOf changes a type in an answer",
    "document",
    inAnswer(either, withDog(dog(text))),
    inAnswer(either, withDog(dog(whole))),
    said.anyOf,
  ],
  [
    "breaking",
    "a named alternative of anyOf changes a type in a request",
    "document",
    inRequest(either, withDog(dog(text))),
    inRequest(either, withDog(dog(whole))),
    said.anyOf,
  ],
  [
    "breaking",
    "an alternative of an answer may leave out a property",
    "document",
    inAnswer(pets, withDog(dog(text, ["kind", "breed"]))),
    inAnswer(pets, withDog(dog(text))),
    said.gone,
  ],
  [
    "compatible",
    "an alternative of a request may leave out a property",
    "document",
    inRequest(pets, withDog(dog(text, ["kind", "breed"]))),
    inRequest(pets, withDog(dog(text))),
    said.oneOf,
  ],
  [
    "breaking",
    "a bound comes to one alternative of a request",
    "document",
    inRequest(pets, withDog(dog(text))),
    inRequest(pets, withDog(dog({ ...text, maxLength: 5 }))),
    said.sent,
  ],
  [
    "compatible",
    "a bound comes to one alternative of an answer",
    "document",
    inAnswer(pets, withDog(dog(text))),
    inAnswer(pets, withDog(dog({ ...text, maxLength: 5 }))),
    said.oneOf,
  ],
  [
    "breaking",
    "a bound goes from one alternative of an answer",
    "document",
    inAnswer(pets, withDog(dog({ ...text, maxLength: 5 }))),
    inAnswer(pets, withDog(dog(text))),
    said.oneOf,
  ],
  [
    "breaking",
    "a nullable property in one alternative of an answer",
    "document",
    inAnswer(pets, withDog(dog(text))),
    inAnswer(pets, withDog(dog({ type: ["string", "null"] }))),
    said.oneOf,
  ],
  [
    "breaking",
    "an alternative of a list's items changes",
    "document",
    inAnswer(list(pets), withDog(dog(text))),
    inAnswer(list(pets), withDog(dog(whole))),
    said.oneOf,
  ],
  [
    "breaking",
    "an alternative deep inside changes",
    "document",
    inAnswer(object({ owner: object({ pet: pets }) }), withDog(dog(text))),
    inAnswer(object({ owner: object({ pet: pets }) }), withDog(dog(whole))),
    said.oneOf,
  ],
  [
    "compatible",
    "the alternatives only change places",
    "document",
    inAnswer(pets, withDog(dog(text))),
    inAnswer({ oneOf: [ref("Dog"), ref("Cat")] }, withDog(dog(text))),
    said.same,
  ],
  [
    "compatible",
    "a mapped schema gets another name",
    "document",
    inAnswer({ ...pets, ...mapped({ cat: ref("Cat").$ref, dog: ref("Dog").$ref }) }, withDog(dog(text))),
    inAnswer(
      { oneOf: [ref("Cat"), ref("Hound")], ...mapped({ cat: ref("Cat").$ref, dog: ref("Hound").$ref }) },
      { Cat: cat, Hound: dog(text) },
    ),
    said.tag,
  ],
  [
    "breaking",
    "a mapped schema gets another name and another type",
    "document",
    inAnswer({ ...pets, ...mapped({ cat: ref("Cat").$ref, dog: ref("Dog").$ref }) }, withDog(dog(text))),
    inAnswer(
      { oneOf: [ref("Cat"), ref("Hound")], ...mapped({ cat: ref("Cat").$ref, dog: ref("Hound").$ref }) },
      { Cat: cat, Hound: dog(whole) },
    ),
    said.tag,
  ],
  [
    "breaking",
    "an alternative that extends another is added to an answer",
    "response",
    { oneOf: [told("cat"), told("dog")] },
    { oneOf: [told("cat"), told("dog"), told("cow", { milk: text })] },
    said.oneOf,
  ],
  [
    "compatible",
    "an alternative is added to a request",
    "request",
    { oneOf: [told("cat"), told("dog")] },
    { oneOf: [told("cat"), told("dog"), told("cow", { milk: text })] },
    said.oneOf,
  ],
  [
    "breaking",
    "an alternative goes from a request though a sibling is open",
    "document",
    inRequest(pets, withDog(dog(text))),
    inRequest({ oneOf: [ref("Cat")] }, withDog(dog(text))),
    said.sent,
  ],
  [
    "breaking",
    "an inline alternative with a constant changes a type",
    "response",
    { oneOf: [told("cat"), told("dog", { breed: text })] },
    { oneOf: [told("cat"), told("dog", { breed: whole })] },
    said.oneOf,
  ],
  [
    "breaking",
    "an inline alternative with a constant loses a property",
    "response",
    { oneOf: [told("cat"), told("dog", { breed: text })] },
    { oneOf: [told("cat"), told("dog")] },
    said.gone,
  ],
  [
    "breaking",
    "a nameless alternative changes a type",
    "response",
    { oneOf: [object({ meow: text }), object({ breed: text })] },
    { oneOf: [object({ meow: text }), object({ breed: whole })] },
    said.oneOf,
  ],
  [
    "breaking",
    "a titled alternative changes a type",
    "response",
    {
      oneOf: [
        { ...object({ a: text }), title: "A" },
        { ...object({ b: text }), title: "B" },
      ],
    },
    {
      oneOf: [
        { ...object({ a: text }), title: "A" },
        { ...object({ b: whole }), title: "B" },
      ],
    },
    said.oneOf,
  ],
  [
    "breaking",
    "one text alternative of oneOf begins to overlap another in a request",
    "request",
    {
      oneOf: [
        { ...text, maxLength: 5 },
        { ...text, minLength: 6 },
      ],
    },
    {
      oneOf: [
        { ...text, maxLength: 5 },
        { ...text, minLength: 3 },
      ],
    },
    said.oneOf,
  ],
  [
    "compatible",
    "one text alternative of anyOf begins to overlap another in a request",
    "request",
    {
      anyOf: [
        { ...text, maxLength: 5 },
        { ...text, minLength: 6 },
      ],
    },
    {
      anyOf: [
        { ...text, maxLength: 5 },
        { ...text, minLength: 3 },
      ],
    },
    said.anyOf,
  ],
  [
    "breaking",
    "numbers of two alternatives of oneOf begin to overlap in a request",
    "request",
    {
      oneOf: [
        { ...whole, maximum: 9 },
        { ...whole, minimum: 10 },
      ],
    },
    {
      oneOf: [
        { ...whole, maximum: 12 },
        { ...whole, minimum: 10 },
      ],
    },
    said.oneOf,
  ],
  [
    "breaking",
    "an alternative of oneOf loses the constant that told it apart, in a request",
    "request",
    { oneOf: [told("cat"), told("dog")] },
    { oneOf: [told("cat"), object({ kind: text }, ["kind"])] },
    said.oneOf,
  ],
  [
    "breaking",
    "an alternative that swallows another is added to oneOf in a request",
    "request",
    { oneOf: [{ ...text, maxLength: 5 }, whole] },
    { oneOf: [{ ...text, maxLength: 5 }, whole, text] },
    said.oneOf,
  ],
  [
    "compatible",
    "an alternative that swallows another is added to anyOf in a request",
    "request",
    { anyOf: [{ ...text, maxLength: 5 }, whole] },
    { anyOf: [{ ...text, maxLength: 5 }, whole, text] },
    said.anyOf,
  ],
  [
    "compatible",
    "what one alternative of anyOf loses, another still allows, in a request",
    "request",
    { anyOf: [{ ...text, maxLength: 9 }, text] },
    { anyOf: [{ ...text, maxLength: 5 }, text] },
    said.anyOf,
  ],
  [
    "compatible",
    "what one alternative of anyOf gains, another allowed before, in an answer",
    "response",
    { anyOf: [{ ...text, maxLength: 5 }, text] },
    { anyOf: [{ ...text, maxLength: 9 }, text] },
    said.anyOf,
  ],
  [
    "breaking",
    "a closed alternative of a request refuses a property",
    "request",
    { oneOf: [closed({ a: text }), closed({ b: text, c: text })] },
    { oneOf: [closed({ a: text }), closed({ b: text })] },
    said.sent,
  ],
  [
    "breaking",
    "of two lists in one schema the second changes",
    "response",
    {
      allOf: [
        { oneOf: [object({ a: text }), object({ b: text })] },
        { anyOf: [object({ c: text }), object({ d: text })] },
      ],
    },
    {
      allOf: [
        { oneOf: [object({ a: text }), object({ b: text })] },
        { anyOf: [object({ c: text }), object({ d: whole })] },
      ],
    },
    said.anyOf,
  ],
  [
    "breaking",
    "what stands beside the alternatives of a request requires more",
    "request",
    { ...object({ id: text }), oneOf: [object({ a: text }), object({ b: text })] },
    { ...object({ id: text }, ["id"]), oneOf: [object({ a: text }), object({ b: text })] },
    said.sent,
  ],
  [
    "breaking",
    "what stands beside the alternatives of an answer loses a property",
    "response",
    { ...object({ id: text, at: text }), oneOf: [object({ a: text }), object({ b: text })] },
    { ...object({ id: text }), oneOf: [object({ a: text }), object({ b: text })] },
    said.gone,
  ],
  [
    "compatible",
    "a property moves from every alternative beside them",
    "response",
    { oneOf: [object({ id: text, a: text }), object({ id: text, b: text })] },
    { ...object({ id: text }), oneOf: [object({ a: text }), object({ b: text })] },
    said.same,
  ],
  [
    "breaking",
    "a single schema of an answer becomes one of two",
    "document",
    inAnswer(ref("Cat"), withDog(dog(text))),
    inAnswer(pets, withDog(dog(text))),
    said.oneOf,
  ],
  [
    "breaking",
    "one of two in a request becomes a single schema",
    "document",
    inRequest(pets, withDog(dog(text))),
    inRequest(ref("Cat"), withDog(dog(text))),
    said.sent,
  ],
  [
    "breaking",
    "an alternative inside an alternative changes",
    "document",
    inAnswer({ oneOf: [ref("Pet"), ref("Cow")] }, { Pet: pets, Cow: object({ milk: text }), ...withDog(dog(text)) }),
    inAnswer({ oneOf: [ref("Pet"), ref("Cow")] }, { Pet: pets, Cow: object({ milk: text }), ...withDog(dog(whole)) }),
    said.oneOf,
  ],
  [
    "breaking",
    "an allOf inside an alternative changes",
    "document",
    inAnswer(pets, { Cat: cat, Dog: { allOf: [ref("Base"), object({ breed: text })] }, Base: object({ id: text }) }),
    inAnswer(pets, { Cat: cat, Dog: { allOf: [ref("Base"), object({ breed: text })] }, Base: object({ id: whole }) }),
    said.oneOf,
  ],
];
