// A runtime that no variable steers. Compiled programs obey BUN_OPTIONS (`--preload` runs any file) and BUN_BE_BUN (the program becomes Bun) before
// a line of ours runs, and there is no switch against it. In the copy that our programs are made from, the two names are replaced by
// ones of the same length that begin with `=`, which no shell, .env file or program can set.

const names = ["BUN_OPTIONS", "BUN_BE_BUN"] as const;

/** A name like `AXBUN_OPTIONS` does not count: `RES_OPTIONS` and others end alike. */
export function deafened(runtime: Buffer): Buffer {
  const bytes = Buffer.from(runtime);
  for (const name of names) {
    let count = 0;
    for (let at = bytes.indexOf(name); at !== -1; at = bytes.indexOf(name, at + 1)) {
      bytes.write(`=${name.slice(0, -1)}`, at, "latin1");
      count += 1;
    }
    // A runtime that reads it by another name would not be deaf, and nobody would see it.
    if (count === 0) throw new Error(`the runtime does not name ${name}: look how it reads it now`);
  }
  return bytes;
}
