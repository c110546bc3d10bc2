import { expect, test } from "bun:test";
import { KnownAnswers } from "./known-answers.ts";

interface Node {
  readonly name: string;
  readonly holds: boolean;
  next: Node[];
}

/** Returns a function that tells whether everything a node can reach holds, asked through the memory. */
function asking(answers: KnownAnswers<Node>, asked: string[]): (node: Node) => boolean {
  const ask = (node: Node): boolean =>
    answers.ask("mode", node, node, () => {
      asked.push(node.name);
      // All are asked, also after a no.
      return node.next.map(ask).every(Boolean) && node.holds;
    });
  return ask;
}

function node(name: string, holds = true): Node {
  return { name, holds, next: [] };
}

test("a question that leads back to itself has an answer", () => {
  const [a, b] = [node("a"), node("b")];
  a.next = [b];
  b.next = [a];
  const asked: string[] = [];
  const ask = asking(new KnownAnswers(), asked);
  expect([ask(a), ask(b), ask(a)]).toEqual([true, true, true]);
  expect(asked).toEqual(["a", "b"]);
});

test("a yes that leant on what turned out no is asked again", () => {
  const [a, b, bad] = [node("a"), node("b"), node("bad", false)];
  a.next = [b, bad];
  b.next = [a];
  const ask = asking(new KnownAnswers(), []);
  expect([ask(a), ask(b)]).toEqual([false, false]);
});

test("a yes that leant on nothing open stays, whatever becomes of those who asked", () => {
  const [a, leaf, bad] = [node("a"), node("leaf"), node("bad", false)];
  a.next = [leaf, bad];
  const asked: string[] = [];
  const ask = asking(new KnownAnswers(), asked);
  expect([ask(a), ask(leaf)]).toEqual([false, true]);
  expect(asked).toEqual(["a", "leaf", "bad"]);
});
