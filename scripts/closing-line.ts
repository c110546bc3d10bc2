// Reads the junit reports of test runs and prints the plain closing line that every reader of our output can count on:
// `N passed, N failed, N skipped`. Exits 1 when nothing ran or something failed.

let passed = 0;
let failed = 0;
let skipped = 0;
for (const path of process.argv.slice(2)) {
  const suite = /<testsuites[^>]*>/.exec(await Bun.file(path).text())?.[0] ?? "";
  const count = (name: string): number => Number(new RegExp(`${name}="(\\d+)"`).exec(suite)?.[1] ?? 0);
  const bad = count("failures") + count("errors");
  failed += bad;
  skipped += count("skipped");
  passed += count("tests") - bad - count("skipped");
}
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = passed === 0 || failed > 0 ? 1 : 0;
