import { expect, test } from "bun:test";
import { owner, refuseUnlessAllowed, askerNamed } from "../protocol/authority.ts";
import { operations } from "../protocol/operations/all.ts";
import { makeFetch, type ServeParts } from "./serve.ts";

/** The daemon's door with nothing behind it: what gets through is told by whose name it reached a handler. */
function door(): { ask: (name: string, actor?: string) => Promise<{ code?: string; actor?: string }> } {
  const handler = async (context: { actor: string }): Promise<unknown> => ({ actor: context.actor });
  const fetch = makeFetch({
    handlers: Object.fromEntries(Object.keys(operations).map((name) => [name, handler])),
    contextFor: (actor: string) => ({ actor }),
    version: "0",
    log: () => {},
    stopping: new AbortController().signal,
  } as unknown as ServeParts);
  return {
    async ask(name, actor) {
      const headers: Record<string, string> = actor === undefined ? {} : { "x-constel-actor": actor };
      const response = await fetch(new Request(`http://constel/op/${name}`, { method: "POST", headers, body: "{}" }));
      const body = (await response.json()) as { error?: { code: string }; actor?: string };
      return { ...(body.error && { code: body.error.code }), ...(body.actor && { actor: body.actor }) };
    },
  };
}

test("every operation is refused to who may not ask it, whatever door they came through", async () => {
  const { ask } = door();
  for (const { name, may } of Object.values(operations)) {
    for (const actor of ["owner", "agent0", "agentinfinity", "agent7"]) {
      const expected = refuseUnlessAllowed(askerNamed(actor), may, name)?.code;
      const { code } = await ask(name, actor);
      const refused = code?.startsWith("authority.") === true ? code : undefined;
      expect([name, actor, refused]).toEqual([name, actor, expected]);
    }
  }
});

test("who says nothing on the owner's own socket is the owner; a name that is nobody's is refused", async () => {
  const { ask } = door();
  expect(await ask("task.list")).toEqual({ actor: owner.name });
  expect(await ask("task.list", "agent7")).toEqual({ actor: "agent7" });
  for (const actor of ["root", "owner2", "agent", "Agent1"])
    expect(await ask("task.list", actor)).toEqual({ code: "agent.bad-id" });
});
