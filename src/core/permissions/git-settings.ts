// Settings of git's, for one command or for good. Most name no program and no file; one that does makes git another command, or has it show
// another file.

import type { ShellWord } from "../../protocol/shell-script.ts";

/** Settings of git's that make it run nothing. What is not here may be a program. */
const plainSetting =
  /^(?:user\.(?:name|email|signingkey|useconfigonly)|color\..*|advice\..*|commit\.(?:gpgsign|verbose|status)|tag\.gpgsign|core\.(?:quotepath|autocrlf|eol|safecrlf|ignorecase|filemode|longpaths|precomposeunicode|abbrev|bare|whitespace|preloadindex|symlinks)|init\.defaultbranch|protocol\.version|gc\.auto|push\.(?:default|autosetupremote|followtags)|pull\.(?:rebase|ff)|fetch\.prune|merge\.(?:ff|conflictstyle|renamelimit)|rebase\.(?:autosquash|autostash)|diff\.(?:renames|renamelimit|algorithm|mnemonicprefix|noprefix)|log\.(?:date|decorate)|status\..*|branch\.(?:sort|autosetuprebase)|rerere\..*|http\.(?:postbuffer|version)|pack\..*|index\..*|safe\.directory|feature\..*)(?:=|$)/i;

/** Tells whether it sets something, for this command or in git's settings, that may be a program. */
export function setsInGit(words: readonly ShellWord[]): boolean {
  const texts = words.map(({ text, start }) => text ?? start);
  const verb = texts.indexOf("config");
  const given = texts.flatMap((text, at) =>
    texts[at - 1] === "-c" ? [text] : /^-c./.test(text) ? [text.slice(2)] : [],
  );
  if (given.some((setting) => !plainSetting.test(setting))) return true;
  if (verb === -1 || texts.slice(0, verb).some((text) => !text.startsWith("-") && !/^(?:\.|\/)/.test(text)))
    return false;
  const named = texts.slice(verb + 1).filter((text) => !text.startsWith("-") && text !== "set");
  const reads = /^(?:--get.*|-l|--list|get|list|--unset.*|unset)$/;
  return !texts.some((text) => reads.test(text)) && named.length > 1 && !plainSetting.test(named[0] ?? "");
}
