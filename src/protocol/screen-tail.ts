// The last lines of a terminal as somebody would tell them: frames, rules, spinners and empty input lines are drawing, not words. Pure.

/** Box drawing, blocks, Braille patterns (spinners) and the marks by which programs begin an input line. */
const drawing = /[\u2500-\u259f\u2800-\u28ff\u276f\u203a\u2771\u25b6]/gu;
/** tmux itself writes a last line into a dead terminal. */
const deadPane = /^Pane is dead \(/;

export function screenTail(screen: string, most: number): string[] {
  return screen
    .split("\n")
    .map((line) => line.replace(drawing, " ").replace(/ {3,}/g, "  ").trimEnd())
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !deadPane.test(line))
    .slice(-most);
}
