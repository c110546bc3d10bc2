// Cases for the hang check that were composed, after what the real programs show: screens over time, hook streams, what the
// processes do, and what happens to the clock. Those that were recorded from the programs themselves are the fixtures in
// src/host/runtime/<program>/fixtures; together they are replayed by test/hang-corpus.test.ts.

import type { HookRecord } from "../../src/ports/runtime.ts";
import type { Work } from "../../src/floor/watchdog/hang-policy.ts";

export interface Composed {
  readonly name: string;
  readonly runtime: "claude" | "codex" | "opencode" | "gemini" | "script";
  /** The screen at a minute; the title where it matters. */
  readonly screen: (minute: number) => string;
  readonly title?: (minute: number) => string;
  /** Of the whole session; those up to a minute are there at that minute. */
  readonly hooks?: readonly (Partial<HookRecord> & { readonly event: HookRecord["event"]; readonly minute: number })[];
  /** The program's own word. */
  readonly own?: "idle" | "busy" | "waiting";
  readonly process?: "alive" | "dead";
  readonly processes?: Work["processes"] | "unknown";
  /** Minutes that pass on the machine between two ticks; 1 when nothing is said. */
  readonly gap?: (minute: number) => number;
  /** Output comes although the picture is the same at every tick. */
  readonly draws?: boolean;
  readonly inbox?: (minute: number) => number;
  readonly role?: "root" | "clone" | "watchdog";
  readonly watchdogReady?: boolean;
  readonly quiet?: boolean;
  readonly minutes?: number;
  readonly hangs: boolean;
  /** It is told of and not restarted. */
  readonly spared?: boolean;
}

const spinner = ["✢", "✳", "✶", "✻", "✽", "·"];
const glyph = (minute: number): string => spinner[minute % spinner.length] ?? "✻";
const claude = (...lines: readonly string[]): string =>
  ["> do the work", "", ...lines, "", "────────", "❯ ", "────────", "  ⏸ manual mode on · esc to interrupt"].join("\n");
const claudeIdle = ["⏺ Done.", "", "✻ Cooked for 3s · done 5:11 AM", "", "❯ ", "  ? for shortcuts"].join("\n");
const shellTool = { event: "tool-began", tool: "Bash" } as const;
const began = [
  { minute: 0, event: "session-started" },
  { minute: 1, event: "prompt-submitted" },
] as const;
const idle = { cpuMs: 0, sinceTool: 0 };

export const composed: readonly Composed[] = [
  // Busy, in every way in which it may look still.
  {
    name: "a spinner that turns is the only change",
    runtime: "claude",
    screen: (minute) => claude(`${glyph(minute)} Misting…`),
    hooks: began,
    own: "busy",
    processes: idle,
    hangs: false,
  },
  {
    name: "a spinner that looks the same whenever a tick comes by",
    runtime: "claude",
    screen: () => claude("✻ Misting…"),
    hooks: began,
    own: "busy",
    processes: idle,
    draws: true,
    hangs: false,
  },
  {
    name: "a counter of seconds is the only change",
    runtime: "codex",
    screen: (minute) => `• Working (${minute}m 12s • esc to interrupt)\n\n  ? for shortcuts`,
    hooks: began,
    hangs: false,
  },
  {
    name: "the spinner turns in the title and nowhere else",
    runtime: "codex",
    screen: () => "• Working\n\n  ? for shortcuts",
    title: (minute) => `${["⠋", "⠙", "⠹", "⠸"][minute % 4] ?? "⠋"} build | work`,
    hooks: began,
    hangs: false,
  },
  {
    name: "streaming output, a line a minute",
    runtime: "claude",
    screen: (minute) => claude(...Array.from({ length: 20 }, (_, line) => `⏺ line ${minute + line}`)),
    hooks: began,
    own: "busy",
    hangs: false,
  },
  {
    name: "a build of two hours whose compiler prints nothing, in a terminal that does not redraw",
    runtime: "claude",
    screen: () => claude("⏺ Bash(make world)", "  ⎿  Running…"),
    hooks: [...began, { minute: 2, ...shellTool }],
    own: "busy",
    processes: { cpuMs: 990, sinceTool: 7 },
    minutes: 120,
    hangs: false,
  },
  {
    name: "a command that sleeps for five hours",
    runtime: "claude",
    screen: () => claude("⏺ Bash(sleep 18000)", "  ⎿  Running…"),
    hooks: [...began, { minute: 2, ...shellTool }],
    own: "busy",
    processes: { cpuMs: 0, sinceTool: 1 },
    minutes: 300,
    hangs: false,
  },
  {
    name: "a tool call whose processes cannot be looked at",
    runtime: "codex",
    screen: () => "• Running make\n\n  ? for shortcuts",
    hooks: [...began, { minute: 2, ...shellTool }],
    processes: "unknown",
    minutes: 300,
    hangs: false,
  },
  {
    name: "a remote tool that takes three hours",
    runtime: "claude",
    screen: () => claude("⏺ ci - wait_for_run (MCP)"),
    hooks: [...began, { minute: 2, event: "tool-began", tool: "mcp__ci__wait_for_run" }],
    own: "busy",
    processes: idle,
    minutes: 180,
    hangs: false,
  },
  {
    name: "of two tool calls at once the short one has ended, and the long one runs silently",
    runtime: "claude",
    screen: () => claude("⏺ Bash(make world)", "⏺ Read(a.ts)"),
    hooks: [
      ...began,
      { minute: 2, ...shellTool },
      { minute: 2, event: "tool-began", tool: "Read" },
      { minute: 3, event: "tool-ended", tool: "Read" },
    ],
    own: "busy",
    processes: { cpuMs: 0, sinceTool: 1 },
    minutes: 120,
    hangs: false,
  },
  {
    name: "a subagent has read a file, and runs a silent command",
    runtime: "claude",
    screen: () => claude("⏺ Task(look into it)"),
    hooks: [
      ...began,
      { minute: 2, event: "tool-began", tool: "Task" },
      { minute: 3, event: "tool-began", tool: "Read", inSubagent: true },
      { minute: 3, event: "tool-ended", tool: "Read", inSubagent: true },
      { minute: 4, event: "tool-began", tool: "Bash", inSubagent: true },
    ],
    own: "busy",
    processes: { cpuMs: 0, sinceTool: 1 },
    minutes: 120,
    hangs: false,
  },
  {
    name: "a subagent works: only its hooks tell",
    runtime: "claude",
    screen: () => claude("⏺ Task(look into it)"),
    hooks: [
      ...began,
      { minute: 2, event: "tool-began", tool: "Task" },
      ...Array.from({ length: 30 }, (_, index) => ({
        minute: 3 + index * 4,
        event: "tool-ended" as const,
        tool: "Read",
        inSubagent: true,
      })),
    ],
    own: "busy",
    processes: idle,
    minutes: 120,
    hangs: false,
  },
  {
    name: "a script agent computes and says nothing",
    runtime: "script",
    screen: () => "working",
    hooks: began,
    processes: { cpuMs: 600, sinceTool: 0 },
    minutes: 90,
    hangs: false,
  },
  {
    name: "a script agent tells by its hooks alone",
    runtime: "script",
    screen: () => "working",
    hooks: Array.from({ length: 60 }, (_, index) => ({
      minute: index * 2,
      event: "tool-ended" as const,
      tool: "step",
    })),
    processes: idle,
    minutes: 90,
    hangs: false,
  },
  {
    name: "a long compaction redraws its bar",
    runtime: "claude",
    screen: (minute) => claude(`✻ Compacting conversation… ${minute}%`),
    hooks: [...began, { minute: 2, event: "compacting" }],
    own: "busy",
    hangs: false,
  },
  // Clocks.
  {
    name: "the machine slept for nine hours while it worked",
    runtime: "claude",
    screen: () => claude("✻ Misting…"),
    hooks: began,
    own: "busy",
    processes: idle,
    gap: (minute) => (minute === 10 ? 540 : 1),
    minutes: 20,
    hangs: false,
  },
  {
    name: "nobody ticked for a day",
    runtime: "codex",
    screen: () => "• Working\n\n  ? for shortcuts",
    hooks: began,
    processes: idle,
    gap: (minute) => (minute === 5 ? 1440 : 1),
    minutes: 25,
    hangs: false,
  },
  {
    name: "the lid is closed every few minutes",
    runtime: "claude",
    screen: () => claude("✻ Misting…"),
    hooks: began,
    own: "busy",
    processes: idle,
    gap: (minute) => (minute % 5 === 0 ? 60 : 1),
    minutes: 18,
    hangs: false,
  },
  // Waiting is no hang, however long.
  {
    name: "idle for a night",
    runtime: "claude",
    screen: () => claudeIdle,
    own: "idle",
    processes: idle,
    minutes: 600,
    hangs: false,
  },
  {
    name: "a permission prompt for a night",
    runtime: "claude",
    screen: () => "Bash command\n  rm -rf build\nDo you want to proceed?\n❯ 1. Yes\n  2. No\nEsc to cancel",
    hooks: [...began, { minute: 2, ...shellTool }, { minute: 2, event: "permission-asked", tool: "Bash" }],
    own: "waiting",
    processes: idle,
    minutes: 600,
    hangs: false,
  },
  {
    name: "a permission prompt of Codex for a night",
    runtime: "codex",
    screen: () => "Would you like to run the following command?\n$ make\n› 1. Yes, proceed (y)\n  2. No",
    title: () => "[ . ] Action Required",
    hooks: [...began, { minute: 2, event: "permission-asked", tool: "Bash" }],
    processes: idle,
    minutes: 600,
    hangs: false,
  },
  {
    name: "a usage limit for four hours",
    runtime: "claude",
    screen: () => claudeIdle,
    hooks: [
      ...began,
      { minute: 2, event: "turn-failed", reason: "rate_limit", says: "usage limit reached, try again in 5 hours" },
    ],
    own: "idle",
    processes: idle,
    minutes: 240,
    hangs: false,
  },
  {
    name: "logged out",
    runtime: "claude",
    screen: () => "Not logged in · Please run /login\n\n❯ ",
    hooks: [...began, { minute: 2, event: "turn-failed", reason: "authentication_failed", says: "Please run /login" }],
    own: "idle",
    processes: idle,
    minutes: 120,
    hangs: false,
  },
  {
    name: "an update notice above an idle prompt",
    runtime: "claude",
    screen: () => `${claudeIdle}\n  ✓ Update installed · Restart to apply`,
    own: "idle",
    processes: idle,
    minutes: 120,
    hangs: false,
  },
  {
    name: "Gemini ready, with an update notice",
    runtime: "gemini",
    screen: () => `Gemini CLI update available!\n\n${"─".repeat(60)}\n\n >   Type your message or @path/to/file\n`,
    title: () => "◇  Ready (work)",
    processes: idle,
    minutes: 120,
    hangs: false,
  },
  {
    name: "opencode idle for two hours",
    runtime: "opencode",
    screen: () => "Ask anything…",
    own: "idle",
    processes: idle,
    minutes: 120,
    hangs: false,
  },
  {
    name: "a script agent that says it is idle",
    runtime: "script",
    screen: () => "agent1 is ready.",
    title: () => "constel:idle",
    processes: idle,
    minutes: 120,
    hangs: false,
  },
  // The three reasons not to mind.
  {
    name: "frozen, but quiet was asked for",
    runtime: "claude",
    screen: () => claude("✻ Misting…"),
    hooks: began,
    own: "busy",
    processes: idle,
    quiet: true,
    minutes: 90,
    hangs: false,
  },
  {
    name: "the watchdog agent, ready, with an empty inbox",
    runtime: "script",
    screen: () => "waiting",
    role: "watchdog",
    watchdogReady: true,
    processes: idle,
    minutes: 90,
    hangs: false,
  },
  {
    name: "a clone that took in its message and has not stirred since",
    runtime: "script",
    screen: () => "waiting",
    inbox: (minute) => (minute >= 1 && minute < 3 ? 1 : 0),
    processes: idle,
    minutes: 90,
    hangs: false,
  },
  // These hang.
  {
    name: "frozen in the middle of a turn",
    runtime: "claude",
    screen: () => claude("✻ Misting…"),
    hooks: began,
    own: "busy",
    processes: idle,
    minutes: 40,
    hangs: true,
  },
  {
    name: "frozen in the middle of a turn, and the machine slept in between",
    runtime: "claude",
    screen: () => claude("✻ Misting…"),
    hooks: began,
    own: "busy",
    processes: idle,
    gap: (minute) => (minute === 10 ? 540 : 1),
    minutes: 45,
    hangs: true,
  },
  {
    name: "Codex frozen while it works",
    runtime: "codex",
    screen: () => "• Working (12s • esc to interrupt)\n\n  ? for shortcuts",
    title: () => "⠴ work",
    hooks: began,
    processes: idle,
    minutes: 40,
    hangs: true,
  },
  {
    name: "a program that never got past its first screen",
    runtime: "claude",
    screen: () => "",
    processes: idle,
    minutes: 40,
    hangs: true,
  },
  {
    name: "a tool call without a process, for five hours",
    runtime: "claude",
    screen: () => claude("⏺ Bash(make world)", "  ⎿  Running…"),
    hooks: [...began, { minute: 2, ...shellTool }],
    own: "busy",
    processes: idle,
    minutes: 300,
    hangs: true,
  },
  {
    name: "the spinner turned for five minutes of a tool call, then it froze, and no command is left",
    runtime: "claude",
    screen: (minute) => claude("⏺ Bash(make world)", `${glyph(Math.min(minute, 7))} Running…`),
    hooks: [...began, { minute: 2, ...shellTool }],
    own: "busy",
    processes: idle,
    minutes: 45,
    hangs: true,
  },
  {
    name: "the same, and its command still runs",
    runtime: "claude",
    screen: (minute) => claude("⏺ Bash(make world)", `${glyph(Math.min(minute, 7))} Running…`),
    hooks: [...began, { minute: 2, ...shellTool }],
    own: "busy",
    processes: { cpuMs: 0, sinceTool: 1 },
    minutes: 330,
    hangs: false,
  },
  {
    name: "a command that has done nothing for seven hours",
    runtime: "codex",
    screen: () => "• Running cat\n\n  ? for shortcuts",
    hooks: [...began, { minute: 2, ...shellTool }],
    processes: { cpuMs: 0, sinceTool: 1 },
    minutes: 420,
    hangs: true,
    spared: true,
  },
  {
    name: "a tool call for seven hours whose processes cannot be looked at",
    runtime: "codex",
    screen: () => "• Running make\n\n  ? for shortcuts",
    hooks: [...began, { minute: 2, ...shellTool }],
    processes: "unknown",
    minutes: 420,
    hangs: true,
    spared: true,
  },
  {
    name: "the watchdog agent does not take its message in",
    runtime: "script",
    screen: () => "waiting",
    role: "watchdog",
    watchdogReady: true,
    inbox: () => 1,
    processes: idle,
    minutes: 40,
    hangs: true,
  },
  {
    name: "a clone that worked after it took its message in, and then froze",
    runtime: "claude",
    screen: (minute) => claude(`${glyph(Math.min(minute, 12))} Misting…`),
    hooks: [
      ...began,
      { minute: 2, event: "tool-began", tool: "Read" },
      { minute: 3, event: "tool-ended", tool: "Read" },
    ],
    inbox: (minute) => (minute < 2 ? 1 : 0),
    own: "busy",
    processes: idle,
    minutes: 60,
    hangs: true,
  },
  {
    name: "a crashed program under a shell that lives",
    runtime: "claude",
    screen: () => "zsh: killed     claude\n$ ",
    hooks: began,
    process: "dead",
    processes: idle,
    minutes: 40,
    hangs: true,
  },
];
