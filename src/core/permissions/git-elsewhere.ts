// What takes a git command out of what its verb says: an option that names a file to read, one that names a program to run, a remote that is a
// program (`ext::`), and a push to a place of the machine, from where everything can be read.

/** As git takes them: any beginning that is the only one of its kind. */
const filesOrPrograms =
  /^--(?:templ|pathspec-f|exclude-(?:f|p)|file(?:=|$)|ignore-revs-|conten|orderf|upload-p|receive-p|exec(?:=|$)|open|signature-file|allowed|stdin-p)/;

/** Short options of one verb that name a file or a program; letters that take a word of their own end the search. */
const shortOnes: Readonly<Record<string, RegExp>> = {
  commit: /^-[a-ln-zA-Z]*[tF]/,
  tag: /^-[a-ln-tv-zA-Z]*F/,
  merge: /^-[a-ln-rt-wyzA-WYZ]*F/,
  notes: /^-[a-ln-zA-Z]*[FCc]/,
  grep: /^-[a-df-zA-Z]*[fO]/,
  "ls-files": /^-[a-wyzA-Z]*X/,
  blame: /^-[a-zA-KN-Z]*S/,
  annotate: /^-[a-zA-KN-Z]*S/,
};

const talks: ReadonlySet<string> = new Set("fetch push pull remote ls-remote clone archive submodule".split(" "));

/** `ext::sh -c …`: a program of that name speaks for the remote. Addresses with one colon are none. */
const isProgram = (text: string): boolean => /^[\w.+-]+::/.test(text);

const isPlace = (text: string): boolean => /^(?:\/|~|\.{1,2}(?:\/|$)|file:)/.test(text);

/** `https://host/x`, `host:x`: what is pushed there can be read there. A remote has a name. */
const isAddress = (text: string): boolean => /^[\w+.-]+:\/\/|^[^/]+:/.test(text);

export function leadsElsewhere(verb: string, texts: readonly string[], exists: (path: string) => boolean): boolean {
  const end = texts.indexOf("--");
  const before = end === -1 ? texts : texts.slice(0, end);
  const options = before.filter((text) => text.startsWith("-"));
  if (options.some((text) => filesOrPrograms.test(text) || shortOnes[verb]?.test(text) === true)) return true;
  if (!talks.has(verb)) return false;
  if (texts.some((text) => isProgram(text.replace(/^--[\w-]+=/, "")))) return true;
  if (verb === "remote") return /^(?:add|set-url)$/.test(texts[0] ?? "") && texts.slice(1).some(isPlace);
  if (verb !== "push") return false;
  const named = options.flatMap((text) => /^--repo=(.*)$/s.exec(text)?.[1] ?? []);
  const [whereTo] = texts.filter((text) => !text.startsWith("-"));
  return [...named, ...(whereTo === undefined ? [] : [whereTo])].some(
    (one) => isPlace(one) || isAddress(one) || exists(one),
  );
}
