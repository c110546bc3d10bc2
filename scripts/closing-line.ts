// Reads the junit report of a test run and prints the plain closing line that every reader of our output can count on:
// `N passed, N failed, N skipped`. Exits 1 when nothing ran.

const report = await Bun.file(process.argv[2] ?? "").text();
const suite = /<testsuites[^>]*>/.exec(report)?.[0] ?? "";
const count = (name: string): number => Number(new RegExp(`${name}="(\\d+)"`).exec(suite)?.[1] ?? 0);
const failed = count("failures") + count("errors");
const skipped = count("skipped");
const passed = count("tests") - failed - skipped;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = passed === 0 || failed > 0 ? 1 : 0;
