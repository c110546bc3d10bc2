import { describe, expect, test } from "bun:test";
import { Refusal } from "../protocol/errors.ts";
import { loadConfig } from "./config.ts";
import { type SettingKey, variableOf } from "./declarations.ts";
import { setInText } from "./set-in-text.ts";

const load = (parts: { file?: string; env?: Record<string, string>; flags?: string[] }) =>
  loadConfig({ file: parts.file, filePath: "config.toml", env: parts.env ?? {}, flags: parts.flags ?? [] });

function refusal(run: () => unknown): Refusal {
  try {
    run();
  } catch (cause) {
    if (cause instanceof Refusal) return cause;
    throw cause;
  }
  throw new Error("nothing was refused");
}

describe("precedence", () => {
  test("an absent file means defaults", () => {
    const { config, origins } = load({});
    expect(config["constellation.name"]).toBe("constel0");
    expect(origins["constellation.name"]).toBe("default");
  });

  test("a flag wins over the environment, that over the file, that over the default", () => {
    const file = '[constellation]\nname = "file"\n[http]\nport = 1\n';
    const env = { CONSTEL_CONSTELLATION_NAME: "environment" };
    expect(load({ file }).config["constellation.name"]).toBe("file");
    expect(load({ file, env }).config["constellation.name"]).toBe("environment");
    const { config, origins } = load({ file, env, flags: ["constellation.name=flag"] });
    expect(config["constellation.name"]).toBe("flag");
    expect(origins).toMatchObject({ "constellation.name": "flag", "http.port": "file", "http.enabled": "default" });
  });

  test("text from flags and environment becomes the declared type", () => {
    const { config } = load({ env: { CONSTEL_HTTP_PORT: "8080" }, flags: ["http.enabled=yes"] });
    expect(config["http.port"]).toBe(8080);
    expect(config["http.enabled"]).toBe(true);
  });
});

describe("errors name the line", () => {
  test("broken TOML", () => {
    const { code, message } = refusal(() => load({ file: "[http]\nport = 1\nenabled = maybe\n" }));
    expect(code).toBe("config.malformed");
    expect(message).toStartWith("config.toml:3: ");
  });

  test("a value of the wrong type", () => {
    expect(refusal(() => load({ file: '# a comment\n[http]\nport = "1"\n' })).message).toBe(
      "config.toml:3: http.port must be a whole number",
    );
  });

  test("a setting that does not exist", () => {
    const { code, message } = refusal(() => load({ file: "[http]\n\nprot = 1\n" }));
    expect(code).toBe("config.unknown-key");
    expect(message).toBe("config.toml:3: there is no setting http.prot");
  });

  test("a variable or a flag that cannot be read names itself", () => {
    expect(refusal(() => load({ env: { CONSTEL_HTTP_PORT: "x" } })).message).toContain("CONSTEL_HTTP_PORT");
    expect(refusal(() => load({ flags: ["http.port"] })).message).toContain("--set takes http.port=value");
    expect(refusal(() => load({ flags: ["nope=1"] })).code).toBe("config.unknown-key");
  });
});

describe("setting one value leaves the rest of the file as it is", () => {
  const check = (
    before: string,
    key: "http.port" | "http.enabled" | "store.url",
    value: string,
    after: string,
  ): void => {
    expect(setInText(before, key, value)).toBe(after);
    expect(String(load({ file: after }).config[key])).toBe(value);
  };

  test("in an empty file", () => check("", "http.port", "1", "[http]\nport = 1\n"));
  test("in place, with its comment", () =>
    check(
      "# mine\n[http]\nport = 1 # the port\nenabled = true\n",
      "http.port",
      "2",
      "# mine\n[http]\nport = 2 # the port\nenabled = true\n",
    ));
  test("into its section", () =>
    check("[http]\nport = 1\n", "http.enabled", "true", "[http]\nenabled = true\nport = 1\n"));
  test("with a new section at the end", () =>
    check(
      "[http]\nport = 1\n",
      "store.url",
      'postgres://h/a "b"',
      '[http]\nport = 1\n\n[store]\nurl = "postgres://h/a \\"b\\""\n',
    ));
  test("a value of the wrong type is refused", () => {
    expect(refusal(() => setInText("", "http.port", "many")).code).toBe("usage.bad-value");
  });
});

describe("values that have the type but cannot be used", () => {
  const check = (pair: string, complaint: string) =>
    test(pair, () => {
      expect(refusal(() => load({ flags: [pair] }))).toMatchObject({ code: "usage.bad-value" });
      expect(refusal(() => load({ flags: [pair] })).message).toContain(complaint);
    });
  check("http.port=-1", "between 0 and 65535");
  check("http.port=65536", "between 0 and 65535");
  check("http.requests_per_minute=0", "between 1 and");
  check("constellation.name=", "a plain name");
  check("constellation.name=a b", "a plain name");
  check("store.url=bogus", "postgres://");
  check("store.url=sqlite:relative.db", "sqlite:<absolute path>");

  test("in the file, the line is named", () => {
    const found = refusal(() => load({ file: "[http]\n\nport = 70000\n" }));
    expect(found.message).toBe("config.toml:3: http.port must lie between 0 and 65535");
  });
});

describe("setting a value in a file as people write them", () => {
  const check = (name: string, before: string, key: "http.port" | "http.enabled", value: string, after: string) =>
    test(name, () => {
      expect(setInText(before, key, value)).toBe(after);
      expect(String(load({ file: after }).config[key])).toBe(value);
    });
  check("a dotted key on top", "http.port = 5\n", "http.port", "7", "http.port = 7\n");
  check(
    "a comment behind the header",
    "[http] # mine\nport = 5\n",
    "http.enabled",
    "true",
    "[http] # mine\nenabled = true\nport = 5\n",
  );
  check(
    "Windows line ends, and the comment stays",
    "[http]\r\nport = 5 # why\r\n",
    "http.port",
    "7",
    "[http]\r\nport = 7 # why\r\n",
  );
  check(
    "a byte order mark",
    "\uFEFF[http]\nport = 5\n",
    "http.enabled",
    "true",
    "\uFEFF[http]\nenabled = true\nport = 5\n",
  );
});

test("a list may be given with commas or as it is written in the file", () => {
  const value = (text: string): unknown =>
    loadConfig({ file: setInText("", "agents.script_command", text), filePath: "c", env: {}, flags: [] }).config[
      "agents.script_command"
    ];
  expect(value("sh, run.sh")).toEqual(["sh", "run.sh"]);
  expect(value('["sh", "-c", "a, b"]')).toEqual(["sh", "-c", "a, b"]);
  expect(() => setInText("", "agents.script_command", '["sh", 1]')).toThrow("must be a list of texts");
  expect(() => setInText("", "agents.script_command", '["sh"')).toThrow("must be a list of texts");
});

describe("one value is set whatever form the file has", () => {
  const check = (name: string, before: string, key: SettingKey, value: string, after: string) =>
    test(name, () => expect(setInText(before, key, value)).toBe(after));
  check(
    "a list over several lines",
    '[agents]\nconfined_reads = [\n  "/a", # old\n  "/b",\n] # mine\nroot = true\n',
    "agents.confined_reads",
    "/c",
    '[agents]\nconfined_reads = ["/c"] # mine\nroot = true\n',
  );
  check(
    "a quoted section",
    '["agents"]\nroot = true\n',
    "agents.runtime",
    "codex",
    '["agents"]\nruntime = "codex"\nroot = true\n',
  );
  check(
    "a quoted key",
    "[agents]\n'runtime' = 'codex'\n",
    "agents.runtime",
    "claude",
    "[agents]\n'runtime' = \"claude\"\n",
  );
  check(
    "blanks around the dot",
    "agents . runtime = 'codex'\n",
    "agents.runtime",
    "claude",
    'agents . runtime = "claude"\n',
  );
  check(
    "dotted keys on top",
    "agents.root = true\n",
    "agents.runtime",
    "codex",
    'agents.runtime = "codex"\nagents.root = true\n',
  );
  check(
    "a line of a text that looks like it",
    "[agents]\nscript_command = ['sh', '-c', \"\"\"\nruntime = 'x'\n\"\"\"]\n",
    "agents.runtime",
    "codex",
    '[agents]\nruntime = "codex"\nscript_command = [\'sh\', \'-c\', """\nruntime = \'x\'\n"""]\n',
  );
  check(
    "the same name in another section",
    "[http]\nenabled = true\n[agents]\nroot = true\n",
    "agents.root",
    "false",
    "[http]\nenabled = true\n[agents]\nroot = false\n",
  );
  check(
    "a file that cannot be read but for that line",
    "[http]\nport = many\n",
    "http.port",
    "7",
    "[http]\nport = 7\n",
  );
  check(
    "a control character",
    "",
    "session.main_ci_command",
    "a\u007fb",
    '[session]\nmain_ci_command = ["a\\u007fb"]\n',
  );

  test("but a table in braces is left to the owner", () => {
    const { code, message } = refusal(() => setInText("agents = { root = true }\n", "agents.runtime", "codex"));
    expect([code, message]).toEqual(["config.by-hand", expect.stringContaining("agents.runtime")]);
  });
});

describe("a value is understood or refused alike in the file, by --set, in the environment and by config set", () => {
  const given = (key: SettingKey, text: string): Record<string, () => unknown> => ({
    file: () => load({ file: `${key} = ${text}\n` }).config[key],
    flag: () => load({ flags: [`${key}=${text}`] }).config[key],
    environment: () => load({ env: { [variableOf(key)]: text } }).config[key],
    set: () => load({ file: setInText("", key, text) }).config[key],
  });
  const check = (key: SettingKey, text: string, expected: unknown) =>
    test(`${key} = ${text}`, () => {
      for (const [where, value] of Object.entries(given(key, text)))
        if (expected === "refused")
          expect([where, refusal(value).code]).toEqual([where, expect.stringMatching(/bad-value|malformed/)]);
        else expect([where, value()]).toEqual([where, expected]);
    });
  check("http.port", "1_000", 1000);
  check("http.port", "+7", 7);
  check("http.port", "0x10", 16);
  check("http.port", " 7 ", 7);
  check("http.port", "-0", 0);
  check("http.max_body_bytes", "1e6", 1_000_000);
  for (const text of ["", "007", "1.5", "nan", "inf", "1e400", "7s", "99999999999999999999", "٧"])
    check("http.port", text, "refused");
  check("agents.script_command", '["sh", "-c",]', ["sh", "-c"]);
  check("agents.script_command", "['a\\b']", ["a\\b"]);
  check("agents.script_command", '["sh", "a\\u0000b"]', "refused");
  check("agents.confined_reads", '["/a\\u0000b"]', "refused");

  test("nothing else is set by the way", () => {
    expect(refusal(() => load({ flags: ["http.port=1\nenabled = true"] })).code).toBe("usage.bad-value");
  });

  test("tables are tables, not lists or dates", () => {
    for (const text of ['[["a"]]', "[1979-05-27]"])
      expect(refusal(() => load({ file: `escalate.channels = ${text}\n` })).code).toBe("config.malformed");
  });
});
