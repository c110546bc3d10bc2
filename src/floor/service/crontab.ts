// Our one line in a crontab that is somebody's: put in, replaced or taken out, every other byte left as it was. Pure.

/** `line` undefined: ours goes. */
export function mergeCrontab(before: string, mark: string, line: string | undefined): string {
  const isOurs = (one: string): boolean => one.endsWith(mark);
  const lines = before.split("\n");
  const at = lines.findIndex(isOurs);
  if (at === -1) {
    if (line === undefined) return before;
    // A crontab whose last line has no end would swallow ours.
    return `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}${line}\n`;
  }
  return lines
    .flatMap((one, index) => (!isOurs(one) ? [one] : index === at && line !== undefined ? [line] : []))
    .join("\n");
}

export const hasCronLine = (crontab: string, mark: string): boolean =>
  crontab.split("\n").some((line) => line.endsWith(mark));
