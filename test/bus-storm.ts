// Agents that send each other messages while they are killed at random steps and started again, and an account of what
// each of them saw. Kills are by step and count, not by time, so the storm is the same on a slow machine.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { receiveSteps, sendSteps } from "../src/floor/bus/kill-points.ts";
import { seededRandom } from "../src/host/clock/fake-clock.ts";
import { programs, startChild, TemporaryHome } from "./bus-kit.ts";

export interface StormOptions {
  readonly agents: number;
  readonly messagesEach: number;
  /** Children that end themselves at a random step; after so many the rest run to their end. */
  readonly kills: number;
  readonly receiversEach: number;
  readonly seed: number;
}

export interface StormAccount {
  readonly sent: number;
  readonly lost: string[];
  readonly seenTwice: string[];
  readonly outOfOrder: string[];
  readonly kills: number;
}

export async function storm(options: StormOptions): Promise<StormAccount> {
  using place = new TemporaryHome();
  const home = join(place.path, "home");
  const notes = join(place.path, "notes");
  mkdirSync(notes);
  const random = seededRandom(options.seed);
  let kills = 0;
  const running = new Set<Bun.Subprocess>();

  /** Runs a child to its end, again and again while it is killed. */
  const live = async (args: readonly string[], steps: readonly string[], often: number): Promise<void> => {
    for (;;) {
      const dies = kills < options.kills;
      const at = `${steps[Math.floor(random.fraction() * steps.length)]}:${1 + Math.floor(random.fraction() * often)}`;
      const child = startChild(programs.stormChild, args, dies ? { env: { CONSTEL_KILL_AT: at } } : {});
      running.add(child);
      const [complaint] = await Promise.all([new Response(child.stderr).text(), child.exited]);
      running.delete(child);
      if (child.signalCode === "SIGKILL") {
        kills += 1;
        // One in three takes another with it, wherever that one is: between steps too.
        if (dies && random.fraction() < 1 / 3)
          [...running][Math.floor(random.fraction() * running.size)]?.kill("SIGKILL");
        continue;
      }
      if (child.exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${child.exitCode}: ${complaint}`);
      return;
    }
  };

  const names = Array.from({ length: options.agents }, (_, index) => `agent${index}`);
  const senders = names.map((name) =>
    live(["send", home, notes, name, String(options.messagesEach), String(options.agents)], sendSteps, 300),
  );
  const receivers = names.flatMap((name) =>
    Array.from({ length: options.receiversEach }, () => live(["receive", home, notes, name], receiveSteps, 60)),
  );
  await Promise.all(senders);
  writeFileSync(join(notes, "stop"), "");
  await Promise.all(receivers);
  return { ...account(names, notes, options), kills };
}

function account(names: readonly string[], notes: string, options: StormOptions): Omit<StormAccount, "kills"> {
  const seenTwice: string[] = [];
  const outOfOrder: string[] = [];
  const seenAnywhere = new Set<string>();
  for (const name of names) {
    const path = join(notes, `seen-${name}`);
    const last = new Map<string, number>();
    for (const id of existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : []) {
      const [sender = "", index = ""] = id.split("-");
      if (seenAnywhere.has(id)) seenTwice.push(`${name} ${id}`);
      seenAnywhere.add(id);
      if (Number(index) < (last.get(sender) ?? -1)) outOfOrder.push(`${name} ${id}`);
      last.set(sender, Number(index));
    }
  }
  const wanted = names.flatMap((name) =>
    Array.from({ length: options.messagesEach }, (_, index) => `${name}-${index}`),
  );
  return { sent: wanted.length, lost: wanted.filter((id) => !seenAnywhere.has(id)), seenTwice, outOfOrder };
}
