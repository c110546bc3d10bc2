import { expect, test } from "bun:test";
import { Outage, Refusal } from "../protocol/errors.ts";
import { type Answers, makeLink } from "./link.ts";

interface Far {
  slow(input: object): string;
  quick(input: { readonly a: number }): readonly [string, number];
  locate(input: object): string;
}

interface Near {
  anything(input: object): string;
}

const none = (): never => {
  throw new Error("nobody asks this");
};

function ends(answers: Partial<Answers<Far>>) {
  const { port1, port2 } = new MessageChannel();
  const near = makeLink<Far, Near>(port1, { anything: () => "near" });
  const far = makeLink<Near, Far>(port2, { slow: none, quick: none, locate: none, ...answers });
  port1.start();
  port2.start();
  return { near, far, close: () => (port1.close(), port2.close()) };
}

test("both ends ask and answer, and answers find their question whatever the order", async () => {
  const slow = Promise.withResolvers<string>();
  const { near, far, close } = ends({ slow: () => slow.promise, quick: ({ a }) => ["quick", a] });
  const first = near.ask("slow", {});
  expect(await near.ask("quick", { a: 1 })).toEqual(["quick", 1]);
  expect(await far.ask("anything", {})).toBe("near");
  slow.resolve("at last");
  expect(await first).toBe("at last");
  close();
});

test("a refusal arrives as the refusal it was", async () => {
  const { near, close } = ends({
    locate: () => {
      throw new Refusal("git.not-a-repository", "/x is not in a git repository", { path: "/x" });
    },
  });
  const refusal = await near.ask("locate", {}).catch((cause: unknown) => cause);
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({ code: "git.not-a-repository", facts: { path: "/x" } });
  close();
});

test("when the other end is gone, who waits is told, and who asks later too", async () => {
  const { near, close } = ends({ slow: () => new Promise(() => {}) });
  const waiting = near.ask("slow", {}).catch((cause: unknown) => cause);
  near.cut("it crashed");
  expect(await waiting).toBeInstanceOf(Outage);
  expect(await near.ask("slow", {}).catch((cause: unknown) => cause)).toMatchObject({ mayRetry: true });
  close();
});
