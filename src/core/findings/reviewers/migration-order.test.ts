import { describe, expect, test } from "bun:test";
import { collisions } from "./migration-order.ts";
import { migrationOf, type Migration } from "./migration-name.ts";

const made = (path: string, text = "x\n"): Migration[] => [migrationOf(path, text)].filter((one) => one !== undefined);

const check = (path: string, slot: string | undefined): void =>
  test(`${path}: ${slot ?? "none"}`, () => expect(migrationOf(path, "x\n")?.slot).toBe(slot));
const upAndDown = (name: string): Migration[] => [
  ...made(`migrations/000002_${name}.up.sql`),
  ...made(`migrations/000002_${name}.down.sql`),
];
const alembic = (down: string): string => `revision = "z"\ndown_revision = ${down}\n`;

const django = (parent: string): string => `class Migration:\n    dependencies = [("shop", "${parent}")]\n`;

describe("which files are migrations", () => {
  check("db/migrations/0007_add.sql", "7");
  check("db/migrate/20240305101500_add.rb", "20240305101500");
  check("src/main/resources/db/migration/V1_2__add.sql", "1.2");
  check("db/V3.0__add.sql", "3");
  check("prisma/migrations/20240305101500_add/migration.sql", "20240305101500");
  check("database/migrations/2024_03_05_101500_add.php", "2024_03_05_101500");
  check("migrations/000003_add.up.sql", "3");
  check("shop/migrations/0004_add.py", "4");
  check("docs/0007-add.md", undefined);
  check("src/0007_add.ts", undefined);
  check("db/migrations/0007_add.test.ts", undefined);
  check("db/migrations/readme.sql", undefined);
  check("store/migrations/all.ts", undefined);
});

describe("collisions", () => {
  test("the same number with leading zeros or without is one place", () => {
    const found = collisions(made("m/migrations/0007_a.sql"), made("m/migrations/7_b.sql"), []);
    expect(found.map(({ subject }) => subject)).toEqual(["m/migrations"]);
  });

  test("up and down of one migration are one finding, not four", () => {
    expect(collisions(upAndDown("a"), upAndDown("b"), [])).toHaveLength(1);
  });

  test("the sides' order does not change what it is about", () => {
    const [a, b] = [made("m/migrations/2_a.sql"), made("m/migrations/2_b.sql")];
    expect(collisions(a, b, [])[0]?.subject).toBe(collisions(b, a, [])[0]?.subject);
    expect(collisions(a, b, [])[0]?.evidence[0]?.path).toBe(collisions(b, a, [])[0]?.evidence[0]?.path);
  });

  test("an Alembic merge of the two heads is no third head", () => {
    const ours = made("alembic/versions/m.py", alembic('("b", "c")'));
    const theirs = made("alembic/versions/n.py", alembic('"d"'));
    expect(collisions(ours, theirs, [])).toEqual([]);
  });

  test("where parents are named, the same number under different parents is no collision", () => {
    const ours = made("shop/migrations/0005_a.py", django("0004_x"));
    const theirs = made("shop/migrations/0005_b.py", django("0004_y"));
    expect(collisions(ours, theirs, [])).toEqual([]);
  });

  test("the very same file on both sides is git's to speak of", () => {
    const both = made("alembic/versions/m.py", alembic('"a"'));
    expect(collisions(both, both, [])).toEqual([]);
  });
});
