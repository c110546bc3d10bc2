// Every question about something that a repository holds is asked under its name, so that a question which never ends can be told from
// the others when its process is ended for it (docs/decisions/0066-questions-that-never-end.md). Who keeps the names and ends the process comes in from
// outside; where nobody does, questions are simply asked.

/** The subject of a question. Two questions with the same key are about the same content, and end in the same way. */
export interface Subject {
  /** `file`: one text; `pair`: two lines of work; `contract`: two versions of one; `repository`: anything else that is done for it. */
  readonly kind: "file" | "pair" | "contract" | "repository";
  /** Its identity. Missing for a text, which may stand in several. */
  readonly repository?: string | undefined;
  /** As people know it: a path, two branches. */
  readonly name: string;
  readonly key: string;
  /** The trees of a pair. One of them can be what makes every comparison too long. */
  readonly parts?: readonly string[];
}

export interface Budgets {
  /** Returns the reason why it is not asked about again: it ran over its budget before. */
  refused(subject: Subject): string | undefined;
  /** How often one of these trees was being compared when something ran over. Those that never were come first. */
  suspicion(trees: readonly string[]): number;
  /** Names it until it is said to have ended. */
  begin(subject: Subject): Named;
  /** True where such questions are asked one after the other, because it is not known which of several ran over. */
  readonly isOneByOne: boolean;
}

export interface Named {
  /** It waits for something: others may be asked meanwhile. */
  waits(): void;
  end(): void;
}

/** The content was asked about before, and the question ran over its budget. */
export class OverBudget extends Error {
  override readonly name = "OverBudget";
}

let kept: Budgets | undefined;
let turn: Promise<unknown> = Promise.resolve();

/** From now on this process names what it asks. */
export function keepBudgets(budgets: Budgets | undefined): void {
  kept = budgets;
}

/** Asks a question under its name. Throws `OverBudget` for what ran over before. */
export function inBudget<Answer>(subject: Subject, ask: () => Answer): Answer {
  if (kept === undefined) return ask();
  const why = kept.refused(subject);
  if (why !== undefined) throw new OverBudget(why);
  const named = kept.begin(subject);
  let answer: Answer;
  try {
    answer = ask();
  } catch (cause) {
    named.end();
    throw cause;
  }
  if (!(answer instanceof Promise)) {
    named.end();
    return answer;
  }
  named.waits();
  return answer.finally(() => named.end()) as Answer;
}

/** Pairs of trees that others ran over with are compared after those that nothing speaks against. */
export const suspicionOf = (trees: readonly string[]): number => kept?.suspicion(trees) ?? 0;

/** The same for a question that waits in between, and never asks another one of this kind. */
export async function inTurn<Answer>(subject: Subject, ask: () => Promise<Answer>): Promise<Answer> {
  if (kept?.isOneByOne !== true) return await inBudget(subject, ask);
  const mine = turn.then(() => inBudget(subject, ask));
  turn = mine.catch(() => undefined);
  return await mine;
}

/** The same text is the same content wherever it stands. */
export function textSubject(path: string, text: string): Subject {
  return { kind: "file", name: path, key: kept === undefined ? "" : `${text.length} ${Bun.hash(text)}` };
}

/** Reads one text; `unread` says what is known of one that ran over before. */
export function readInBudget<Answer>(
  { path, text }: { readonly path: string; readonly text: string },
  read: () => Answer,
  unread: (why: string) => Answer,
): Answer {
  if (kept === undefined) return read();
  try {
    return inBudget(textSubject(path, text), read);
  } catch (cause) {
    if (cause instanceof OverBudget) return unread(cause.message);
    throw cause;
  }
}

/** The beginning of every reason that holds only while the budget is what it is. Such an answer is not kept for later. */
const overWords = /^(it (took|needs) more than|parsing took too long|the program that read it)/;

export const isForNow = (why: string | undefined): boolean => why !== undefined && overWords.test(why);
