// Comments that are written and not sent yet. They outlive a change of the page and are gone with the tab.

export interface Draft {
  readonly path: string;
  readonly line: number;
  readonly side: "before" | "after";
  readonly text: string;
}

const place = (task: number): string => `constel.drafts.${task}`;

export function draftsOf(task: number): Draft[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(place(task)) ?? "[]");
    return Array.isArray(kept) ? (kept as Draft[]) : [];
  } catch {
    return [];
  }
}

export function keepDrafts(task: number, drafts: readonly Draft[]): void {
  if (drafts.length === 0) sessionStorage.removeItem(place(task));
  else sessionStorage.setItem(place(task), JSON.stringify(drafts));
}
