import { expect, test } from "bun:test";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { seededRandom } from "../../ports/fake-clock.ts";
import { addClaim } from "../../core/claims/claim.ts";
import { register } from "../../core/worktrees/register.ts";
import type { HeldClaim } from "../../protocol/claims.ts";
import type { SensingClient } from "../sensing-client.ts";
import { claimsLoop } from "./claims-loop.ts";

const here = withStore(sqliteScene);

test("sensing is told of a claim, and told again at the moment it ends", async () => {
  const { store, clock } = here;
  const told: (readonly HeldClaim[] | undefined)[] = [];
  const sensing = {
    tellClaims: async (claims: ReadonlyMap<string, readonly HeldClaim[]>) => void told.push(claims.get("r")),
  } as SensingClient;
  const { round } = claimsLoop({ store, clock, sensing });
  const context = { store, clock, random: seededRandom(1), constellation: store.constellation, actor: "agent1" };
  const place = { repository: "r", path: "/w/a", top: "/w/a" };
  await register(context, { place, agent: "agent1", isOwnersWord: true });
  const words = [{ word: "src", isThere: true }];
  const about = { repository: "r", top: "/w/a", cwd: "/w/a", words, severity: "low", reason: "" } as const;
  await addClaim(context, { ...about, forMs: 5_000 });
  const { signal } = new AbortController();
  expect(await round(signal)).toBe(5_000);
  expect(told[0]).toMatchObject([{ holder: "agent1", worktree: "/w/a", patterns: ["/src"] }]);
  clock.advance(5_000);
  expect(await round(signal)).toBeUndefined();
  expect(told[1]).toBeUndefined();
});
