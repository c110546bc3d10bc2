// Holds what the suites of notices stand on: a store for each test, scenes in it, and which tests one database is enough for.

import { test } from "bun:test";
import { type MakeScene, type StoreScene, withStore } from "../../../test/kit/databases.ts";
import { NoticesScene } from "./notices-scene.suite.ts";
import { listNotices } from "./queries.ts";

export interface NoticesGround {
  readonly here: StoreScene;
  /** For what says nothing new of another database. */
  readonly testOnce: (name: string, body: () => Promise<void>) => void;
  readonly begun: (
    names: readonly string[],
    more?: ConstructorParameters<typeof NoticesScene>[2],
  ) => Promise<NoticesScene>;
  /** Notices of an agent, or of all; `all` has those that are over, too. */
  readonly listed: (
    scene: NoticesScene,
    agent?: string,
    all?: boolean,
  ) => Promise<Awaited<ReturnType<typeof listNotices>>["notices"]>;
}

/** `isWhole`: with the tests that run on one database only. */
export function noticesGround(makeScene: MakeScene, isWhole: boolean): NoticesGround {
  const here = withStore(makeScene);
  return {
    here,
    testOnce: isWhole ? test : () => {},
    begun: async (names, more = {}) => {
      const scene = new NoticesScene(here, names, more);
      await scene.begin();
      return scene;
    },
    listed: async (scene, agent, all = false) => (await listNotices(scene.context, { agent, all, limit: 100 })).notices,
  };
}
