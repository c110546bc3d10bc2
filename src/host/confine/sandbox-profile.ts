// The profile that makes macOS's sandbox-exec show a program so much and no more: the same list of places as bubblewrap is given. Pure.
//
// Of several rules that fit, the last one counts: so everything may be read and nothing written, then what is hidden is, outer places first, then
// comes back what was named inside. Nothing is laid over anything here, so a hidden place is refused where bubblewrap shows it empty.

import type { Shown } from "./bubblewrap-arguments.ts";

/** The devices that programs write to and that are nobody's: the terminal, and where output is thrown away. */
const devices = ['(literal "/dev/null")', '(literal "/dev/zero")', '(regex #"^/dev/(tty|ttys[0-9]+|fd/[0-9]+|ptmx)$")'];

export function sandboxProfile({ hides, reads, writes, links, closed }: Shown): string {
  const inside = links.map(([name]) => name);
  return [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    `(allow file-write* ${devices.join(" ")})`,
    ...outerFirst([...reads.map(shows), ...[...hides, closed].map(refuses), ...writes.map(gives)]),
    // A directory on the way to what is shown must be passed through, and tells nothing but that it is there.
    `(allow file-read-metadata ${[...new Set([...reads, ...writes, ...inside].flatMap(above))].map(literal).join(" ")})`,
    // Sockets of others are not reached, whatever may be read: the daemon's two doors alone.
    "(deny network-outbound (remote unix-socket))",
    ...inside.flatMap((path) => [
      `(allow file-read* ${literal(path)})`,
      `(allow network-outbound (remote unix-socket (path-literal ${quoted(path)})))`,
    ]),
    // Others' processes are neither seen, signalled nor traced.
    "(deny process-info* (target others))",
    "(deny signal (target others))",
    "(allow signal (target same-sandbox))",
    "(deny mach-priv-task-port)",
    "",
  ].join("\n");
}

interface Rule {
  readonly path: string;
  readonly text: string;
  /** Of several at one path, as for bubblewrap: what shows, what hides, what must be written. */
  readonly rank: number;
}

const shows = (path: string): Rule => ({ path, text: `(allow file-read* ${below(path)})`, rank: 0 });
const refuses = (path: string): Rule => ({ path, text: `(deny file-read* file-write* ${below(path)})`, rank: 1 });
const gives = (path: string): Rule => ({ path, text: `(allow file-read* file-write* ${below(path)})`, rank: 2 });

const outerFirst = (rules: readonly Rule[]): string[] =>
  rules.toSorted((a, b) => depth(a.path) - depth(b.path) || a.rank - b.rank).map(({ text }) => text);

const depth = (path: string): number => path.split("/").filter((part) => part !== "").length;

const below = (path: string): string => `(subpath ${quoted(path)})`;
const literal = (path: string): string => `(literal ${quoted(path)})`;
const quoted = (path: string): string => `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

/** Every directory above a place. */
function above(path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "");
  return parts.map((_, index) => `/${parts.slice(0, index).join("/")}`);
}
