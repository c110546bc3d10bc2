import { describe, expect, test } from "bun:test";
import { maskArgv, maskKeys, maskText } from "./mask-argv.ts";

function check(given: string[], expected: string[]): void {
  expect(maskArgv(given)).toEqual(expected);
}

// Put together at run time: a scanner of this repository should find no key in it.
const random = ["Zx81", "QpLm", "77tY", "vB2n", "K0sD", "9fGh", "J3wE"].join("");

describe("secrets in command lines", () => {
  test("are hidden after flags that name them, joined or apart", () => {
    check(["--token", "abc", "x"], ["--token", "***", "x"]);
    check(["--api-key=abc"], ["--api-key=***"]);
    check(["--dbPassword", "abc"], ["--dbPassword", "***"]);
    check(["-password", "abc"], ["-password", "***"]);
    check(["GITHUB_TOKEN=abc", "run"], ["GITHUB_TOKEN=***", "run"]);
    check(["--client_secret='a b'"], ["--client_secret=***"]);
  });

  test("are hidden in headers and URLs", () => {
    check(["-H", "Authorization: Bearer abc.def"], ["-H", "Authorization: ***"]);
    check(["-H", "X-Api-Key: abc"], ["-H", "X-Api-Key: ***"]);
    check(["https://me:pw@example.org/x"], ["https://***@example.org/x"]);
    check(["postgres://u:p@[::1]:5432/db"], ["postgres://***@[::1]:5432/db"]);
    check(["https://example.org/x?token=abc&page=2"], ["https://example.org/x?token=***&page=2"]);
    check(["-u", "me:pw"], ["-u", "me:***"]);
    check(["bash", "-c", "curl -H 'Authorization: Basic abc=' x"], ["bash", "-c", "curl -H 'Authorization: ***' x"]);
  });

  test("are known by their shape", () => {
    for (const secret of [
      `sk-${random}`,
      `sk-ant-${random}`,
      `ghp_${random}`,
      `github_pat_${random}`,
      `AKIA${"ABCDEFGH12345678"}`,
      `xoxb-123456-${random}`,
      `eyJ${random}.${random}.${random}`,
      `123456789:${random}${random}`,
    ]) {
      check(["say", `this is ${secret} ok`], ["say", "this is *** ok"]);
    }
    check([`--setting=${random}`], ["--setting=***"]);
    expect(maskText(`-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----`)).toBe("***");
  });

  test("are hidden in prose, JSON, YAML, connection strings and addresses that are secrets themselves", () => {
    const hex = "0123456789abcdef".repeat(2);
    for (const text of [
      "the password is hunter2pass",
      "use password hunter2pass to log in",
      `{"password":"hunter2pass"}`,
      `{ "api_key" : "hunter2pass" }`,
      "password: hunter2pass",
      "Passwort: hunter2pass",
      "Server=x;User Id=sa;Password=hunter2pass;",
      "machine h login me password hunter2pass",
      "my secret => hunter2pass",
      `https://hooks.example.com/services/T0/B0/hunter2pass`,
      `https://chat.example.com/api/webhooks/1/hunter2pass`,
    ])
      expect([text, maskText(text).includes("hunter2pass")]).toEqual([text, false]);
    for (const prefix of [
      "sk_test_",
      "ya29.",
      "SG.",
      "whsec_",
      "hvs.",
      "dop_v1_",
      "lin_api_",
      "pypi-",
      "key-",
      "SK",
      "",
    ])
      for (const key of [random, hex])
        expect([prefix, maskText(`say ${prefix}${key} now`)]).toEqual([prefix, "say *** now"]);
  });

  test("are told from what is harmless", () => {
    const harmless = [
      "--idempotency-key=abc",
      `--base=${"0123456789abcdef0123456789abcdef01234567"}`,
      "--file=/home/somebody2/projects/constel/src/main",
      "--keyboard=us",
      "--branch=constel/constel0/12-make-the-parser-faster-for-long-lines",
      "task",
      "a=b",
      "me@example.org",
      "sk-short",
      "add a password reset flow",
      "fix the key handling in src/store/open.ts",
      "task_01ABCDEFGHJKMNPQRSTVWXYZ01",
      "550e8400-e29b-41d4-a716-446655440000",
      "getServerSidePropsForTheUser",
    ];
    check(harmless, harmless);
  });

  test("a flag that follows a secret's flag is not taken for its value", () => {
    check(["--auth", "--json"], ["--auth", "--json"]);
  });

  test("a long argument is kept by its beginning, and quickly", () => {
    const [masked = ""] = maskArgv(["=".repeat(10) + "a://".repeat(300_000)]);
    expect(masked.length).toBeLessThan(2100);
  });
});

describe("texts that are kept to be read again", () => {
  const letters = ["Zx81", "QpLm", "77tY", "vB2n", "K0sD", "9fGh", "J3wE"].join("");

  test("lose what has the shape of a key, what a name that says so is set to, and what is random", () => {
    for (const [text, kept] of [
      [`use sk-ant-${letters} here`, "use *** here"],
      [`AKIA${"ABCDEFGHIJKLMNOP"} is the id`, "*** is the id"],
      [`-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----`, "***"],
      [`postgres://me:${letters}@db/x`, "postgres://***@db/x"],
      [`Authorization: Bearer ${letters}`, "Authorization: ***"],
      ["password: hunter2", "password: ***"],
      ["DB_PASSWORD=correcthorse", "DB_PASSWORD=***"],
      ['{"api_key": "abc"}', '{"api_key": ***}'],
      ["the passphrase is open-sesame-1", "the passphrase is ***"],
      [`it is ${letters}, I think`, "it is ***, I think"],
    ] as const)
      expect({ text, kept: maskKeys(text) }).toEqual({ text, kept });
  });

  test("keep plain words, names of functions, paths and ids", () => {
    for (const text of [
      "the primary key is the id; the cache key is user:id",
      "parseHtml5Document moved to src/languages/html5/parseDocument2.ts",
      "token bucket: refills evenly; secrets are looked for twice",
      "landed as 0123456789abcdef0123456789abcdef01234567",
      "see msg_01m7h62hw24c7cpcpnr97kde88 and task 12",
      "7f9c24e8-3b12-4fef-91e0-56a2d5a1b0c3 is the session",
    ])
      expect(maskKeys(text)).toBe(text);
  });
});
