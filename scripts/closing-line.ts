// Reads the junit reports of test runs, tells again what failed and why (the lines themselves are far up by then, or cut off),
// and prints the plain closing line that every reader of our output can count on: `N passed, N failed, N skipped`. Exits 1
// when nothing ran or something failed.

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

let passed = 0;
let failed = 0;
let skipped = 0;
for (const path of process.argv.slice(2)) {
  const report = await Bun.file(path).text();
  const suite = /<testsuites[^>]*>/.exec(report)?.[0] ?? "";
  const count = (name: string): number => Number(attribute(suite, name) ?? 0);
  const bad = count("failures") + count("errors");
  failed += bad;
  skipped += count("skipped");
  passed += count("tests") - bad - count("skipped");
  if (bad > 0) tellFailures(report);
}
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = passed === 0 || failed > 0 ? 1 : 0;

function tellFailures(report: string): void {
  const cases = /<testcase ([^>]*)>\s*<(?:failure|error)([^>]*?)(?:\/>|>([\s\S]*?)<\/(?:failure|error)>)/g;
  for (const [, testcase = "", failure = "", detail = ""] of report.matchAll(cases)) {
    const where = `${attribute(testcase, "file") ?? "?"}:${attribute(testcase, "line") ?? "?"}`;
    console.log(`\n✗ ${where} ${attribute(testcase, "classname") ?? ""} > ${attribute(testcase, "name") ?? ""}`);
    const text = detail === "" ? (attribute(failure, "message") ?? attribute(failure, "type") ?? "") : plain(detail);
    for (const line of text.split("\n").slice(0, 60)) console.log(`    ${line}`);
  }
}

function attribute(text: string, name: string): string | undefined {
  const found = new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1];
  return found === undefined ? undefined : plain(found);
}

function plain(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|(\w+));/g, (all, code: string | undefined, word: string | undefined) =>
    code === undefined ? (entities[word ?? ""] ?? all) : String.fromCodePoint(Number(code)),
  );
}
