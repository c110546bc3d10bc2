// A store with worktrees that agents work in, findings between them as sensing would report them, and agents whose hooks hear
// what lies ready: for tests of notices.

import { FakeHearDesk } from "../../ports/fake-hear-desk.ts";
import { seededRandom } from "../../ports/fake-clock.ts";
import type { AuditEvidence } from "../../ports/audit.ts";
import type { VerifySignature } from "../../ports/keys.ts";
import type { FindingDraft, PairSide } from "../../protocol/findings.ts";
import type { HearItem, HearMoment } from "../../protocol/hear.ts";
import type { StoreScene } from "../../../test/kit/databases.ts";
import type { Context } from "../context.ts";
import type { AgentSighting } from "../agents/agent.ts";
import { seeAgents } from "../agents/see.ts";
import { register } from "../worktrees/register.ts";
import { takeIn } from "../worktrees/take-in.ts";
import { Conversations } from "./conversations.ts";
import { type NoticeMachine, noticesRound } from "./round.ts";
import { takeTold } from "./take-told.ts";

export const repository = "remote:example.org/team/app";

const side = (name: string, worktree: string): PairSide => ({
  label: name,
  worktree,
  branch: name,
  commit: "c",
  tree: "t",
});

export const collision = (path: string, more: Partial<FindingDraft> = {}): FindingDraft => ({
  kind: "textual",
  severity: "high",
  fingerprint: `f ${path}`,
  title: `both change the same lines of ${path}`,
  action: "Take in the other's work.",
  files: [path],
  symbols: [],
  evidence: [{ rule: "content", path, symbol: null, ours: [], theirs: [], message: "" }],
  evidenceKind: `content ${path}`,
  ...more,
});

/** The findings that there are between two worktrees. Pairs that are not named keep theirs as they are. */
export type Pairs = readonly (readonly [ours: string, theirs: string, findings: readonly FindingDraft[]])[];

/** One for all scenes of a test: ids never repeat. */
const random = seededRandom(11);

export class NoticesScene {
  readonly here: StoreScene;
  readonly desk: FakeHearDesk;
  readonly sent: { id: string; agent: string; text: string }[] = [];
  readonly steps: string[] = [];
  machine: NoticeMachine;
  /** Checks signatures. Without it, they are not checked. */
  verify?: VerifySignature;
  /** The places of worktrees that were moved, by name. */
  places: Readonly<Record<string, string>> = {};
  readonly #names: readonly string[];

  constructor(here: StoreScene, names: readonly string[], more: Partial<NoticeMachine> = {}) {
    this.here = here;
    this.#names = names;
    this.desk = new FakeHearDesk(() => here.clock.nowMs());
    this.machine = {
      desk: this.desk,
      root: "/root",
      guests: () => [],
      hasHooks: () => true,
      mask: async (text) => text,
      send: (telling) => this.sent.push({ id: telling.id, agent: telling.agent, text: telling.text }),
      conversations: new Conversations((runtime) => runtime !== "plain"),
      isQuiet: () => false,
      budgetPerHour: 1_000_000,
      step: (name) => this.steps.push(name),
      ...more,
    };
  }

  get context(): Context {
    const { store, clock } = this.here;
    const audit = this.verify === undefined ? {} : { audit: { verify: this.verify } as AuditEvidence };
    return { store, clock, random, constellation: store.constellation, actor: "owner", ...audit };
  }

  /** Worktree `a` is agent a's: the agents are called agenta, agentb… */
  async begin(): Promise<void> {
    for (const name of this.#names) {
      const place = { repository, path: `/w/${name}`, top: `/w/${name}` };
      await register(this.context, { place, agent: `agent${name}`, isOwnersWord: true });
    }
  }

  /** `trees`: the content of worktrees that have changed; `landed`: those of which nothing is left to land. */
  async see(
    pairs: Pairs,
    { trees = {}, landed = [] }: { trees?: Readonly<Record<string, string>>; landed?: readonly string[] } = {},
  ): Promise<void> {
    const placeOf = (name: string): string => this.places[name] ?? `/w/${name}`;
    const paths = this.#names.map(placeOf);
    await takeIn(this.context, {
      repository,
      left: 0,
      defaultBranch: "origin/main",
      worktrees: this.#names.map((name) => ({
        path: placeOf(name),
        branch: name,
        head: "h1",
        commit: "c1",
        tree: trees[name] ?? "t1",
        operation: null,
        skipped: null,
        detail: null,
        ahead: 1,
        behind: 0,
        uncommitted: false,
      })),
      present: paths,
      sides: paths.filter((path) => !landed.includes(path)).map((path) => `worktree ${path}`),
      landed: landed.map((path) => `worktree ${path}`),
      pairs: pairs.map(([ours, theirs, findings]) => ({
        ours: side(ours, placeOf(ours)),
        theirs: side(theirs, placeOf(theirs)),
        findings: findings.map((one) => ({
          ...one,
          fingerprint: `${this.places[ours] ?? ours} ${this.places[theirs] ?? theirs} ${one.fingerprint}`,
        })),
        complete: true,
        open: [],
        notes: [],
      })),
      problem: null,
    });
  }

  /** Rounds until there is nothing left to do at once. */
  async rounds(): Promise<void> {
    for (let count = 0; count < 10; count++) {
      const againMs = await noticesRound(this.context, this.machine);
      if (againMs === undefined || againMs >= 1_000) return;
    }
    throw new Error("notices do not come to rest");
  }

  /** A hook tells what is due, and its record is taken. */
  async tell(agent: string, at: HearMoment = "prompt", file?: string, session?: string): Promise<HearItem[]> {
    const items = this.desk.takeUp(agent, at, file, session);
    await this.prove(agent, items, "prompt-submitted", session);
    return items;
  }

  /** As the fleet would have seen that it was started, in this conversation where the launch chose it. */
  async launch(agent: string, sessionId?: string, more: Partial<AgentSighting> = {}): Promise<void> {
    this.here.clock.advance(1);
    const launched = { launchedMs: this.here.clock.nowMs(), because: "up", sessionId, cwd: "/root", mailHeld: null };
    const seen = { state: "busy", on: "hooks", says: "" } as const;
    await seeAgents(this.here.store, [
      { agent, role: "clone", runtime: "claude", wanted: "up", seen, ...launched, ...more },
    ]);
  }

  async prove(agent: string, items: readonly HearItem[], event = "prompt-submitted", session?: string): Promise<void> {
    if (session !== undefined) this.machine.conversations.heard(agent, session);
    if (items.length === 0) return;
    const atMs = this.here.clock.nowMs();
    const ids = items.map(({ id }) => id);
    await takeTold(this.context, { agent, ids, by: `hook ${event}`, atMs, to: session });
    await this.rounds();
  }
}

/** A scene whose agents are there, and in which nothing collides yet. */
export async function begunScene(...given: ConstructorParameters<typeof NoticesScene>): Promise<NoticesScene> {
  const scene = new NoticesScene(...given);
  await scene.begin();
  await scene.see([]);
  return scene;
}

/** Says in a word what each item says. */
export const newsOrOver = (items: readonly HearItem[]): string[] =>
  items.map(({ text }) => (text.includes("No longer a problem:") ? "over" : "news"));
