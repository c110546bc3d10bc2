// A pull request of ours, as the row that stands for it. The row is the journal: whoever finds it after a crash goes on from it.
//
//   wanted ──► pushing ──► opening ──► open ──► merging ──► ended
//     ▲                                 │  ▲        │
//     └── judged anew (harvest) ◄───────┘  └────────┘  (not yet, moved)
//
// `wanted`: a harvest has judged the work, and the branch at the origin is to have `want_sha`. `pushing`: it may be there. `opening`:
// it is there, and a pull request may be. `open`: the forge has told its number. `merging`: the forge was asked to merge. Every step
// looks first at what is so: a branch that has the commit is not pushed again, an open pull request of the branch is the one.
//
// `ended` says how: landed (the origin's branch reads as it should), closed (by somebody, the task is given back), cancelled.

/** The steps between which the daemon may die. Fault tests end it at each in turn. */
export const pullSteps = [
  "pull.wanted",
  "pull.pushing",
  "pull.pushed",
  "pull.opening",
  "pull.opened",
  "pull.open",
  "pull.merging",
  "pull.merged",
  "pull.landed",
] as const;

/** Begins every comment that constel writes on a forge. */
export const ownMarker = "<!-- constel";

/** Says which pull request and which round sent a task back, on the assignment that brings it there. */
export const aboutPull = (id: string, round: number): string => `${id}:${round}`;
export const isAboutPull = (about: string): boolean => about.startsWith("pul_");
