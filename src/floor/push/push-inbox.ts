// `state/push/<agent>/`: messages for a hook of the agent's program that waits for them. A message is a file; it is put there by
// rename, and taken by rename or taken back by unlink, so that exactly one side has it. `waiter` names the process that
// waits: the newest one, because an older one belongs to a turn that is over.

import { Outage, systemCode } from "../../protocol/errors.ts";
import type { Liveness, ProcessMark } from "../../ports/machine.ts";
import type { PushInbox } from "../../ports/runtime.ts";
import { inHome } from "../../settings/paths.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { readTrusted, removeTrusted } from "../../files/trusted-files.ts";
import { checkAgentId } from "../../protocol/agent-id.ts";

const suffix = ".message";
const waiterFile = "waiter";
const longestMessage = 2 * 1024 * 1024;

/** The side that delivers. */
export function pushInbox(home: string, agent: string, liveness: Liveness): PushInbox {
  const directory = pushDirectory(agent);
  return {
    async put(id, text) {
      using inbox = TrustedDirectory.open(home, directory, { create: true });
      inbox.write(fileOf(id), text, { sync: false });
    },
    withdraw: async (id) => removeTrusted(home, `${directory}/${fileOf(id)}`),
    async attended() {
      const waiter = parseWaiter(readTrusted(home, `${directory}/${waiterFile}`));
      return waiter !== undefined && !liveness.isProvenDead(waiter);
    },
  };
}

/** The side that waits. Holds the directory open until it is closed. */
export class PushWaiter {
  readonly #inbox: TrustedDirectory;
  readonly #self: ProcessMark;

  /** From now on it is this process that waits. */
  constructor(home: string, agent: string, liveness: Liveness) {
    this.#inbox = TrustedDirectory.open(home, pushDirectory(agent), { create: true });
    this.#self = liveness.self();
    this.#inbox.write(waiterFile, JSON.stringify(this.#self), { sync: false });
  }

  /** The directory to watch for news. */
  get path(): string {
    return this.#inbox.path;
  }

  /** False once another process waits: then this one has nothing more to do. */
  isCurrent(): boolean {
    const waiter = parseWaiter(this.#inbox.read(waiterFile));
    return waiter?.pid === this.#self.pid && waiter.token === this.#self.token;
  }

  /** The texts that are there, each taken by nobody else. */
  take(): readonly string[] {
    const names = this.#inbox.list().filter((name) => name.endsWith(suffix) && !name.startsWith("."));
    return names.sort().flatMap((name) => this.#takeOne(name) ?? []);
  }

  /** The first of them, and the others stay where their senders can take them back. */
  takeOne(): string | undefined {
    const names = this.#inbox.list().filter((name) => name.endsWith(suffix) && !name.startsWith("."));
    for (const name of names.sort()) {
      const text = this.#takeOne(name);
      if (text !== undefined) return text;
    }
    return undefined;
  }

  /** Gives up waiting, unless another process has taken over. */
  close(): void {
    if (this.isCurrent()) this.#inbox.remove(waiterFile);
    this.#inbox.close();
  }

  #takeOne(name: string): string | undefined {
    const taken = `.${name}.taken`;
    try {
      this.#inbox.moveTo(name, this.#inbox, taken);
    } catch (cause) {
      if (systemCode(cause) === "ENOENT") return undefined; // taken back
      throw new Outage("take", name, cause);
    }
    const text = this.#inbox.read(taken, { maxBytes: longestMessage })?.toString("utf8");
    this.#inbox.remove(taken);
    return text;
  }
}

const pushDirectory = (agent: string): string => `${inHome.push}/${checkAgentId(agent)}`;

/** Ids are not always fit for a file name; what is not is written in hex. */
function fileOf(id: string): string {
  const plain = /^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,199}$/.test(id);
  return plain ? `${id}${suffix}` : `x-${Buffer.from(id).toString("hex").slice(0, 200)}${suffix}`;
}

function parseWaiter(content: Buffer | undefined): ProcessMark | undefined {
  try {
    const { pid, token } = JSON.parse(content?.toString("utf8") ?? "") as Partial<ProcessMark>;
    return typeof pid === "number" && typeof token === "string" ? { pid, token } : undefined;
  } catch {
    return undefined; // nobody waits
  }
}
