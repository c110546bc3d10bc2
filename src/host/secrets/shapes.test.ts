// Kinds of secrets, each with what it looks like and with what only resembles it. Put together at run time: a scanner of this repository
// should find no key in it.

import { expect, test } from "bun:test";
import { shapesIn } from "./shapes.ts";

const letters = ["Zx81", "QpLm", "77tY", "vB2n", "K0sD", "9fGh", "J3wE", "Qq7r", "Tt5u"].join("");
const random = (count: number): string => letters.repeat(Math.ceil(count / letters.length)).slice(0, count);
const hex = (count: number): string => "3f9a17c0e5b2d486".repeat(Math.ceil(count / 16)).slice(0, count);
const join = (...parts: readonly string[]): string => parts.join("");

const secrets: Readonly<Record<string, readonly string[]>> = {
  Google: [
    join("ya29", ".", "a0AfH6", random(60)),
    join("GOC", "SPX-", random(28)),
    join("AI", "za", random(35)),
    join("1/", "/0", random(60)),
  ],
  Azure: [
    join("DefaultEndpointsProtocol=https;AccountName=x;Account", "Key=", random(86), "=="),
    join("Account", "Key=", random(86), "=="),
    join("Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=a;SharedAccess", "Key=", random(43), "="),
    join(random(3), "8Q", "~", random(33)),
    join("https://x.blob.core.windows.net/c?sv=2022-11-02&sig", "=", random(44), "%3D"),
  ],
  passwords: [
    join("pass", "word: ", "hunter2!"),
    join("pass", "word=", "s3cr3t99"),
    join("The pass", "word is ", "Tr0ub4dor&3"),
    join("DB_PASS", "WORD='", "p4ssw0rd'"),
    join('{"pass', 'word": "', 'abc123xyz"}'),
    join("pwd: ", "Qwerty123"),
    join("user's pass", "phrase => ", "corr3ct-horse"),
    join("Kenn", "wort: ", "geheim123"),
    join("machine x.org login me pass", "word abcd1234"),
    join("Server=db;Database=x;User Id=sa;Pass", "word=longenough;"),
    join("curl -u admin:", "hunter22 https://x"),
    join("redis://:", "hunter22", "@cache:6379"),
  ],
  "by their name": [
    join("api_", "key: ", random(24)),
    join("API", "KEY=", hex(32)),
    join("aws_secret_access_", "key = ", random(40)),
    join("client_", 'secret: "', random(32), '"'),
    join("auth", "Token: '", random(20), "'"),
    join("X-Api-", "Key: ", random(24)),
    join("X-Vault-", "Token: ", random(26)),
  ],
  GitLab: [join("gl", "pat-", random(20)), join("gl", "rt-", random(20)), join("gl", "dt-", random(20))],
  registries: [
    join("py", "pi-AgEI", random(80)),
    join("rubygems", "_", hex(48)),
    join("dckr", "_pat_", random(27)),
    join("np", "m_", random(36)),
  ],
  models: [
    join("s", "k-ant-api03-", random(93), "AA"),
    join("gs", "k_", random(52)),
    join("xa", "i-", random(80)),
    join("s", "k-proj-", random(48)),
    join("hf", "_", random(34)),
  ],
  clouds: [
    join("AK", "IA", "Q7".repeat(8)),
    join("dop", "_v1_", hex(64)),
    join("dapi", hex(32)),
    join("hvs", ".", random(40)),
    join("tskey", "-auth-", random(30)),
    join("dp", ".st.", random(43)),
    join("LT", "AI", random(20)),
  ],
  tools: [
    join("ATATT", "3", random(80)),
    join("lin", "_api_", random(40)),
    join("figd", "_", random(40)),
    join("glsa", "_", random(32), "_", hex(8)),
    join("NRAK", "-", "Q7A".repeat(9)),
    join("PMAK", "-", hex(24), "-", hex(34)),
  ],
  money: [
    join("sk", "_live_", random(24)),
    join("whsec", "_", random(32)),
    join("shp", "at_", hex(32)),
    join("sq0", "csp-", random(43)),
  ],
  mail: [
    join("S", "G.", random(22), ".", random(43)),
    join("key", "-", hex(32)),
    join("xkeysib", "-", hex(64), "-", random(16)),
  ],
  chat: [
    join("xox", "b-", "1".repeat(12), "-", random(24)),
    join("https://discord.com/api/web", "hooks/123456789/", random(68)),
    join("12345678", "90:", random(35)),
    join("M", random(24), ".", random(6), ".", random(30)),
  ],
  keys: [
    join("-----BEGIN EC PRIVATE ", "KEY-----"),
    join("-----BEGIN PGP PRIVATE ", "KEY BLOCK-----"),
    join("AGE-SECRET-", "KEY-1", "Q7".repeat(29)),
  ],
};

const harmless: readonly string[] = [
  "Add a password reset flow.",
  "The password is required, and the token is checked by the server.",
  "password: required",
  "password: string",
  "Passwords must have 12 characters; the password policy is in docs/security.md.",
  "password hash: $2b$10$abcdefghijklmnopqrstuv",
  "password_hash = 5f4dcc3b5aa765d61d8327deb882cf99",
  "tokens: 12000",
  "token_count=15000 of 200000",
  "token: <your token>",
  "password: ${DB_PASSWORD}",
  "password=$PASSWORD1",
  "api_key: process.env.API_KEY2",
  "API_KEY=YOUR_API_KEY_1",
  "secret: path/to/secret1.txt",
  "secrets/key1 is denied",
  'type="password" id="field1"',
  "the secret is out since 2019",
  "commit 8baef1b4abc478178b004d62031cf7fe6db6f903 landed",
  `sha256 ${hex(64)}`,
  "id 123e4567-e89b-12d3-a456-426614174000",
  "token: 123e4567-e89b-12d3-a456-426614174000",
  "msg_01J9ZC5Y8K3V7Q2W6X4N0T1R5M was sent",
  "see https://example.org/docs?id=123456789#part-2",
  "AccountKey= is what it is called",
  "ya29. is how they begin",
  "Run `curl -u user:$PASS https://x`.",
  "postgres://localhost:5432/db",
  "key-value stores and sk-learn",
  "primary_key: user_id",
  "keyboard: qwerty123",
  "monkey: banana12345678",
  "author: someone42@example.org",
  "access: read-write-2026",
  "version token: v1.2.3-beta.4",
  "session_token_ttl: 3600s-default1",
  "Set password_min_length: 12characters",
  "Use `Authorization: Bearer <token>`.",
  "src/host/secrets/named-values.ts:12",
  "task 12: refuse secrets (ya29, AccountKey, password) in announce",
];

for (const [kind, texts] of Object.entries(secrets))
  test(`secrets of ${kind} are found, in the middle of other words too`, () => {
    for (const text of texts) {
      expect([text, shapesIn(text).length > 0]).toEqual([text, true]);
      const around = `We use ${text}\nand go on.`;
      const [found] = shapesIn(around);
      expect([text, found !== undefined && found.start >= 0 && found.end <= around.length]).toEqual([text, true]);
    }
  });

test("prose about secrets, hashes, ids and placeholders are none", () => {
  const taken = harmless.flatMap((text) =>
    shapesIn(text).map(({ kind, start, end }) => [text, kind, text.slice(start, end)]),
  );
  expect(taken).toEqual([]);
});

test("a megabyte that is made to take long does not", () => {
  for (const piece of ["password", "password=", "a.", "token: ", "x-api-key", "server=a;", "pass_", "curl -u "]) {
    const text = piece.repeat(Math.floor(1_000_000 / piece.length));
    expect(shapesIn(text).length).toBeLessThan(1_000_000);
  }
}, 20_000);
