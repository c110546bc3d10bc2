// tree-sitter asks for 32 MB when it starts and touches two of them. The engine counts all of it as heap in use, twice, and lets garbage grow in
// proportion to that: the daemon held 50 to 90 MB more after a first look at 50 worktrees. So the least it asks for is made smaller in the
// program itself, where nothing else can say so. The memory grows by itself when a file needs more.

const pageBytes = 65_536;
const pages = 32;

/** The import of the memory, which has a name, is a memory (2), has a bound (1), and begins with 512 pages: a number of seven bits a byte, the lowest first. */
const declared = Buffer.from("\x06memory\x02\x01\x80\x04", "latin1");
/** As long as what it replaces. */
const instead = Buffer.from([0x80 | pages, 0x00]);

/** Changes the program and answers how many bytes it is to begin with; undefined, and nothing is changed, when it does not ask for so many. */
export function askForLess(program: Buffer): number | undefined {
  const at = program.indexOf(declared);
  if (at === -1) return undefined;
  instead.copy(program, at + declared.length - instead.length);
  return pages * pageBytes;
}
