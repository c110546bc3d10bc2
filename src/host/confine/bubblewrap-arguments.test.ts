import { expect, test } from "bun:test";
import { bubblewrapArguments, type Shown } from "./bubblewrap-arguments.ts";

const shown: Shown = {
  hides: ["/tmp", "/home/ann"],
  reads: ["/home/ann/tools/bin"],
  writes: ["/home/ann/.constel/state/hooks/agent1.jsonl", "/home/ann/work/workspaces"],
  covers: [],
  links: [["/home/ann/.constel/state/daemon.sock", "doors/daemon.sock"]],
  closed: "/home/ann/.constel",
  cwd: "/home/ann/work",
  unset: ["TMUX"],
  set: { CONSTEL_CONFINED: "1" },
};

const mounts = (given: Partial<Shown>): string[] => {
  const words = bubblewrapArguments({ ...shown, ...given });
  return words.flatMap((word, at) =>
    /^--(ro-bind-try|bind|tmpfs|symlink)$/.test(word) ? `${word} ${words[at + 1]}` : [],
  );
};

test("what is inside a hidden place is laid after it, in whatever order they were named", () => {
  const order = mounts({});
  const place = (words: string): number => order.indexOf(words);
  expect(place("--tmpfs /home/ann")).toBeGreaterThanOrEqual(0);
  expect(place("--ro-bind-try /home/ann/tools/bin")).toBeGreaterThan(place("--tmpfs /home/ann"));
  expect(place("--tmpfs /home/ann/.constel")).toBeGreaterThan(place("--tmpfs /home/ann"));
  expect(place("--bind /home/ann/.constel/state/hooks/agent1.jsonl")).toBeGreaterThan(
    place("--tmpfs /home/ann/.constel"),
  );
  expect(mounts({ hides: [...shown.hides].reverse(), writes: [...shown.writes].reverse() }).toSorted()).toEqual(
    order.toSorted(),
  );
});

test("the order is from outside to inside, and at one place: shown, hidden, written", () => {
  const places = ["/a", "/a/b", "/a/b/c", "/a/b/c/d", "/a/b/c/d/e"];
  for (const given of [places, places.toReversed(), ["/a/b/c", "/a", "/a/b/c/d/e", "/a/b", "/a/b/c/d"]]) {
    const order = mounts({ hides: given, reads: given, writes: given, links: [], closed: "/z" });
    expect(order.filter((words) => !/ (\/z|\/proc\/.*)$/.test(words))).toEqual(
      places.flatMap((path) => [`--ro-bind-try ${path}`, `--tmpfs ${path}`, `--bind ${path}`]),
    );
  }
});

test("a readable place that holds a hidden one, or is one, does not show it", () => {
  const order = mounts({ reads: ["/home", "/home/ann", "/home/ann/.constel"] });
  const last = (path: string): string | undefined => order.findLast((words) => words.endsWith(` ${path}`));
  expect(last("/home/ann")).toBe("--tmpfs /home/ann");
  expect(last("/home/ann/.constel")).toBe("--tmpfs /home/ann/.constel");
  expect(order.indexOf("--ro-bind-try /home")).toBeLessThan(order.indexOf("--tmpfs /home/ann"));
});

test("the home is closed after everything was laid into it, and before the program begins", () => {
  const words = bubblewrapArguments(shown);
  const closed = words.indexOf("--remount-ro");
  expect(words[closed + 1]).toBe("/home/ann/.constel");
  for (const word of ["--tmpfs", "--bind", "--symlink", "--ro-bind-try"])
    expect(words.lastIndexOf(word)).toBeLessThan(closed);
  expect(words.at(-1)).toBe("--");
});

test("processes, users and capabilities are its own, and the machine is read-only", () => {
  const line = bubblewrapArguments(shown).join(" ");
  for (const words of [
    "--unshare-user",
    "--unshare-pid",
    "--unshare-ipc",
    "--die-with-parent",
    "--cap-drop ALL",
    "--ro-bind / /",
  ])
    expect(line).toContain(words);
  expect(line.indexOf("--ro-bind /proc/sys /proc/sys")).toBeGreaterThan(line.indexOf("--proc /proc"));
  expect(line).toContain("--unsetenv TMUX");
  expect(line).toContain("--setenv CONSTEL_CONFINED 1");
});
