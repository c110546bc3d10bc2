// The keys of the window, the page's and the monitor's alike. Declared once: the palette, the help and the guide read this.

export interface Key {
  /** As a keyboard tells it. */
  readonly key: string;
  readonly does: string;
  /** What it needs: a row that is chosen, an agent, a finding, a task that is ready, a permission request. Nothing when absent. */
  readonly of?: "row" | "agent" | "finding" | "ready" | "request";
}

export const keys = [
  { key: "j", does: "down" },
  { key: "k", does: "up" },
  { key: "Enter", does: "do what helps", of: "row" },
  { key: "n", does: "next that needs you" },
  { key: "y", does: "allow", of: "request" },
  { key: "d", does: "deny, with a reason", of: "request" },
  { key: "a", does: "attach", of: "agent" },
  { key: "m", does: "message", of: "agent" },
  { key: "t", does: "tell both", of: "finding" },
  { key: "x", does: "dismiss, with a reason", of: "finding" },
  { key: "h", does: "harvest", of: "ready" },
  { key: "z", does: "snooze until it changes", of: "row" },
  { key: "c", does: "create a task and give it out" },
  { key: "/", does: "find" },
  { key: "g", does: "go to a page, by its letter" },
  { key: "?", does: "all keys" },
  { key: "q", does: "quit the monitor" },
] as const satisfies readonly Key[];

/** The pages that the monitor has too, by the letter after `g`. */
export const monitorPages = { n: "now", c: "collisions", t: "tasks", m: "messages" } as const;
export type MonitorPage = (typeof monitorPages)[keyof typeof monitorPages];
