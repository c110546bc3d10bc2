import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { conversationFile, keepConversation, keptConversation } from "./kept-conversation.ts";

test("it is taken up by whoever goes on with the conversation that was last here, and by nobody else", () => {
  using directory = temporaryDirectory("conversation");
  const home = directory.path;
  expect(keptConversation(home, "agentwone", "c")).toBeUndefined();
  keepConversation(home, "agentwone", { session: "a", turns: 3, last: "c" });
  expect(keptConversation(home, "agentwone", "c")).toEqual({ session: "a", turns: 3 });
  for (const other of ["a", "b", undefined]) expect(keptConversation(home, "agentwone", other)).toBeUndefined();
  for (const text of [
    "{",
    "[]",
    "null",
    '{"session":"a","turns":-1,"last":"c"}',
    '{"session":7,"turns":1,"last":"c"}',
  ]) {
    writeFileSync(join(home, conversationFile("agentwone")), text);
    expect(keptConversation(home, "agentwone", "c")).toBeUndefined();
  }
});
