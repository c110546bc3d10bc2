// A text that is too long for a channel: its beginning and its end, and between them how much was left out. The end is where a page
// says what to do next, and somebody who answers from a phone must see that they have not seen all.

/** `most` counts as `sizeOf` does; by default in UTF-16 units. */
export function fitText(text: string, most: number, sizeOf: (text: string) => number = lengthOf): string {
  if (sizeOf(text) <= most) return text;
  const characters = [...text];
  const end = takeFrom([...characters].reverse(), Math.floor(most / 4), sizeOf).reverse();
  const room = most - sizeOf(end.join("")) - sizeOf(leftOut(characters.length));
  const start = takeFrom(characters, room, sizeOf);
  return `${start.join("")}${leftOut(characters.length - start.length - end.length)}${end.join("")}`;
}

export const bytesOf = (text: string): number => Buffer.byteLength(text);

const lengthOf = (text: string): number => text.length;

const leftOut = (count: number): string => `\n… ${count} characters left out; \`constel status\` has all …\n`;

/** As many of the first characters as have room. */
function takeFrom(characters: readonly string[], room: number, sizeOf: (text: string) => number): string[] {
  const taken: string[] = [];
  let size = 0;
  for (const character of characters) {
    size += sizeOf(character);
    if (size > room) break;
    taken.push(character);
  }
  return taken;
}
