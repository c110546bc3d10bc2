// Defines what an agent is to hear next. The daemon lays it into one small file for each agent, `state/hear/<agent>/next.json`; the agent's
// hooks read that file and print what is due at their moment, so a hook with nothing to say reads one file and is gone, with or without a
// daemon. No file, an empty one and one that cannot be read all mean: nothing to say.
//
// Told once: before it prints an item, a hook makes the file `state/hear/<agent>.told/<item id>`, which must not exist yet; of two hooks at
// the same moment only one can. After it printed, it leaves a record in the agent's hook file that names the items (`told`). The daemon
// takes that record as the evidence, and then takes the item and its mark away; a mark without a record is a hook that died before it
// printed, and the item is offered again under its next id.

/** A moment at which a hook may speak. */
export type HearMoment =
  | "start" // the session begins, goes on, or was compacted
  | "prompt" // somebody gave the agent a prompt
  | "edit" // the agent is about to change one of `files`
  | "stop"; // the agent is about to idle; held back at most once for the same items

export interface HearItem {
  /** Of this telling: a notice that is told again has another. Letters, digits, `_` and `-`. */
  readonly id: string;
  readonly at: readonly HearMoment[];
  /**
   * Absolute paths that it is about; only before an edit of one of these, or of something below one, is it told at `edit`. Empty:
   * before any edit.
   */
  readonly files: readonly string[];
  /** Framed, masked and bounded by whoever wrote it: ready to be printed. */
  readonly text: string;
  /** The edit is denied, with this text, each time that it is tried while the item is here. */
  readonly denies?: boolean;
  /** For this conversation of the agent alone: a successor, who never heard of the matter, is not told that it is over. */
  readonly to?: string;
}

export interface Hear {
  readonly version: 1;
  /** For `start`: who is here and on what, the task, what touches these files, what to do next. */
  readonly join?: string;
  readonly items: readonly HearItem[];
}

/** Past this the whole file is taken for damage. */
export const longestHearBytes = 1024 * 1024;
const mostItems = 500;
const mostFiles = 1000;
const longestPath = 4096;
const longestText = 16_000;

export const hearIdPattern = /^[A-Za-z0-9_-]{1,120}$/;

const moments: readonly string[] = ["start", "prompt", "edit", "stop"] satisfies HearMoment[];

/** Tells whether the file was written for this agent: another's, with its seal, could be laid down in its place. */
export const isHearFor = (agent: string, text: string): boolean => text.startsWith(`{"version":1,"for":"${agent}",`);

/** The fields of an item that say when it is due. */
export type HearDue = Pick<HearItem, "at" | "files" | "to">;

/**
 * Undefined when nothing of it can be used. A hook, which is to say one thing at most times and nothing at others, names the `only` items
 * that it is about; the others are not even looked through.
 */
export function parseHear(
  text: string,
  { only, join: wantsJoin = true }: { readonly only?: (item: HearDue) => boolean; readonly join?: boolean } = {},
): Hear | undefined {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return undefined; // damaged: nothing to say
  }
  if (!isObject(given) || given["version"] !== 1) return undefined;
  const listed: readonly unknown[] = Array.isArray(given["items"]) ? given["items"].slice(0, mostItems) : [];
  const items: HearItem[] = [];
  for (const one of listed) {
    const item = hearItem(one, only);
    if (item !== undefined) items.push(item);
  }
  const join = wantsJoin ? plainText(given["join"]) : undefined;
  return join === undefined ? { version: 1, items } : { version: 1, join, items };
}

/** The item as far as it is understood; undefined when it lacks something. */
export function hearItem(given: unknown, only?: (item: HearDue) => boolean): HearItem | undefined {
  if (!isObject(given)) return undefined;
  const { id, at, files, denies, to } = given;
  if (to !== undefined && typeof to !== "string") return undefined;
  if (!Array.isArray(at) || !Array.isArray(files) || files.length > mostFiles) return undefined;
  // Without the one path that it cannot understand, it would be told before any edit.
  for (const file of files)
    if (typeof file !== "string" || !file.startsWith("/") || file.length > longestPath) return undefined;
  const known: HearMoment[] = [];
  for (const moment of at) if (moments.includes(moment as string)) known.push(moment as HearMoment);
  const whose = to === undefined ? {} : { to };
  if (only?.({ at: known, files: files as string[], ...whose }) === false) return undefined;
  const text = plainText(given["text"]);
  if (typeof id !== "string" || !hearIdPattern.test(id) || text === undefined) return undefined;
  const item = { id, at: known, files: files as string[], text, ...whose };
  return denies === true ? { ...item, denies } : item;
}

/** The characters that a terminal would obey, and those that turn the direction of text around. */
// oxlint-disable-next-line no-control-regex -- these are what is taken out
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

function plainText(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  return value.slice(0, longestText).replaceAll(unprintable, " ");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
