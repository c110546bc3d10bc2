// `paged-<what>-<agent>`: the owner was told of this, once. Written after the page went out: a watchdog that dies between
// the two pages again rather than never. A hang has a marker of its own (hang.ts).

import { checkAgentId } from "../../protocol/agent-id.ts";
import { hasMarker, putMarker, removeMarker } from "./marker-files.ts";

const subjects = ["crashloop", "cannot-start"] as const;
export type PagedSubject = (typeof subjects)[number];

const nameOf = (subject: PagedSubject, agent: string): string => `paged-${subject}-${checkAgentId(agent)}`;

export const isPaged = (home: string, subject: PagedSubject, agent: string): boolean =>
  hasMarker(home, nameOf(subject, agent));

export const markPaged = (home: string, subject: PagedSubject, agent: string, how: string): void =>
  putMarker(home, nameOf(subject, agent), how);

/** True when there was one. */
export function clearPaged(home: string, agent: string): boolean {
  return subjects.map((subject) => removeMarker(home, nameOf(subject, agent))).some((was) => was);
}
