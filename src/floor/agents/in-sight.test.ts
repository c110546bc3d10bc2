import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { isInSight } from "./in-sight.ts";

test("a confined agent sees its own workspaces, the root and what the owner named; another agent everything", () => {
  using at = temporaryDirectory("in-sight");
  const [home, root, owners, named] = ["home", "root", "owners", "named"].map((name) => join(at.path, name));
  for (const path of [`${home}/state/agents`, `${root}/workspaces/agent1`, `${root}/workspaces/agent12`, owners, named])
    mkdirSync(path ?? "", { recursive: true });
  const launch = {
    role: "clone",
    wanted: "up",
    runtime: "script",
    tmuxSocket: "t",
    sinceMs: 1,
    launch: { home, cwd: root },
  };
  const write = (agent: string, more: object): void =>
    writeFileSync(join(home ?? "", `state/agents/${agent}.json`), JSON.stringify({ agent, ...launch, ...more }));
  write("agent1", { confined: true });
  write("agent2", {});
  symlinkSync(owners ?? "", `${root}/workspaces/agent1/link`);
  const sees = (agent: string, path: string): boolean =>
    isInSight({ home: home ?? "", root: root ?? "", reads: [named ?? ""] }, agent, path);
  const shown = [`${root}`, `${root}/src/new.ts`, `${root}/workspaces/agent1/4/repo`, `${named}/cache`];
  const hidden = [`${owners}`, `${owners}/x`, `${home}`, `${home}/keys`, `${root}/workspaces/agent12`, "/", at.path];
  hidden.push(
    `${root}/workspaces`,
    `${root}/workspaces/agent1/link`,
    `${root}/workspaces/agent1/link/x`,
    `${named}-more`,
  );
  for (const path of shown) expect([path, sees("agent1", path)]).toEqual([path, true]);
  for (const path of hidden) expect([path, sees("agent1", path)]).toEqual([path, false]);
  for (const path of [...shown, ...hidden]) expect(sees("agent2", path) && sees("owner", path)).toBe(true);
});
