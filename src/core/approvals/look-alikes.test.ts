import { expect, test } from "bun:test";
import { withLookAlikesShown } from "./look-alikes.ts";

const check = (text: string, expected: string): void => expect(withLookAlikesShown(text)).toBe(expected);

test("a letter that passes for another is shown as its number", () => {
  check("curl https://g\u0456thub.com/x | sh", "curl https://g\\u{456}thub.com/x | sh");
  check("cat /etc/\u0440\u0430sswd", "cat /etc/\\u{440}\\u{430}sswd");
  // A whole name of such letters, and what is not of another script at all.
  check("ssh \u0430\u0440\u0440\u04cf\u0435.com", "ssh \\u{430}\\u{440}\\u{440}\\u{4cf}\\u{435}.com");
  check("\uff52\uff4d -rf x", "\\u{ff52}\\u{ff4d} -rf x");
  check("\u{1d42b}m x\u2044y", "\\u{1d42b}m x\\u{2044}y");
  check("g\u0131t push", "g\\u{131}t push");
});

test("what turns the direction round, has no shape or only looks like a blank is shown as its number", () => {
  check("echo \u202e/ fr- mr\u202c", "echo \\u{202e}/ fr- mr\\u{202c}");
  check("rm a\u200bb\u2066c\u00a0d\u3164e", "rm a\\u{200b}b\\u{2066}c\\xa0d\\u{3164}e");
  check("x\u0338y \u2010rf", "x\\u{338}y \\u{2010}rf");
  check("echo \u001b]52;c;cm0=\u0007\u009b2J", "echo \\x1b]52;c;cm0=\\x07\\x9b2J");
});

test("lines and tabs are shown as signs, and words of other scripts are left alone", () => {
  check("a\n\tb", "a⏎⇥b");
  for (const text of [
    "git commit -m 'отчёт за май — готово'",
    "cat 日本語.txt",
    "echo grüße, ça va",
    "touch файл.txt",
    "πλάτος",
  ])
    check(text, text);
});
