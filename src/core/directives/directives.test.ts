import { expect, test } from "bun:test";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { systemClock } from "../../host/clock/system-clock.ts";
import { auditEvidence } from "../../host/keys/audit-machine.ts";
import { signWith } from "../../host/keys/ed25519.ts";
import { makeOwnerKey, ownerKey, signingKey } from "../../host/keys/key-files.ts";
import { seededRandom } from "../../ports/fake-clock.ts";
import { directiveBytes } from "../../protocol/owners-word.ts";
import { addDirective, listDirectives } from "./directives.ts";
import { rejection } from "../../../test/kit/rejection.ts";

const here = withStore(sqliteScene);
const word = { id: "dir_00000000000000000000000001", at_ms: Date.now(), text: "Nothing lands today." };

function begin() {
  const directory = temporaryDirectory("directives");
  const home = directory.path;
  makeOwnerKey(home, systemClock, {});
  const { store } = here;
  const audit = auditEvidence(home);
  const context = {
    store,
    clock: systemClock,
    random: seededRandom(),
    constellation: "constel0",
    actor: "owner",
    audit,
  };
  const signed = (holder: "owner" | "agent1", text = word.text): string => {
    const signing = holder === "owner" ? ownerKey(home, () => "") : signingKey(home, holder, systemClock);
    return signWith(signing, directiveBytes({ ...word, text }));
  };
  return { context, signed, [Symbol.dispose]: () => directory[Symbol.dispose]() };
}

test("what the owner's key signed is written down and shown as verified", async () => {
  using scene = begin();
  await addDirective(scene.context, { ...word, sig: scene.signed("owner") });
  expect(await listDirectives(scene.context, { limit: 10 })).toEqual({
    directives: [{ ...word, owner_verified: true }],
    more: false,
  });
  // Somebody who changes the row past constel does not speak for the owner.
  await here.scene.raw("update signed_directives set text = 'Everything lands today.'");
  expect((await listDirectives(scene.context, { limit: 10 })).directives).toMatchObject([{ owner_verified: false }]);
});

test("said again, with its signature, it is one directive and one event", async () => {
  using scene = begin();
  const said = { ...word, sig: scene.signed("owner") };
  await addDirective(scene.context, said);
  await addDirective(scene.context, said);
  expect((await listDirectives(scene.context, { limit: 10 })).directives).toHaveLength(1);
  const events = await here.store.db.selectFrom("events").select("type").where("type", "=", "owner.directed").execute();
  expect(events).toHaveLength(1);
});

test("what the owner's key did not sign is refused", async () => {
  using scene = begin();
  for (const sig of [scene.signed("agent1"), scene.signed("owner", "Other words."), "", "ed25519:x:y"])
    expect(await rejection(addDirective(scene.context, { ...word, sig }))).toMatchObject({
      code: "directive.not-owners",
    });
  expect((await listDirectives(scene.context, { limit: 10 })).directives).toEqual([]);
});
