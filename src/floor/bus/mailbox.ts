// One agent's directories, held open for the length of one verb and never longer: a directory that was moved away must
// not go on taking mail.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../protocol/errors.ts";
import { Outage } from "../../protocol/errors.ts";
import { isAgentId } from "../../protocol/agent-id.ts";
import { refusalOf } from "../../protocol/envelope.ts";
import { inHome } from "../../settings/paths.ts";
import type { Disk } from "../../files/disk.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import type { Bus } from "./bus.ts";

const rooms = ["inbox", "processing", "done", "poison", "seen"] as const;
export type Room = (typeof rooms)[number];

const maxHintBytes = 16 * 1024 * 1024;

export class Mailbox {
  readonly agent: string;
  readonly #directory: TrustedDirectory;
  readonly #open = new Map<Room, TrustedDirectory>();

  private constructor(agent: string, directory: TrustedDirectory) {
    this.agent = agent;
    this.#directory = directory;
  }

  /** Makes the agent's directory when it is not there yet. */
  static make(bus: Bus, agent: string): Mailbox {
    return new Mailbox(agent, TrustedDirectory.open(bus.home, directoryOf(agent), { create: true, ...diskOf(bus) }));
  }

  /** The same, below `channels/` that is open already. */
  static below(channels: TrustedDirectory, agent: string): Mailbox {
    directoryOf(agent); // refuses what is no agent id
    using all = channels.child("agent", { create: true });
    return new Mailbox(agent, all.child(agent, { create: true }));
  }

  /** undefined when nothing was ever sent to the agent. */
  static find(bus: Bus, agent: string): Mailbox | undefined {
    const directory = directoryOf(agent);
    try {
      // Callers that look often mostly find no mailbox, and one look says so. If something is there, only the walk says what.
      if (lstatSync(join(bus.home, directory), { throwIfNoEntry: false }) === undefined) return undefined;
    } catch {
      // The walk says why it cannot be looked at.
    }
    try {
      return new Mailbox(agent, TrustedDirectory.open(bus.home, directory, diskOf(bus)));
    } catch (cause) {
      if (cause instanceof Outage && systemCode(cause.cause) === "ENOENT") return undefined;
      throw cause;
    }
  }

  /** A directory of the mailbox, made when missing. */
  room(room: Room): TrustedDirectory {
    let directory = this.#open.get(room);
    if (directory === undefined) {
      directory = this.#directory.child(room, { create: true });
      this.#open.set(room, directory);
    }
    return directory;
  }

  /** The names in a room that are no dot-temps, sorted, so oldest first. */
  names(room: Room): string[] {
    return this.unsorted(room).sort();
  }

  /** The same in no order: sorting a long box costs as much as listing it. */
  unsorted(room: Room): string[] {
    return this.room(room)
      .list()
      .filter((name) => !name.startsWith("."));
  }

  /** A hint beside the rooms: it may be lost with the power, and is never half of two. */
  remember(name: string, content: string): void {
    this.#directory.write(name, content, { sync: false });
  }

  remembered(name: string): string | undefined {
    return this.#directory.read(name, { maxBytes: maxHintBytes })?.toString("utf8");
  }

  /** Makes moves between rooms last. */
  sync(...changed: Room[]): void {
    for (const room of changed) this.#open.get(room)?.sync();
  }

  [Symbol.dispose](): void {
    for (const directory of this.#open.values()) directory.close();
    this.#directory.close();
  }
}

/** Relative to the home. Refuses what is no agent id, so that an id can never be a path. */
export function directoryOf(agent: string): string {
  if (!isAgentId(agent)) {
    throw refusalOf({ code: "bus.bad-agent-id", message: `not an agent id: ${JSON.stringify(agent).slice(0, 80)}` });
  }
  return inHome.inbox(agent).replace(/\/inbox$/, "");
}

export const diskOf = ({ disk }: Bus): { disk?: Disk } => (disk === undefined ? {} : { disk });
