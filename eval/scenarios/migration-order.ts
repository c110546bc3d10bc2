// Two migrations for one place.

import type { Grow, Template } from "./scenario.ts";

const template = (name: string, grow: Grow): Template => ({ kind: "migration-order", name, grow });

const sql = (name: string): string => `alter table things add column ${name.toLowerCase()} text;\n`;
const django = (parent: string): string =>
  `from django.db import migrations\n\n\nclass Migration(migrations.Migration):\n    dependencies = [\n        ("shop", "${parent}"),\n    ]\n    operations = []\n`;
const alembic = (revision: string, down: string): string =>
  `"""a change"""\nfrom alembic import op\n\nrevision = "${revision}"\ndown_revision = ${down}\nbranch_labels = None\ndepends_on = None\n\n\ndef upgrade():\n    pass\n`;

const twoFiles =
  (old: string, left: (name: string) => string, right: (name: string) => string, expects: boolean): Grow =>
  (seed) => {
    const [one, two] = [seed.name(), seed.name()];
    return {
      base: { [old]: sql("old") },
      ours: { [left(one)]: sql(one) },
      theirs: { [right(two)]: sql(two) },
      expect: expects ? ["migration-order"] : [],
    };
  };

export const migrationOrder: readonly Template[] = [
  template(
    "plain numbered SQL",
    twoFiles(
      "db/migrations/0001_old.sql",
      (name) => `db/migrations/0002_${name}.sql`,
      (name) => `db/migrations/0002_${name}.sql`,
      true,
    ),
  ),
  template(
    "Rails, the same timestamp",
    twoFiles(
      "db/migrate/20240101000000_old.rb",
      (name) => `db/migrate/20240305101500_${name}.rb`,
      (name) => `db/migrate/20240305101500_${name}.rb`,
      true,
    ),
  ),
  template(
    "Flyway",
    twoFiles(
      "src/main/resources/db/migration/V1__old.sql",
      (name) => `src/main/resources/db/migration/V2__${name}.sql`,
      (name) => `src/main/resources/db/migration/V2.0__${name}.sql`,
      true,
    ),
  ),
  template(
    "Prisma",
    twoFiles(
      "prisma/migrations/20240101000000_old/migration.sql",
      (name) => `prisma/migrations/20240305101500_${name}/migration.sql`,
      (name) => `prisma/migrations/20240305101500_${name}/migration.sql`,
      true,
    ),
  ),
  template(
    "golang-migrate, up and down",
    twoFiles(
      "migrations/000001_old.up.sql",
      (name) => `migrations/000002_${name}.up.sql`,
      (name) => `migrations/000002_${name}.up.sql`,
      true,
    ),
  ),
  template(
    "Knex",
    twoFiles(
      "migrations/20240101000000_old.js",
      (name) => `migrations/20240305101500_${name}.js`,
      (name) => `migrations/20240305101500_${name}.js`,
      true,
    ),
  ),
  template("Django, the same parent under different numbers", (seed) => ({
    base: { "shop/migrations/0001_initial.py": django("0000_nothing"), "shop/migrations/__init__.py": "" },
    ours: { [`shop/migrations/0002_${seed.name()}.py`]: django("0001_initial") },
    theirs: { [`shop/migrations/${seed.pick(["0002", "0003"])}_${seed.name()}.py`]: django("0001_initial") },
    expect: ["migration-order"],
  })),
  template("Alembic, two heads", (seed) => ({
    base: { "alembic/versions/aa11_old.py": alembic("aa11", "None") },
    ours: { [`alembic/versions/bb22_${seed.name()}.py`]: alembic("bb22", '"aa11"') },
    theirs: { [`alembic/versions/cc33_${seed.name()}.py`]: alembic("cc33", "'aa11'") },
    expect: ["migration-order"],
  })),
  template(
    "near miss: different numbers",
    twoFiles(
      "db/migrations/0001_old.sql",
      (name) => `db/migrations/0002_${name}.sql`,
      (name) => `db/migrations/0003_${name}.sql`,
      false,
    ),
  ),
  template(
    "near miss: the same number in two directories",
    twoFiles(
      "a/migrations/0001_old.sql",
      (name) => `a/migrations/0002_${name}.sql`,
      (name) => `b/migrations/0002_${name}.sql`,
      false,
    ),
  ),
  template(
    "near miss: numbered documents",
    twoFiles(
      "docs/decisions/0001-old.md",
      (name) => `docs/decisions/0002-${name}.md`,
      (name) => `docs/decisions/0002-${name}.md`,
      false,
    ),
  ),
  template("near miss: Django, one after the other", (seed) => ({
    base: {
      "shop/migrations/0001_initial.py": django("0000_nothing"),
      "shop/migrations/0002_more.py": django("0001_initial"),
    },
    ours: { [`shop/migrations/0003_${seed.name()}.py`]: django("0002_more") },
    theirs: { [`cart/migrations/0003_${seed.name()}.py`]: django("0002_more").replace("shop", "cart") },
    expect: [],
  })),
  template("near miss: Alembic, one follows the other's parent's child", (seed) => ({
    base: {
      "alembic/versions/aa11_old.py": alembic("aa11", "None"),
      "alembic/versions/dd44_old.py": alembic("dd44", '"aa11"'),
    },
    ours: { [`alembic/versions/bb22_${seed.name()}.py`]: alembic("bb22", '"aa11"') },
    theirs: { [`alembic/versions/cc33_${seed.name()}.py`]: alembic("cc33", '"dd44"') },
    expect: [],
  })),
  template("near miss: a directory where numbers repeat already", (seed) => ({
    base: { "db/migrations/20240101_a.sql": sql("a"), "db/migrations/20240101_b.sql": sql("b") },
    ours: { [`db/migrations/20240305_${seed.name()}.sql`]: sql("c") },
    theirs: { [`db/migrations/20240305_${seed.name()}.sql`]: sql("d") },
    expect: [],
  })),
];
