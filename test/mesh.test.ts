// The mesh with the real program: two constellations are paired, seen and parted on the command line. The rest is in src/daemon/mesh.

import { expect, test } from "bun:test";
import { MeshHome } from "./kit/mesh-home.ts";

test("two constellations are paired, seen and parted on the command line", async () => {
  await using root = new MeshHome("constel0");
  await using desk = new MeshHome("desk");
  await root.json(["daemon", "start"]);
  expect(await refused(root, "mesh", "invite")).toBe("mesh.off");
  await root.json(["daemon", "stop"]);
  await root.keepLines();
  await desk.keepLines({});
  await desk.pairWith(root);
  expect((await root.constel(["mesh", "peers"])).stdout).toMatch(/desk +sibling +connected +now/);
  await root.json(["mesh", "evict", "desk", "--reason", "sold"]);
  expect(await root.peers("--all")).toMatchObject([{ state: "evicted", evidence: "sold" }]);
  await desk.until(async () => (await desk.peer("constel0"))?.step === "key");
});

test("a key that begins with a dash is taken as a key", async () => {
  await using desk = new MeshHome("desk");
  await desk.keepLines({});
  const key = `-${"A".repeat(42)}`;
  expect((await desk.constel(["mesh", "accept", "--role=root", "--", "constel0", key])).code).toBe(0);
  expect(await desk.peers()).toMatchObject([{ name: "constel0", key }]);
});

async function refused(home: MeshHome, ...words: string[]): Promise<string> {
  const { code, stderr } = await home.constel([...words, "--json"]);
  if (code === 0) throw new Error(`constel ${words.join(" ")} was not refused`);
  return (JSON.parse(stderr) as { error: { code: string } }).error.code;
}
