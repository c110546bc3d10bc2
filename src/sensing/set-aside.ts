// Remembers what ran over its budget, so that it is not asked about again while its content is the same. The process that starts the others
// learns it from how they ended; those are told at their start and refuse the question.

import type { Subject } from "../ports/budget.ts";

export interface SetAside {
  readonly subject: Subject;
  /** In words that follow "not checked: ". */
  readonly why: string;
  readonly atMs: number;
  /** The trees of the pairs that were being compared. One of them may hold more of the kind. */
  readonly trees: readonly string[];
}

/** The end of a process that asked questions. */
export interface Ended {
  readonly why: string;
  readonly asking: { readonly running: Subject | null; readonly waiting: readonly Subject[] };
}

export interface Blame {
  readonly subject: Subject | undefined;
  /** The repositories that were being looked at: each is looked at by itself from now on, so that it stops nobody else. */
  readonly repositories: readonly string[];
}

/** More are not remembered; the oldest cost their budget again. */
const most = 1_000;
/** A tree that so many pairs ran over with is at fault itself, and all its pairs with it. */
const pairsOfBadTree = 3;
/** What is done for a whole repository depends on more than its content, so it is tried again. */
const repositoryRestMs = 600_000;

export class SetAsides {
  readonly #known = new Map<string, SetAside>();

  constructor(known: readonly SetAside[] = []) {
    for (const one of known) this.#known.set(keyOf(one.subject), one);
  }

  get all(): readonly SetAside[] {
    return [...this.#known.values()];
  }

  /** Returns the reason why a question is not asked again. */
  refused(subject: Subject, nowMs: number): string | undefined {
    const known = this.#known.get(keyOf(subject));
    if (known !== undefined) return this.#isOver(known, nowMs) ? undefined : known.why;
    return subject.kind === "pair" ? this.#badTree(subject)?.why : undefined;
  }

  /**
   * Decides whom to blame. The question that ran without a pause is at fault. A question that waited is at fault only if it was the only
   * one. If several waited, it may be any of them: then nobody is blamed, and they are asked again one by one.
   */
  learn({ why, asking: { running, waiting } }: Ended, nowMs: number): Blame {
    const asked = running === null ? waiting : [...waiting, running];
    const repositories = [...new Set(asked.flatMap(({ repository }) => repository ?? []))];
    const narrow = waiting.filter(({ kind }) => kind !== "repository");
    const [only, ...others] = narrow.length > 0 ? narrow : onePerRepository(waiting);
    const isSure = others.length === 0 && repositories.length <= 1;
    const subject = running ?? (isSure ? only : undefined);
    const trees = [...new Set(asked.flatMap(({ parts = [] }) => parts))];
    if (subject !== undefined) this.#add({ subject: placed(subject, repositories), why, atMs: nowMs, trees });
    return { subject, repositories };
  }

  /** Counts how often one of these trees was being compared when something ran over. */
  suspicion(trees: readonly string[]): number {
    return Math.max(0, ...trees.map((tree) => this.all.filter((one) => one.trees.includes(tree)).length));
  }

  forget(repository: string): void {
    for (const [key, { subject }] of this.#known) if (subject.repository === repository) this.#known.delete(key);
  }

  #add(one: SetAside): void {
    this.#known.delete(keyOf(one.subject));
    this.#known.set(keyOf(one.subject), one);
    const [oldest] = this.#known.keys();
    if (this.#known.size > most && oldest !== undefined) this.#known.delete(oldest);
  }

  #isOver({ subject, atMs }: SetAside, nowMs: number): boolean {
    return subject.kind === "repository" && nowMs - atMs > repositoryRestMs;
  }

  #badTree({ parts = [] }: Subject): SetAside | undefined {
    const pairs = this.all.filter(({ subject }) => subject.kind === "pair");
    for (const part of parts) {
      const same = pairs.filter(({ subject }) => subject.parts?.includes(part) === true);
      if (same.length >= pairsOfBadTree) return same[0];
    }
    return undefined;
  }
}

const keyOf = ({ kind, key }: Subject): string => `${kind} ${key}`;

/** Adds the repository of a text that ran over, only if there is no doubt. */
function placed(subject: Subject, [first, ...others]: readonly string[]): Subject {
  return subject.repository === undefined && others.length === 0 ? { ...subject, repository: first } : subject;
}

function onePerRepository(subjects: readonly Subject[]): Subject[] {
  return [...new Map(subjects.map((one) => [one.repository, one])).values()];
}
