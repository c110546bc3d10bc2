// An issue of a forge that became a task. The label is the owner's way of saying that agents may work on it: whoever may set labels
// there may give agents work, and nobody else.
//
//   the issue:   open ───────────────► closed
//   its row:     open ──► closing ───► closed        (gone: it has lost its label, or is not shown to us)
//                  │                     ▲
//                  └─────────────────────┘
//
// `closing`: somebody closed it while the task's work is on its way to landing, and that is let finish. Otherwise the task is
// cancelled with its issue, and opened again with it.

/** An issue is known by this key, whichever way it is imported. */
export function issueKey({ kind, host, repository }: Where, number: number): string {
  const where = kind === "github" && host === "github.com" ? `github:${repository}` : `${host}/${repository}`;
  return `${where}#${number}`;
}

interface Where {
  readonly kind: string;
  readonly host: string;
  readonly repository: string;
}

/** Begins the one comment that constel writes on an issue for a follow. */
export const issueMarker = (follow: string): string => `<!-- constel issue ${follow} -->`;

/** So many tasks of one follow may be open at a time; further issues wait. */
export const mostOpen = 100;
/** So much is done of one follow in a round. */
export const mostAtOnce = 20;
