// States by glyph, word and colour, each once. Colour never says anything that the word does not.

export type Tone = "yours" | "break" | "doubt" | "holds" | "soft" | "plain";

export interface Look {
  readonly glyph: string;
  readonly word: string;
  readonly tone: Tone;
}

const look = (glyph: string, word: string, tone: Tone): Look => ({ glyph, word, tone });

const agents: Readonly<Record<string, Look>> = {
  "waiting-permission": look("?", "asks for permission", "yours"),
  "waiting-answer": look("?", "asks", "yours"),
  busy: look("▸", "working", "holds"),
  starting: look("▹", "starting", "soft"),
  idle: look("·", "idle", "soft"),
  limited: look("◔", "limited", "plain"),
  paused: look("‖", "paused", "soft"),
  hung: look("!", "hung", "doubt"),
  looping: look("!", "looping", "doubt"),
  "logged-out": look("!", "logged out", "doubt"),
  unknown: look("~", "unknown", "doubt"),
  dead: look("✕", "dead", "break"),
};

const tasks: Readonly<Record<string, Look>> = {
  open: look("·", "open", "soft"),
  queued: look("◌", "queued", "soft"),
  in_progress: look("▸", "in progress", "plain"),
  ready: look("✓", "ready", "holds"),
  needs_review: look("✕", "needs review", "break"),
  closed: look("✓", "landed", "soft"),
  taken_back: look("✕", "taken back", "break"),
  cancelled: look("–", "cancelled", "soft"),
};

const messages: Readonly<Record<string, Look>> = {
  sent: look("→", "sent, not yet delivered", "plain"),
  delivered: look("✓", "delivered", "holds"),
  acked: look("✓", "acknowledged", "holds"),
  unknown: look("~", "unknown whether it arrived", "doubt"),
  poisoned: look("✕", "put aside unread", "break"),
  duplicate: look("=", "a duplicate", "soft"),
};

const severities: Readonly<Record<string, Look>> = {
  high: look("✕", "high", "break"),
  medium: look("!", "medium", "doubt"),
  low: look("·", "low", "soft"),
  context: look("·", "context", "soft"),
};

const firings: Readonly<Record<string, Look>> = {
  waiting: look("◌", "waiting", "plain"),
  running: look("▸", "running", "plain"),
  done: look("✓", "done", "holds"),
  failed: look("✕", "failed", "break"),
  skipped: look("–", "skipped", "soft"),
  joined: look("=", "joined", "soft"),
  replaced: look("=", "replaced", "soft"),
};

const kinds = { agents, tasks, messages, severities, firings };

export function lookOf(kind: keyof typeof kinds, state: string): Look {
  return Object.hasOwn(kinds[kind], state) ? (kinds[kind][state] as Look) : look("~", state, "soft");
}
