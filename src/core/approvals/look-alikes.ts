// Characters that pass for others, in what the owner is asked to allow: they are shown as their numbers, so that `gіthub.com` with a letter of another
// script, a blank that separates nothing or a direction that is turned round cannot be taken for what it is not. Words of another script
// stay as they are, unless they could be read as Latin from one end to the other.

import { asNumbers } from "../../protocol/safe-text.ts";

/**
 * Characters that have no shape of their own, or turn others round, are numbered wherever they stand. Newlines and tabs are shown as
 * signs.
 */
// oxlint-disable-next-line no-misleading-character-class -- finding such characters one by one is the point
const shapeless = /[\p{C}\p{Z}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u2800\u3164\uffa0\ufe00-\ufe0f]/gu;
/** Marks that strike a letter through or surround it, and shapes that were made to look like letters, signs or hyphens of ASCII. */
const made =
  // oxlint-disable-next-line no-misleading-character-class -- likewise
  /[\u0334-\u0338\u20d0-\u20ff\ufe20-\ufe2f\uff01-\uff5e\u2100-\u214f\u{1d400}-\u{1d7ff}\u{1f100}-\u{1f189}\u2010-\u2012\u2212\ufe63\u2024\u2044\u2215\u2216\u29f5\u29f8\ufe68\u2236\ua789\u02d0\u037e\u01c0\u01c3\u2223]/gu;
const word = /[\p{L}\p{N}\p{M}_]+/gu;
const latin = /[\p{Script=Latin}\p{N}_]/u;
/** Letters that look like one of ASCII's in nearly every typeface: Cyrillic, Greek, Armenian, and a few that are Latin. */
const twins = new Set("асеорхуіјѕԁһӏԛԝѵкԍҽАВЕКМНОРСТУХІЈЅѴԀԌҺӀԚԜЗονακρυιϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧօոսհցԱՕՍıɡɑɩᴏſƖ");

export function withLookAlikesShown(text: string): string {
  if (plain.test(text)) return text;
  return text
    .replace(word, (one) =>
      isDisguised(one) ? [...one].map((letter) => (twins.has(letter) ? asNumbers(letter) : letter)).join("") : one,
    )
    .replace(made, asNumbers)
    .replace(shapeless, (one) => signs[one] ?? asNumbers(one));
}

const plain = /^[ -~]*$/;
const signs: Readonly<Record<string, string>> = { " ": " ", "\n": "⏎", "\t": "⇥" };

/** It has such letters, and nothing in it that says that it is of another script. */
function isDisguised(one: string): boolean {
  const letters = [...one];
  return (
    letters.some((letter) => twins.has(letter)) && letters.every((letter) => twins.has(letter) || latin.test(letter))
  );
}
