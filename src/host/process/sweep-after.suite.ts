// Ends what a test leaves when it is killed outright: tmux servers, daemons and agents live in sessions of their own and would stay for
// ever. One shell stands by for the whole test program; it reads the directories that tests use until the program is gone,
// however it went, and then ends every process that was started with one of them in its environment or its words.

let standing: { readonly stdin: Bun.FileSink } | undefined;

/** The directory must be a test's own, new, and never used again. */
export function sweepAfter(directory: string): void {
  if (process.platform !== "linux") return;
  standing ??= standBy();
  void standing.stdin.write(`${directory}\n`);
  void standing.stdin.flush();
}

const script = `
trap '' HUP INT TERM
directories=$(cat)
found() { printf '%s\\n' "$directories" | grep -lasF -f - /proc/[0-9]*/environ /proc/[0-9]*/cmdline | cut -d/ -f3 | sort -u; }
for round in 1 2 3 4 5; do
  pids=$(found)
  [ -n "$pids" ] || break
  kill -KILL $pids 2>/dev/null
done
printf '%s\\n' "$directories" | while read -r directory; do rm -rf -- "$directory"; done
`;

function standBy(): { readonly stdin: Bun.FileSink } {
  const shell = Bun.spawn(["sh", "-c", script], {
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
    detached: true,
  });
  shell.unref();
  return shell;
}
