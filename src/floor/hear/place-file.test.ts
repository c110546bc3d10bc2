import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import type { AgentPlace } from "../../protocol/agent-place.ts";
import { splitSeal, withSeal } from "../../protocol/seal.ts";
import type { SealedHome } from "../../ports/keys.ts";
import { readPlace, writePlace } from "./place-file.ts";

const sealOf = (json: string): string => Bun.hash(json).toString(36).padStart(43, "0");

test("a place that somebody else wrote, changed or took from another agent's says nothing of an agent", () => {
  using at = temporaryDirectory("place");
  const sealed: SealedHome = {
    home: at.path,
    seal: (json) => withSeal(json, sealOf(json)),
    isGenuine: (text) => splitSeal(text)?.seal === sealOf(splitSeal(text)?.json ?? ""),
  };
  const place: AgentPlace = { version: 1, root: "/root", task: null, workspaces: [], rules: [] };
  writePlace(sealed, "agent1", place);
  writePlace(sealed, "agent2", { ...place, task: "2", workspaces: [{ path: "/w/2", branch: "b" }] });
  expect(readPlace(sealed, "agent1")).toMatchObject(place);
  const file = (agent: string): string => join(at.path, `state/hear/${agent}/place.json`);
  const [ours, others] = [readFileSync(file("agent1"), "utf8"), readFileSync(file("agent2"), "utf8")];
  for (const planted of [
    JSON.stringify({ for: "agent1", ...place, workspaces: [{ path: "/", branch: "b" }] }),
    ours.replace("/root", "/"),
    others,
    others.replace("agent2", "agent1"),
    "",
  ]) {
    writeFileSync(file("agent1"), planted);
    expect([planted, readPlace(sealed, "agent1")]).toEqual([planted, undefined]);
  }
  writeFileSync(file("agent1"), ours);
  expect(readPlace(sealed, "agent1")).toMatchObject(place);
});
