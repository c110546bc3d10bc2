// The screens of agents for whoever looks at them: the window, `constel watch`, `constel screen`. One sampler for all who look, and none while
// nobody does: a screen that is asked for is read with those of the others in one question, at most three times a second, and told of when it
// has changed. Looking never resizes a pane, attaches to it or starts a process.

import type { Clock } from "../../ports/machine.ts";
import type { Terminals } from "../../ports/terminal.ts";
import { forTerminal } from "../../protocol/safe-text.ts";
import type { AgentScreen } from "../../protocol/window.ts";
import { wasSeen } from "../../core/agents/queries.ts";
import type { ReadContext } from "../../core/context.ts";
import { messageOf, Refusal } from "../../protocol/errors.ts";

/** Fast enough to follow what a program prints; twenty screens cost a hundredth of a core at this pace. */
const everyMs = 333;
/** A terminal larger than this is nobody's to read. */
const most = { rows: 400, columns: 1_000 } as const;

interface ScreenPlace {
  readonly terminals: Pick<Terminals, "captureMany">;
}

/** Returns where an agent's terminal is; undefined when it has none. */
type PlaceOf = (agent: string) => ScreenPlace | undefined;

interface Watcher {
  readonly agents: ReadonlySet<string>;
  readonly changed: (screen: AgentScreen) => void;
}

export class AgentScreens {
  readonly #clock: Clock;
  #placeOf: PlaceOf = () => undefined;
  readonly #watchers = new Set<Watcher>();
  readonly #seen = new Map<string, { readonly screen: AgentScreen; readonly key: string }>();
  #isSampling = false;
  #asleep = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Called once the agents are known. */
  findBy(placeOf: PlaceOf): void {
    this.#placeOf = placeOf;
  }

  /** One look, for whoever asks once. */
  async look(agent: string): Promise<AgentScreen> {
    const { screen } = (await this.#sample([agent])).get(agent) ?? nothing(agent, "it was not looked at");
    return screen;
  }

  /** Tells of each of these screens now, and again whenever it has changed. Returns the way to stop it. */
  watch(agents: readonly string[], changed: (screen: AgentScreen) => void): () => void {
    const watcher = { agents: new Set(agents), changed };
    this.#watchers.add(watcher);
    for (const agent of agents) {
      const known = this.#seen.get(agent);
      if (known !== undefined) changed(known.screen);
    }
    this.#asleep.abort();
    if (!this.#isSampling) void this.#sampleOn();
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#asleep.abort();
    };
  }

  async #sampleOn(): Promise<void> {
    this.#isSampling = true;
    while (this.#watchers.size > 0) {
      this.#asleep = new AbortController();
      const wanted = new Set([...this.#watchers].flatMap(({ agents }) => [...agents]));
      for (const agent of this.#seen.keys()) if (!wanted.has(agent)) this.#seen.delete(agent);
      for (const [agent, found] of await this.#sample([...wanted])) this.#take(agent, found);
      if (this.#watchers.size > 0) await this.#clock.sleep(everyMs, this.#asleep.signal);
    }
    this.#seen.clear();
    this.#isSampling = false;
  }

  #take(agent: string, found: { readonly screen: AgentScreen; readonly key: string }): void {
    if (this.#seen.get(agent)?.key === found.key) return;
    this.#seen.set(agent, found);
    for (const { agents, changed } of this.#watchers) if (agents.has(agent)) changed(found.screen);
  }

  async #sample(agents: readonly string[]): Promise<Map<string, { screen: AgentScreen; key: string }>> {
    const found = new Map<string, { screen: AgentScreen; key: string }>();
    const places = agents.map((agent) => ({ agent, terminals: this.#placeOf(agent)?.terminals }));
    for (const [terminals, those] of Map.groupBy(places, (place) => place.terminals)) {
      const names = those.map(({ agent }) => agent);
      if (terminals === undefined) {
        for (const agent of names) found.set(agent, nothing(agent, "it has no terminal here"));
        continue;
      }
      try {
        const screens = await terminals.captureMany(names);
        for (const agent of names) {
          const screen = screens.get(agent);
          if (screen === undefined) found.set(agent, nothing(agent, "its terminal is gone"));
          else found.set(agent, { screen: this.#shown(agent, screen.text), key: screen.hash });
        }
      } catch (cause) {
        for (const agent of names) found.set(agent, nothing(agent, messageOf(cause)));
      }
    }
    return found;
  }

  #shown(agent: string, text: string): AgentScreen {
    const rows = text.split("\n").slice(0, most.rows).map(asRow);
    while (rows.length > 0 && rows.at(-1) === "") rows.pop();
    return { agent, rows, seen_ms: this.#clock.nowMs(), problem: null };
  }
}

/** Refuses an agent that nobody ever started. */
export async function screenOf(context: ReadContext, screens: AgentScreens, agent: string): Promise<AgentScreen> {
  if (!(await wasSeen(context, agent)))
    throw new Refusal("agent.unknown", `no agent called ${agent} was ever seen`, { agent });
  return await screens.look(agent);
}

/** A row of a screen holds what stands in it, and nothing that would move a cursor. */
const asRow = (row: string): string =>
  forTerminal(row.slice(0, most.columns).toWellFormed()).replaceAll("\t", " ").trimEnd();

function nothing(agent: string, problem: string): { screen: AgentScreen; key: string } {
  return {
    screen: { agent, rows: null, seen_ms: null, problem: forTerminal(problem) },
    key: `nothing: ${problem}`,
  };
}
