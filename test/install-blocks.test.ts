// Tests what install adds to TOML and to instructions: a block between marks, to any text there may be. Not a byte of the text is touched,
// undo leaves not a byte of ours behind, and what only looks like ours stays.

import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { markdownMarks, tomlMarks } from "../src/floor/install/marked-block.ts";
import { applyInstall, planInstall, planUndo } from "../src/floor/install/plan-install.ts";
import type { InstallTarget } from "../src/ports/runtime.ts";
import { temporaryDirectory } from "./kit/directory.ts";
import { hooksTarget, undo } from "./kit/install.ts";

test("trust is added to TOML without touching a byte of it, and never twice", () => {
  using directory = temporaryDirectory("install");
  const home = join(directory.path, "home");
  const path = join(directory.path, "config.toml");
  const tables = [{ keys: ["hooks", "state", "/a/hooks.json:stop:0:0"], body: 'trusted_hash = "sha256:1"\n' }];
  const target: InstallTarget = { kind: "toml", runtime: "codex", path, tables };
  const texts = [
    "",
    " \n\t\n",
    "\uFEFF",
    "# only a comment, no newline",
    'model = "x"',
    '# mine\r\nmodel = "x"\r\n[projects."/a b"]\r\ntrust_level = "trusted"\r\n',
    '\uFEFF[hooks.state."/other:stop:0:0"]\ntrusted_hash = "sha256:2"\n\n\n',
    "[a]\nb = '\u0027\u0027\n# constel: begin\n'\u0027\u0027\n",
    'a.b.c = 1\na.b.d = "dotted"\n"quoted key".x = 2\n',
    "point = { x = 1, y = { z = [1, 2,] } } # inline\n",
    '[[servers]]\nname = "one"\n\n[[servers]]\nname = "two"\n  [[servers.ports]]\n  n = 1\n',
    '[mcp_servers.db]\ncommand = "db"\nargs = [\n  "--x", # own\n  \'--y\',\n]\n',
    "[hooks]\n# own hooks live elsewhere\n",
    '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "echo mine"\n',
    '[hooks.state]\n[hooks.state."/x:stop:0:0"]\ntrusted_hash = "sha256:3"\n[z]\n',
    'text = """\nlines \\\n   joined\n[not.a.table]\n"""\n',
    'escaped = "\\u00e4\\U0001F5DD\\t\\"\\\\"\n',
    `long = "${"x".repeat(300_000)}"\n`,
    "when = 1979-05-27T07:32:00Z\nhex = 0xDEAD_BEEF\nnan = nan\ninf = -inf\n",
    "\t[indented]\n\t\tkey\t=\ttrue\t# tabs\n",
    "ключ_нет = 1\n".replace("ключ_нет", '"ключ"'),
    "'literal \"key\"' = 1\n[\"a.b\".'c d']\n",
    '[projects."/w"]\ntrust_level = "trusted"\n\n\n\n# the end\n\n',
    "a = 1\nb = 2\r\nc = 3\n",
  ];
  for (const text of texts) {
    writeFileSync(path, text);
    applyInstall(home, planInstall(home, target), 1);
    const after = readFileSync(path, "utf8");
    expect(after).toStartWith(text);
    expect(parseToml(after.replace("\uFEFF", ""))).toMatchObject({
      hooks: { state: { "/a/hooks.json:stop:0:0": { trusted_hash: "sha256:1" } } },
    });
    undo(home, target);
    expect(readFileSync(path, "utf8")).toBe(text);
  }
  writeFileSync(path, '[hooks.state."/a/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:1"\n');
  expect(planInstall(home, target).change).toBe("same");
  writeFileSync(path, 'a = 1\nb = "half\n');
  expect(() => planInstall(home, target)).toThrow(/config\.toml:2: it is not TOML/);
  writeFileSync(path, "a = 1\n[hooks]\nstate = {}\n");
  expect(() => planInstall(home, target)).toThrow(
    /config\.toml:2: hooks is written so that no table can be added to it/,
  );
});

test("instructions are added to any text without touching a byte of it, and undo leaves not a byte behind", () => {
  using directory = temporaryDirectory("install");
  const home = join(directory.path, "home");
  const path = join(directory.path, "AGENTS.md");
  const target: InstallTarget = { kind: "instructions", runtime: "codex", path, text: "words\nof ours" };
  const texts = [
    "",
    "\n",
    "  \n\t\n",
    "\uFEFF",
    "\uFEFF# Mine\r\n\r\nBe brief.\r\n",
    "# Mine",
    "# Mine\n",
    "# Mine\n\n\n\n",
    "# Mine\r\nlast line without an end",
    "one\r\ntwo\nthree\r\n",
    "old\rmac\rlines",
    "---\nfront: matter\n---\n",
    "```sh\nnever closed\n",
    "<!-- constel: begin, but somebody else's words -->\n",
    "<!-- constel: end -->\nbefore any begin\n",
    "<!-- never closed\n",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "漢字 🗝️ \u202Ereversed\u202C\n",
    `${"x".repeat(300_000)}\n`,
    `${"line\n".repeat(20_000)}`,
    "\ttabs\t\n\f\v\n",
    "@import other.md\n{{template}}\n$HOME `id`\n",
    "words\nof ours\n",
  ];
  for (const [index, text] of texts.entries()) {
    writeFileSync(path, text);
    applyInstall(home, planInstall(home, target), 1);
    const after = readFileSync(path, "utf8");
    expect([index, after.startsWith(text), after.includes("constel: begin. `")]).toEqual([index, true, true]);
    expect([index, planInstall(home, target).change]).toEqual([index, "same"]);
    undo(home, target);
    expect([index, readFileSync(path, "utf8") === text]).toEqual([index, true]);
    // Where somebody wrote on below it, only ours goes.
    applyInstall(home, planInstall(home, target), 1);
    writeFileSync(path, `${readFileSync(path, "utf8")}more of theirs\n`);
    undo(home, target);
    const left = readFileSync(path, "utf8");
    expect([
      index,
      left.startsWith(text.trimEnd()),
      left.endsWith("more of theirs\n"),
      left.includes("begin. `"),
    ]).toEqual([index, true, true, false]);
  }
});

test("what was written around ours since, and what only looks like ours, stays to the byte", () => {
  using directory = temporaryDirectory("install");
  const kinds = {
    // As one reads it who reads comments.
    json: { ...hooksTarget(join(directory.path, "f.json")), comments: true },
    md: { kind: "instructions", runtime: "claude", path: join(directory.path, "f.md"), text: "words\nof ours" },
    toml: {
      kind: "toml",
      runtime: "codex",
      path: join(directory.path, "f.toml"),
      tables: [{ keys: ["hooks", "state", "/a/h.json:stop:0:0"], body: 'trusted_hash = "s"\n' }],
    },
  } satisfies Record<string, InstallTarget>;
  const [begin, end] = [markdownMarks.begin, markdownMarks.end];
  const [trust, trusted] = [tomlMarks.begin, tomlMarks.end];
  const texts: Readonly<Record<keyof typeof kinds, readonly string[]>> = {
    json: [
      '{\n "hooks" /* a */ : /* b */ { "Stop" /*x*/:/*y*/[ /*z*/ ] /*w*/ } // end\n}\n',
      '{"\\u0068ooks":{"St\\u006fp":[]}}',
      '{ "hooks" : {   } }',
      '{\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t]\r\n\t}\r\n}',
      '{\n    "a": 1\n  , "hooks": {}\n}',
      "\uFEFF{\r\n}\r\n",
      '{"hooks":{"Stop":[\n // none yet\n ]}}',
      "{ /* nothing */ }",
      '{"a":1,"a":2,"__proto__":{"hooks":{}}}\n',
      '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"mine"}]} /* mine */ ]}}',
    ],
    md: [
      `# How\n\`\`\`md\n${begin}\nmine\n${end}\n\`\`\`\ntail\n`,
      `~~~\n${begin}\nmine\n${end}\n~~~\n`,
      `see ${begin} and ${end} here\n`,
      `> ${begin}\n> mine\n> ${end}\n`,
      `# Mine\n${begin}\nwhere the end was deleted\n`,
      `${begin}\none\n${begin}\ntwo\n`,
      `${end}\nmine\n`,
      "```sh\nnever closed\n",
      "\f",
      "no end",
      "a\r\nb",
      "\r\n",
      "a\0b\n",
    ],
    toml: [
      `a = """\n${trust}\nmine\n${trusted}\n"""\nb=1\n`,
      `a = '''\n${trust}\n[hooks.state."x"]\ntrusted_hash = "y"\n${trusted}\n'''\n`,
      `${trust}\n[mine]\nx = 1\n${trusted}\n`,
      `${trust}\nmodel = "x"\n`,
      `${trust}\nmodel = "x"\n${trust}\n[p]\ny=1\n`,
      "[[hooks]]\nx=1\n",
      "[a]\nb=1",
      "a=1\n# end",
    ],
  };
  const above = { json: "// above\n", md: "above\n", toml: "# above\n" };
  const below = { json: "\n// below\n", md: "below\n", toml: "# below\n" };
  for (const kind of ["json", "md", "toml"] as const)
    for (const [index, text] of texts[kind].entries()) {
      const home = join(directory.path, `home-${kind}-${index}`);
      const target = kinds[kind];
      const around = (inner: string, lineEnd = ""): string => {
        const mark = inner.startsWith("\uFEFF") ? "\uFEFF" : "";
        return mark + above[kind] + inner.slice(mark.length) + lineEnd + below[kind];
      };
      writeFileSync(target.path, text);
      applyInstall(home, planInstall(home, target), 1);
      const installed = readFileSync(target.path, "utf8");
      undo(home, target);
      expect([kind, index, readFileSync(target.path, "utf8")]).toEqual([kind, index, text]);
      applyInstall(home, planInstall(home, target), 1);
      writeFileSync(target.path, around(installed));
      undo(home, target);
      // What follows is not drawn up to a last line without an end.
      const isBare = kind !== "json" && !text.endsWith("\n");
      const lineEnd = !isBare ? "" : text.includes("\r\n") ? "\r\n" : "\n";
      expect([kind, index, readFileSync(target.path, "utf8")]).toEqual([kind, index, around(text, lineEnd)]);
      expect([kind, index, planUndo(home, target).change]).toEqual([kind, index, "absent"]);
      // Without the record, too, nothing of theirs that says something is lost.
      writeFileSync(target.path, around(installed));
      undo(join(home, "another"), target);
      const words = (some: string): string =>
        some.replaceAll(/\s|"(?:hooks|\\u0068ooks|Stop|St\\u006fp)"|[{}[\],:]/g, "");
      expect([kind, index, words(readFileSync(target.path, "utf8"))]).toEqual([kind, index, words(around(text))]);
    }
});
