// Commands whose work is to run another: what is inside is taken out, so that it can be judged like any other. Some do more than
// that (sudo, env with variables, xargs); they are asked, and are opened all the same, because what is inside may be forbidden.

import type { ShellCommand, ShellWord } from "../../protocol/shell-script.ts";
import { programName } from "./program-name.ts";

export interface Opened {
  /** A text is a script of its own; a command is judged as it stands. */
  readonly inner: readonly (string | ShellCommand)[];
  /** The reason why it is asked, whatever is inside. */
  readonly why?: string;
}

/** Undefined when the command runs no other. */
export function openWrapper(command: ShellCommand): Opened | undefined {
  const [name, ...rest] = command.words;
  const text = name?.text ?? "";
  const base = programName(text);
  if (base === "find") return find(rest, command);
  const open =
    wrappers.get(base) ??
    (others.has(base) || isLoader(base) || runsByVerb(base, rest) ? asked("it runs another command") : undefined);
  if (open === undefined) return undefined;
  const opened = open(rest, command);
  // A program of one's own may be called as these are.
  return text.includes("/") ? { ...opened, why: opened.why ?? "it is a program at a path of its own" } : opened;
}

type Open = (words: readonly ShellWord[], command: ShellCommand) => Opened;

const as = (words: readonly ShellWord[], command: ShellCommand): ShellCommand => ({
  source: command.source,
  words,
  assigns: [],
});

/** Options it may have, each alone; after them the command. */
function plain(options: RegExp, operands = 0): Open {
  return (words, command) => {
    let at = 0;
    while (words[at]?.text !== undefined && options.test(words[at]?.text ?? "")) at++;
    const inner = words.slice(at + operands);
    if (inner.length === 0) return { inner: [], why: "which command it runs is not written out" };
    const first = inner[0]?.text;
    const why = first?.startsWith("-") === true ? { why: "it has options that are not judged" } : {};
    return { inner: [as(inner, command)], ...why };
  };
}

const none = /^(?!)/;
/** The number of words, options included, within which a command is looked for; it is asked in any case. */
const furthest = 12;

/** `why` whatever is inside; the command is looked for at every word, because options differ, and in every word that could be a script. */
function asked(why: string): Open {
  return (words, command) => ({ inner: within(words, command), why });
}

function within(words: readonly ShellWord[], command: ShellCommand): readonly (string | ShellCommand)[] {
  const first = words.slice(0, furthest);
  const scripts = first.flatMap(({ text = "" }) => {
    const joined = joinedScript.exec(text)?.[1];
    return joined !== undefined ? [joined] : isScript(text) ? [text.replace(/^--[\w-]+=/, "")] : [];
  });
  return [...first.map((_, at) => as(words.slice(at), command)), ...scripts];
}

/** `-Scurl`, `-ccurl`, `--command=curl`: one word is a script too. */
const joinedScript = /^(?:-[A-Za-z]*?[Sc]|--(?:split-string|command|session-command|call)=)(.+)$/s;

/** A text that a shell would read otherwise than as one word. */
export const isScript = (text: string): boolean => /[\s'"\\$`;&|<>(){}]/.test(text);

function shell(words: readonly ShellWord[]): Opened {
  const at = words.findIndex(({ text }) => text !== undefined && /^-[a-z]*c$/.test(text));
  const script = words[at + 1];
  if (at === -1 || script === undefined) return { inner: [], why: "it runs a script that is not in the command" };
  const texts = script.text === undefined ? [] : [script.text];
  if (script.text === undefined) return { inner: texts, why: "the script it runs is not written out" };
  const before = words.slice(0, at);
  const known = before.every(
    ({ text }) => text !== undefined && /^(?:-[leux]+|--norc|--noprofile|--login)$/.test(text),
  );
  const flags = /^-[leux]*c$/.test(words[at]?.text ?? "");
  const alone = words.length === at + 2;
  return known && flags && alone ? { inner: texts } : { inner: texts, why: "it has options that are not judged" };
}

function environment(words: readonly ShellWord[], command: ShellCommand): Opened {
  const at = words.findIndex(
    ({ text, start }) => !(text ?? start).startsWith("-") && !/^[A-Za-z_]\w*=/.test(text ?? start),
  );
  if (at === 0) return { inner: [as(words, command)] };
  const onlySets = words.slice(0, Math.max(at, 0)).every(({ text, start }) => /^[A-Za-z_]\w*=/.test(text ?? start));
  if (at > 0 && onlySets)
    return { inner: [as(words.slice(at), command)], why: "it sets variables for the command it runs" };
  // Some options take the next word, and `-S` is a script of its own.
  return {
    inner: within(words, command),
    why: at === -1 ? "it shows the environment" : "it sets variables for the command it runs",
  };
}

/** The commands behind -exec and the like; without any, find is no wrapper. */
function find(words: readonly ShellWord[], command: ShellCommand): Opened | undefined {
  const inner: ShellCommand[] = [];
  for (const [at, { text }] of words.entries()) {
    if (text === undefined || !/^-(?:exec|execdir|ok|okdir)$/.test(text)) continue;
    const rest = words.slice(at + 1);
    const end = rest.findIndex((word) => word.text === ";" || word.text === "+");
    const given = end === -1 ? rest : rest.slice(0, end);
    inner.push(
      as(
        given.map((word) => (word.text?.includes("{}") === true ? incoming : word)),
        command,
      ),
    );
  }
  return inner.length === 0 ? undefined : { inner, why: "it runs a command for each file it finds" };
}

/** A word that is not known before it runs. */
const incoming: ShellWord = { source: "…", start: "", splits: true, glob: false };

/** Adds a word for the input to the command's words. */
function incomingWords(words: readonly ShellWord[], command: ShellCommand): Opened {
  const inner = words.slice(0, furthest).map((_, at) => as([...words.slice(at), incoming], command));
  return { inner, why: "what it adds to the command is not known" };
}

const timeLimit: Open = (words, command) => {
  const at = words.findIndex(({ text }) => text !== undefined && /^\d+(?:\.\d+)?[smhd]?$/.test(text));
  const known = words
    .slice(0, Math.max(at, 0))
    .every(({ text }) => text !== undefined && /^(?:-k\d+s?|--foreground|-v)$/.test(text));
  const inner = words.slice(at + 1);
  if (at === -1 || inner.length === 0) return { inner: [], why: "which command it runs is not written out" };
  return known
    ? { inner: [as(inner, command)] }
    : { inner: [as(inner, command)], why: "it has options that are not judged" };
};

const niceness: Open = (words, command) => {
  const isApart = words[0]?.text === "-n" && /^-?\d+$/.test(words[1]?.text ?? "");
  return plain(/^(?:-n-?\d+|--?\d+)$/)(isApart ? words.slice(2) : words, command);
};

const wrappers: ReadonlyMap<string, Open> = new Map<string, Open>([
  ...["sh", "bash", "dash", "zsh", "ksh", "ash", "rbash"].map((name): [string, Open] => [name, shell]),
  // Another grammar: a quote there may end where it goes on here.
  ["fish", (words) => ({ ...shell(words), why: "fish reads a command in another way" })],
  ["env", environment],
  ["time", plain(/^-p$/)],
  ["nohup", plain(none)],
  ["setsid", plain(/^-[cfw]$/)],
  ["command", plain(/^-p$/)],
  ["builtin", plain(none)],
  ["nice", niceness],
  ["ionice", plain(/^-c\d$/)],
  ["stdbuf", plain(/^-[ioe][L0]$/)],
  ["timeout", timeLimit],
  ["gtimeout", timeLimit],
  ["exec", asked("it replaces the shell")],
  ["sudo", asked("it runs as somebody else")],
  ["doas", asked("it runs as somebody else")],
  ["su", asked("it runs as somebody else")],
  ["runuser", asked("it runs as somebody else")],
  ["setpriv", asked("it runs as somebody else")],
  ["pkexec", asked("it runs as somebody else")],
  ["chroot", asked("it runs somewhere else")],
  ["unshare", asked("it runs somewhere else")],
  ["ssh", asked("it runs somewhere else")],
  ["docker", asked("it runs somewhere else")],
  ["watch", asked("it runs a command again and again")],
  ["parallel", asked("what it adds to the command is not known")],
  ["strace", asked("it runs a command under a tool")],
  ["script", asked("it runs a command under a tool")],
  ["coproc", asked("it runs a command in the background")],
  ["trap", asked("it runs a command later")],
  ["xargs", incomingWords],
  [
    "eval",
    (words) => {
      const texts = words.map(({ text }) => text);
      const why = "it runs a text as a command";
      return texts.every((text) => text !== undefined) ? { inner: [texts.join(" ")], why } : { inner: [], why };
    },
  ],
]);

/** More that do; they are opened for what may be forbidden inside. Who allows one of these by a rule has chosen to. */
const others: ReadonlySet<string> = new Set(
  (
    "busybox toybox flock chrt taskset numactl prlimit setarch systemd-run systemd-inhibit cgexec unbuffer faketime tmux screen entr " +
    "hyperfine valgrind gdb ltrace perf firejail bwrap nsenter xvfb-run dbus-run-session proxychains proxychains4 torsocks " +
    "start-stop-daemon sg podman kubectl npx bunx pnpx uvx sshpass expect caffeinate nix-shell nodemon concurrently dotenv cross-env env-cmd " +
    "pm2 forever supervisord tini dumb-init gosu su-exec fakeroot proot catchsegv memusage dtach abduco"
  ).split(" "),
);

/** Programs that run another by one of their verbs, such as `npm exec`. */
const byVerb: ReadonlyMap<string, RegExp> = new Map([
  ...["npm", "pnpm", "yarn"].map((name): [string, RegExp] => [name, /^(?:exec|x|dlx|node)$/]),
  ["bun", /^(?:x|exec)$/],
  ...["uv", "poetry", "pdm", "hatch", "rye", "pipenv", "pipx", "conda", "mamba", "micromamba", "devbox", "deno"].map(
    (name): [string, RegExp] => [name, /^(?:run|tool|shell)$/],
  ),
  ...["mise", "asdf", "direnv", "bundle", "rbenv", "pyenv", "nodenv", "op", "doppler", "aws-vault"].map(
    (name): [string, RegExp] => [name, /^(?:exec|x|run)$/],
  ),
  ["nix", /^(?:run|shell|develop)$/],
  ["gh", /^(?:alias|extension)$/],
  ["flatpak", /^run$/],
  ["snap", /^run$/],
]);

/** The number of words, options included, within which a verb is looked for. */
const verbsWithin = 5;
const runsByVerb = (base: string, rest: readonly ShellWord[]): boolean => {
  const verb = byVerb.get(base);
  return verb !== undefined && rest.slice(0, verbsWithin).some(({ text }) => text === undefined || verb.test(text));
};

/** Tells whether a program of this name runs others. */
export const runsOthers = (base: string): boolean =>
  wrappers.has(base) || others.has(base) || base === "find" || isLoader(base);

/** Tells whether it does so by one of these words. */
export const runsOthersBy = (base: string, words: readonly string[]): boolean => {
  const verb = byVerb.get(base);
  return verb !== undefined && words.some((word) => verb.test(word));
};

/** The loader of the system takes a program as its word. */
const isLoader = (base: string): boolean => /^ld(?:-(?:linux|musl)[\w.-]*)?\.so(?:\.\d+)*$/.test(base);

/** For rules: allowing these words alone would approve any command. */
export function runsAnything(words: readonly string[]): boolean {
  return words.length === 1 && (wrappers.has(words[0] ?? "") || words[0] === "find");
}
