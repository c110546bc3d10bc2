// An address without the slashes at its end. An expression for that tries each of a million slashes in the middle as the first of the end.

export function withoutSlashes(address: string): string {
  let end = address.length;
  while (end > 0 && address[end - 1] === "/") end -= 1;
  return address.slice(0, end);
}
