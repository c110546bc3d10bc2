// The comment that says which open pull requests collide with one. Pure. What stands in it was partly written by strangers: no
// title of theirs can become markup, mention anybody or end our lines.

import type { OpenPullsReport, PullCollision } from "../protocol/open-pulls.ts";

export const collisionsMarker = "<!-- constel: collisions -->";

const mostPulls = 20;
const mostFindings = 5;

export function commentText({ compared, collisions, open }: Omit<OpenPullsReport, "commented">): string {
  const head =
    collisions.length === 0
      ? `Collides with none of the ${compared} other open pull requests that were compared.`
      : `Collides with ${collisions.length} of the ${compared} other open pull requests that were compared:`;
  const left = collisions.length - mostPulls;
  const lines = [
    "### Open pull requests that collide with this one",
    "",
    head,
    ...(collisions.length === 0 ? [] : ["", ...collisions.slice(0, mostPulls).flatMap(linesOf)]),
    ...(left > 0 ? [`- and ${left} more`] : []),
    ...(open.length === 0
      ? []
      : [
          "",
          `Not compared, or not wholly: ${open
            .map(({ number, why }) => `#${number} (${plain(why)})`)
            .join(", ")
            .slice(0, 2_000)}`,
        ]),
    "",
    "Foreseen by constel from the branches as they are; nothing of them was run.",
  ];
  return lines.join("\n");
}

function linesOf({ number, title, author, findings }: PullCollision): string[] {
  const left = findings.length - mostFindings;
  return [
    `- #${number} ${plain(title)} (by ${plain(author)})`,
    ...findings.slice(0, mostFindings).map((one) => `  - ${one.severity}, ${one.kind}: ${plain(one.title)}`),
    ...(left > 0 ? [`  - and ${left} more`] : []),
  ];
}

/** One line of plain words: markup is escaped, and a mention mentions nobody. */
const plain = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- they end lines, or hide what stands beside them
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, " ")
    .slice(0, 300)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\`*_[\]()#|~!]/g, "\\$&")
    .replaceAll("@", "@\u200d");
