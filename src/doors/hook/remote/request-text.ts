// The words in which a task goes to an agent of somebody else's. Pure. Only the task itself leaves the machine: no path of it, no other
// message, nothing of other agents.

export interface AskedTask {
  readonly title: string;
  readonly directive: string;
  readonly criteria: readonly string[];
  /** Why it came back, if it did. */
  readonly reason: string | undefined;
  readonly places: readonly AskedPlace[];
}

export interface AskedPlace {
  readonly name: string;
  /** The origin's address, if others can have a use of it. */
  readonly origin: string | undefined;
  readonly target: string;
  readonly base: string;
}

export function requestText({ title, directive, criteria, reason, places }: AskedTask): string {
  const parts = [
    title,
    directive,
    ...(criteria.length === 0 ? [] : [`It counts as done when:\n${criteria.map((one) => `- ${one}`).join("\n")}`]),
    ...(reason === undefined ? [] : [`It was handed over before and could not land:\n${reason}`]),
    ...places.map(
      ({ name, origin, target, base }) =>
        `${places.length > 1 ? `${name}: ` : ""}${origin === undefined ? "The work" : `The repository is ${origin}; the work`} begins at commit ${base} and is to land on ${target}.`,
    ),
    `Hand over a change as an artefact: a diff as git writes it (text/x-diff${places.length > 1 ? ", its filename NAME.diff for the repository NAME" : ""}), or data {"branch": "…"} if you pushed a branch to that repository. An answer that changes nothing is text.`,
  ];
  return parts.filter((part) => part.trim() !== "").join("\n\n");
}

/** Without user and password. A path of this machine, or a place only it can reach, says nothing to others. */
export function shownOrigin(origin: string): string | undefined {
  if (/^[A-Za-z0-9._-]+@[A-Za-z0-9.-]+:[^\s]+$/.test(origin)) return origin;
  const url = URL.parse(origin);
  if (url === null || !/^(https?|ssh|git):$/.test(url.protocol)) return undefined;
  if (url.protocol !== "ssh:") url.username = "";
  url.password = "";
  return url.href;
}
