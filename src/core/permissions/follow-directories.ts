// Works out the directories in which each part of a shell command may run. In a plain sequence a `cd` to a directory that is written out is
// followed from step to step: a step joined to it by `&&` runs only where it leads, and a step after a `;` runs there or wherever the steps
// before may have ended. For any other `cd` (in a pipeline, in a block, behind `||`) it is not worked out whether it ran and in which shell,
// so whatever is beside or behind it may run in either place.

import type { ShellCommand, ShellScript, ShellStep } from "../../protocol/shell-script.ts";
import { changeDirectory } from "./change-directory.ts";

export interface Followed {
  /** For each command, and for each redirection, every place in which it may run. */
  readonly commands: readonly (readonly string[])[];
  readonly redirects: readonly (readonly string[])[];
  /** Those that change the directory where they may do so many times. */
  readonly inLoops: readonly ShellCommand[];
}

/** `resolve` follows links; undefined when it cannot be told where a path leads. */
export type Resolve = (path: string) => string | undefined;

export function followDirectories(script: ShellScript, from: readonly string[], resolve: Resolve): Followed {
  const commands: (readonly string[])[] = [];
  const redirects: (readonly string[])[] = [];
  const inLoops: ShellCommand[] = [];
  let now = from;
  /** The directories where the shell may be when the steps joined by `&&` have ended early. */
  let broken: readonly string[] = [];
  for (const step of stepsOf(script)) {
    const own = script.commands.slice(commands.length, commands.length + step.commands);
    const led = step.isPlain ? moved(own[0], now, resolve) : undefined;
    if (led !== undefined && own.length === 1) {
      commands.push(now);
      // One that fails leaves the shell where it was.
      broken = union(broken, now);
      now = led.every((place) => resolve(place) !== undefined) ? led : union(now, led);
    } else {
      const places = anywhereWithin(own, now, resolve);
      if (script.repeats && places.length > now.length) inLoops.push(...own.filter((one) => changes(one, now)));
      commands.push(...own.map(() => places));
      redirects.push(...Array.from({ length: step.redirects }, () => places));
      now = places;
      broken = union(broken, now);
    }
    if (step.by === "&&") continue;
    now = union(now, broken);
    broken = [];
  }
  return { commands, redirects, inLoops };
}

/** All of it as one step, unless there are steps that hold all of it. */
function stepsOf({ steps = [], commands, redirects }: ShellScript): readonly ShellStep[] {
  const held = (what: "commands" | "redirects"): number => steps.reduce((sum, step) => sum + step[what], 0);
  if (held("commands") === commands.length && held("redirects") === redirects.length) return steps;
  return [{ commands: commands.length, redirects: redirects.length, isPlain: false, by: ";" }];
}

function anywhereWithin(commands: readonly ShellCommand[], from: readonly string[], resolve: Resolve): string[] {
  let places = [...from];
  for (const command of commands) places = union(places, moved(command, places, resolve) ?? []);
  return places;
}

const changes = (command: ShellCommand, places: readonly string[]): boolean =>
  changeDirectory(command, places) !== undefined;

/** As a shell that keeps the names of links leads there, and as one that does not. */
function moved(command: ShellCommand | undefined, places: readonly string[], resolve: Resolve): string[] | undefined {
  const named = command === undefined ? undefined : changeDirectory(command, places);
  if (command === undefined || named === undefined) return undefined;
  const real = places.flatMap((place) => resolve(place) ?? []);
  return union(named, changeDirectory(command, real) ?? []);
}

const union = (some: readonly string[], others: readonly string[]): string[] => [...new Set([...some, ...others])];
