// Messages and rows between two constellations, on the real program, over a line that goes and comes back.

import { expect, test } from "bun:test";
import { MeshHome } from "./kit/mesh-home.ts";

interface Drained {
  readonly messages: readonly {
    readonly from: string;
    readonly text: string;
    readonly origin?: string;
    readonly id: string;
  }[];
}

test("a message reaches an agent of another constellation, its answer comes back, and the root's views show the sibling", async () => {
  await using root = new MeshHome("constel0");
  await using desk = new MeshHome("desk");
  await root.keepLines();
  await desk.keepLines({});
  await desk.pairWith(root);
  const drained = async (home: MeshHome, agent: string): Promise<Drained["messages"]> =>
    (await home.json<Drained>(["channel", "drain", agent])).messages;
  const untilDrained = async (home: MeshHome, agent: string): Promise<Drained["messages"][number]> => {
    let found: Drained["messages"] = [];
    await home.until(async () => (found = await drained(home, agent)).length > 0);
    const [first] = found;
    if (first === undefined || found.length > 1) throw new Error(`${found.length} messages`);
    return first;
  };

  await root.json(["channel", "send", "agent1@desk", "the parser moved"]);
  const heard = await untilDrained(desk, "agent1");
  expect(heard).toMatchObject({ from: "agentowner", origin: "constel0", text: "the parser moved", verified: true });
  await desk.json(["channel", "reply", heard.id, "seen", "--as", "agent1"]);
  expect(await untilDrained(root, "agentowner")).toMatchObject({ origin: "desk", text: "seen", in_reply_to: heard.id });

  // The sibling is away: what is sent meanwhile waits, and comes once.
  await desk.json(["daemon", "stop"]);
  await root.json(["channel", "send", "agent1@desk", "while you were away"]);
  await root.until(async () => (await root.peer("desk"))?.state !== "connected");
  await root.until(async () => (await root.peer("desk"))?.waiting_items === 1);
  expect((await root.constel(["mesh", "peers"])).stdout).toMatch(/desk +sibling +away .* 1 for \d+ ?s/);
  await desk.json(["daemon", "start"]);
  expect(await untilDrained(desk, "agent1")).toMatchObject({ text: "while you were away" });
  expect(await drained(desk, "agent1")).toEqual([]);
  await root.until(async () => (await root.peer("desk"))?.waiting_items === 0);

  await root.json(["channel", "send", "agent1@nowhere", "hello"]);
  expect(await untilDrained(root, "agentowner")).toMatchObject({
    from: "agentmesh",
    text: expect.stringContaining("no peer is called nowhere"),
  });

  const rows = (): Promise<Record<string, unknown>[]> =>
    root.json(["query", "select * from constellations_now where heard_by is not null"]);
  await root.until(async () => (await rows()).length === 1);
  expect(await rows()).toMatchObject([{ constellation: "desk", agents: 0, heard_by: "constel0" }]);
});
