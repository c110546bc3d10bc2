import { expect, test } from "bun:test";
import { lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../../test/kit/directory.ts";
import { layLinks } from "../../../floor/agents/lay-links.ts";
import type { Launch, RuntimeMachine } from "../../../ports/runtime.ts";
import { gemini } from "./gemini.ts";
import { prepareOwnHome } from "./own-home.ts";

interface Hooks {
  readonly hooks: Readonly<Record<string, readonly { hooks: readonly { command: string }[] }[]>>;
}

function scene(settings: string | undefined) {
  const directory = temporaryDirectory("gemini-home");
  const [person, home] = [join(directory.path, "person"), join(directory.path, "constel")];
  mkdirSync(join(person, ".gemini/tmp"), { recursive: true });
  mkdirSync(home, { mode: 0o700 });
  if (settings !== undefined) writeFileSync(join(person, ".gemini/settings.json"), settings);
  writeFileSync(join(person, ".gemini/oauth_creds.json"), "login");
  const launch = { agent: "agent1", home, hookCommand: ["/bin/constel", "hook", "gemini"] } as unknown as Launch;
  const own = () => prepareOwnHome(launch, { HOME: person });
  const written = (): Hooks => JSON.parse(own().files[0]?.content ?? "{}") as Hooks;
  return { directory, person, home, own, written };
}

test("an agent's settings are the person's with our hooks after theirs, whatever comments and commas stand there", () => {
  const theirs = '{"hooks": [{"command": "theirs"}]}';
  const { directory, written } = scene(`\uFEFF{ // mine\r\n "theme": "dark", "hooks": {"BeforeTool": [${theirs}]},\n}`);
  using _ = directory;
  const settings = written();
  expect(settings).toMatchObject({ theme: "dark" });
  const commands = settings.hooks["BeforeTool"]?.flatMap(({ hooks }) => hooks.map(({ command }) => command));
  expect(commands?.[0]).toBe("theirs");
  expect(commands?.[1]).toContain("hook gemini");
  expect(commands).toHaveLength(2);
  expect(Object.keys(settings.hooks)).toContain("SessionStart");
});

test("hooks that the person installed serve the agent: none are added, and the agent knows", () => {
  const installed = '{"hooks": {"BeforeTool": [{"hooks": [{"command": "/bin/constel hook gemini --guest"}]}]}}';
  const { directory, own, written } = scene(installed);
  using _ = directory;
  expect(written()).toEqual(JSON.parse(installed) as Hooks);
  expect(own().env["CONSTEL_INSTALLED_HOOKS"]).toBe("yes");
});

test("login and conversations stay where the person has them, also when the links are laid again", () => {
  const { directory, home, person, own } = scene(undefined);
  using _ = directory;
  const place = join(home, "state/runtime/agent1/gemini/.gemini");
  writeFileSync(join(person, ".gemini/projects.json.1-2.tmp"), "being written");
  for (const _time of [1, 2]) layLinks(home, own().links);
  expect(readFileSync(join(place, "oauth_creds.json"), "utf8")).toBe("login");
  expect(readlinkSync(join(place, "tmp"))).toBe(join(person, ".gemini/tmp"));
  expect(lstatSync(join(place, "projects.json.1-2.tmp"), { throwIfNoEntry: false })).toBeUndefined();
  expect(own().env["GEMINI_CLI_HOME"]).toBe(join(home, "state/runtime/agent1/gemini"));
  // What the program has put in the place of a link is its own.
  const replaced = join(home, "state/runtime/agent2/x");
  mkdirSync(replaced, { recursive: true, mode: 0o700 });
  writeFileSync(join(replaced, "kept"), "own");
  layLinks(home, [{ path: "state/runtime/agent2/x/kept", target: "/nowhere" }]);
  expect(lstatSync(join(replaced, "kept")).isSymbolicLink()).toBe(false);
});

test("settings that cannot be read give no hooks, and the launch says so", () => {
  for (const text of ['{"hooks": ', "[]", "null"]) {
    const { directory, own } = scene(text);
    using _ = directory;
    expect(own()).toMatchObject({ files: [], links: [], env: {} });
    expect(own().notes[0]).toContain("hears no notices");
  }
});

test("a conversation is taken up only from where the program will look: its own place, and the directory it starts in", async () => {
  const { directory, person, home, own } = scene(undefined);
  using _ = directory;
  const id = "0b1c2d3e-0000-4000-8000-000000000000";
  const cwd = join(directory.path, "work");
  mkdirSync(cwd);
  const chat = (place: string, project: string, root: string): void => {
    mkdirSync(join(place, "tmp", project, "chats"), { recursive: true });
    writeFileSync(join(place, "tmp", project, ".project_root"), root);
    const rows = [
      { sessionId: id, projectHash: "h" },
      { id: "1", type: "user", content: [{ text: "hello" }] },
    ].map((row) => `${JSON.stringify(row)}\n`);
    writeFileSync(join(place, "tmp", project, "chats", "session-2026-11-16T15-40-0b1c2d3e.jsonl"), rows.join(""));
  };
  const launch = { agent: "agent1", home, cwd } as unknown as Launch;
  const machine = { env: { HOME: person } } as unknown as RuntimeMachine;
  const canResume = () => gemini.canResume({ launch, sinceMs: 0, sessionId: id }, machine);
  const theirs = join(person, ".gemini");
  chat(theirs, "elsewhere", join(directory.path, "elsewhere"));
  expect(await canResume()).toBe(false);
  chat(theirs, "work", cwd);
  expect(await canResume()).toBe(true);
  // The agent's own place, once it keeps conversations of its own, is the only one that counts.
  const place = join(home, "state/runtime/agent1/gemini/.gemini");
  mkdirSync(join(place, "tmp"), { recursive: true, mode: 0o700 });
  expect(await canResume()).toBe(false);
  chat(place, "work", cwd);
  expect(await canResume()).toBe(true);
  const empty = join(place, "tmp/work/chats/session-2026-11-16T15-50-0b1c2d3e.jsonl");
  writeFileSync(empty, `${JSON.stringify({ sessionId: id, projectHash: "h" })}\n`);
  expect(await canResume()).toBe(true);
  expect(own().links.map(({ path }) => path)).toContain("state/runtime/agent1/gemini/.gemini/tmp");
});

test("a link to what the person has removed is taken away, so that the program can make its own", () => {
  const { directory, home, person, own } = scene(undefined);
  using _ = directory;
  const place = join(home, "state/runtime/agent1/gemini/.gemini");
  layLinks(home, own().links);
  rmSync(join(person, ".gemini"), { recursive: true });
  layLinks(home, own().links);
  for (const name of ["tmp", "oauth_creds.json"])
    expect(lstatSync(join(place, name), { throwIfNoEntry: false })).toBeUndefined();
});
