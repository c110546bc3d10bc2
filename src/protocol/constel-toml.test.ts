import { expect, test } from "bun:test";
import { Refusal } from "./errors.ts";
import { type FoundToml, readConstelToml, tomlBeside } from "./constel-toml.ts";

const file = (text: string): FoundToml => ({ kind: "file", bytes: Buffer.from(text) });

function complaint(found: FoundToml | string): string {
  try {
    readConstelToml(typeof found === "string" ? file(found) : found, "constel.toml of main");
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    expect(cause.code).toBe("config.malformed");
    return cause.message.replace("constel.toml of main", "");
  }
  return "none";
}

test("every table is read", () => {
  const text = `
[gate]
command = "make test"
deadline_seconds = 5
[findings]
exclude = ["docs/"]
[workspace]
copy = [".env"]
setup = "npm ci"
setup_deadline_seconds = 0.5
[regenerate]
"web/package-lock.json" = "npm install --package-lock-only"
[harvest]
require_review = true
[permissions]
allow = ["git commit"]
[land]
by = "pull-request"
merge = "person"
method = "squash"
rounds = 2
`;
  expect(readConstelToml(file(text), "")).toEqual({
    gate: { command: "make test", deadlineMs: 5_000 },
    findings: { exclude: ["docs/"], include: [] },
    harvest: { requireReview: true },
    workspace: { copy: [".env"], setup: "npm ci", setupDeadlineMs: 500 },
    regenerate: new Map([["web/package-lock.json", "npm install --package-lock-only"]]),
    permissions: { allow: ["git commit"] },
    land: { by: "pull-request", merge: "person", method: "squash", rounds: 2 },
  });
});

test("no file, an empty one and one without a gate declare none", () => {
  for (const found of [{ kind: "missing" } as const, file(""), file("# nothing yet\n"), file("[findings]\n")])
    expect(readConstelToml(found, "").gate).toBeUndefined();
});

test("a gate that cannot be read is never no gate: each is refused with its line", () => {
  const cases: [text: string, line: number, words: string][] = [
    ["[land]\nby = 'pull'\n", 2, '[land] by must be "push" or "pull-request"'],
    ["[land]\nrounds = 99\n", 2, "[land] rounds must be a whole number from 0 to 20"],
    ["[land]\nmerge = true\n", 2, '[land] merge must be "constel" or "person"'],
    ['[gate]\ncommand = ["make", "test"]\n', 2, "[gate] command must be one shell command"],
    ['gate = "make test"\n', 1, "gate must be a table"],
    ['[[gate]]\ncommand = "make test"\n', 1, "gate must be one table"],
    ['[gate]\ncomand = "make test"\n', 2, "[gate] comand is not known here"],
    ['[gate]\ncommand = "make"\ncomand = "make test"\n', 3, "[gate] comand is not known here"],
    ['[gates]\ncommand = "make test"\n', 1, "gates is not known here"],
    ['\n[Gate]\ncommand = "make test"\n', 2, "Gate is not known here"],
    ['[gate]\ncommand = ""\n', 2, "[gate] command must be"],
    ["[gate]\ncommand = '  '\n", 2, "[gate] command must be"],
    ["[gate]\ncommand = '# make test'\n", 2, "[gate] command must be"],
    ['[gate]\ncommand = """\n # make test\n\n#\n"""\n', 6, "[gate] command must be"],
    ["[gate]\ncommand = true\n", 2, "[gate] command must be"],
    ["[gate]\ndeadline_seconds = 5\n", 1, "[gate] has no command"],
    ['[gate]\ncommand = "make"\ndeadline_seconds = "5"\n', 3, "deadline_seconds must be a number"],
    ['[gate]\ncommand = "make"\ndeadline_seconds = 0\n', 3, "deadline_seconds must be"],
    ['[gate]\ncommand = "make"\ndeadline_seconds = inf\n', 3, "deadline_seconds must be"],
    ['[gate]\ncommand = "make"\ndeadline_seconds = nan\n', 3, "deadline_seconds must be"],
    ["gate.command = 1979-05-27\n", 1, "[gate] command must be"],
    ["gate = 1979-05-27\n", 1, "gate must be a table"],
    ["gate = []\n", 1, "gate must be one table"],
    ['[gate]\ncommand = "make\n', 2, "not TOML"],
    ['[gate]\ncommand = "a"\ncommand = "b"\n', 3, "not TOML"],
    ['[findings]\nexclude = "docs/"\n', 2, "[findings] exclude must be a list"],
    ['[findings]\nexclude = [\n  "docs/",\n  3,\n]\n', 5, "[findings] exclude must be a list"],
    ['[workspace]\ncopy = ".env"\n', 2, "[workspace] copy must be a list"],
    ["[workspace]\nset_up = 'npm ci'\n", 2, "[workspace] set_up is not known here"],
    ["[regenerate]\n'../lock' = 'make lock'\n", 2, "is not a path inside the repository"],
    ["[regenerate]\n'.git/config' = 'make lock'\n", 2, "is not a path inside the repository"],
    ["[regenerate]\nlock = ['make', 'lock']\n", 2, '[regenerate] "lock" must be one shell command'],
    ["constructor = 1\n", 1, "constructor is not known here"],
    ["[gate]\ncommand = 'make'\n[gate.toString]\n", 3, "[gate] toString is not known here"],
  ];
  for (const [text, line, words] of cases) {
    expect({ text, said: complaint(text) }).toEqual({ text, said: expect.stringContaining(words) });
    expect({ text, line: Number(/^:(\d+): /.exec(complaint(text))?.[1]) }).toEqual({ text, line });
  }
});

test("a link, a directory, bytes that are no text and a huge file are refused", () => {
  expect(complaint({ kind: "unfit", what: "a symbolic link" })).toContain("it is a symbolic link, not a plain file");
  expect(complaint({ kind: "misnamed", name: "Constel.toml" })).toContain("Constel.toml is not read in its place");
  expect(complaint({ kind: "file", bytes: Buffer.of(0xff, 0xfe, 0x41) })).toContain("not UTF-8");
  expect(complaint({ kind: "file", bytes: Buffer.alloc(1024 * 1024 + 1, "#") })).toContain("over 1 MiB");
});

test("a file of nearly its name, or something below its name, is never no file", () => {
  const near = [
    "Constel.toml",
    "CONSTEL.TOML",
    ".constel.toml",
    "constel.tml",
    "constel.yaml",
    ".constel.yml",
    "constel.json",
  ];
  for (const name of near) expect(tomlBeside(["README.md", name])).toEqual({ kind: "misnamed", name });
  expect(tomlBeside(["constel.toml/gate"])).toEqual({ kind: "unfit", what: "a directory" });
  const others = ["constel", "constellation.toml", "src/Constel.toml", "constel.toml.bak", ".constel", "xconstel.toml"];
  expect(tomlBeside(others)).toEqual({ kind: "missing" });
});
