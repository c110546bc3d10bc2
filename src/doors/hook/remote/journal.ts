// Which of our tasks an agent of somebody else's has, kept in the home: whoever is started next goes on with them, and asks for none twice.

import { z } from "zod";
import { readTrusted, writeTrusted } from "../../../files/trusted-files.ts";

const entryShape = z.object({
  task: z.number().int(),
  /** The id under which it was asked: sent again, it is the same request there. */
  message: z.string(),
  /** Their own id for it; absent until they have answered. */
  theirs: z.string().optional(),
  context: z.string().optional(),
  /** They asked something, and nobody has answered yet. */
  asks: z.boolean().default(false),
  over: z.boolean().default(false),
});
export type Entry = z.output<typeof entryShape>;

const mostKept = 200;

export class Journal {
  readonly #home: string;
  readonly #path: string;
  #entries: Entry[];

  constructor(home: string, agent: string) {
    this.#home = home;
    this.#path = `state/runtime/${agent}/remote.json`;
    this.#entries = read(readTrusted(home, this.#path)?.toString("utf8"));
  }

  /** Those that are neither over nor wait for an answer of ours. */
  underWay(): Entry[] {
    return this.#entries.filter(({ over, asks }) => !over && !asks);
  }

  of(task: number): Entry | undefined {
    return this.#entries.findLast((one) => one.task === task);
  }

  put(entry: Entry): Entry {
    const rest = this.#entries.filter(({ message }) => message !== entry.message);
    this.#entries = [...rest, entry].slice(-mostKept);
    writeTrusted(this.#home, this.#path, JSON.stringify(this.#entries));
    return entry;
  }
}

function read(text: string | undefined): Entry[] {
  if (text === undefined) return [];
  try {
    return z.array(entryShape).parse(JSON.parse(text));
  } catch {
    return []; // Nothing can be told of it: the next brief begins anew.
  }
}
