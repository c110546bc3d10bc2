// Semantic findings in Java, end to end through git: each kind with the near-misses that must stay silent. The wide measurement is
// in semantic-compiled.ts.

import type { Change, Files, Grow, Seed, Template } from "../../../../eval/scenarios/scenario.ts";

interface Names {
  readonly name: string;
  readonly fresh: string;
}

const library = (name: string): string => `package org.lib;

public class Library {
  public final int size;

  public Library(int size) {
    this.size = size;
  }

  public static String ${name}(int value) {
    return "x";
  }

  public void open(int mode) {
  }
}
`;
const shape = (more = ""): string => `package org.lib;\n\npublic interface Shape {\n  double area();\n${more}}\n`;
const at = "src/main/java/org";
const base = ({ name }: Names): Files => ({
  [`${at}/lib/Library.java`]: library(name),
  [`${at}/lib/Shape.java`]: shape(),
  [`${at}/app/Use.java`]: app("Use", `  String used = Library.${name}(1);\n`),
  [`${at}/app/Other.java`]: "package org.app;\n\nclass Other {\n}\n",
});
const app = (name: string, body: string, imports = "import org.lib.Library;\n"): string =>
  `package org.app;\n\n${imports}\nclass ${name} {\n${body}}\n`;
const renamed = ({ fresh }: Names): Change => ({
  [`${at}/lib/Library.java`]: library(fresh),
  [`${at}/app/Use.java`]: app("Use", `  String used = Library.${fresh}(1);\n`),
});
const edited =
  (from: string, to: string): ((names: Names) => Change) =>
  (names) => ({ [`${at}/lib/Library.java`]: library(names.name).replace(from, to) });
const adds =
  (body: (names: Names) => string, imports?: string): ((names: Names) => Change) =>
  (names) => ({ [`${at}/app/Fresh.java`]: app("Fresh", body(names), imports) });

function template(
  name: string,
  expects: boolean,
  ours: (names: Names) => Change,
  theirs: (names: Names) => Change,
): Template {
  const grow: Grow = (seed: Seed) => {
    const names = { name: seed.name(), fresh: seed.name() };
    return { base: base(names), ours: ours(names), theirs: theirs(names), expect: expects ? ["semantic"] : [] };
  };
  return { kind: "semantic", name: `Java: ${name}`, grow };
}

const newUse = adds(({ name }) => `  String run() {\n    return Library.${name}(2);\n  }\n`);

export const semanticJava: readonly Template[] = [
  template("renamed, and used anew", true, renamed, newUse),
  template("renamed, and imported statically", true, renamed, (names) =>
    adds(
      () => `  String run() {\n    return ${names.name}(2);\n  }\n`,
      `import static org.lib.Library.${names.name};\n`,
    )(names),
  ),
  template(
    "one parameter more in a constructor",
    true,
    edited("Library(int size)", "Library(int size, int more)"),
    adds(() => "  Library made = new Library(1);\n"),
  ),
  template(
    "a method removed",
    true,
    edited("open(int mode)", "close(int mode)"),
    adds(() => "  void run(Library library) {\n    library.open(1);\n  }\n"),
  ),
  template(
    "a field made private",
    true,
    edited("public final int size", "private final int size"),
    adds(() => "  int run(Library library) {\n    return library.size;\n  }\n"),
  ),
  template(
    "an interface asks for one method more",
    true,
    () => ({ [`${at}/lib/Shape.java`]: shape("\n  double length();\n") }),
    () => ({
      [`${at}/app/Disc.java`]:
        "package org.app;\n\nimport org.lib.Shape;\n\nclass Disc implements Shape {\n  @Override\n  public double area() {\n    return 1;\n  }\n}\n",
    }),
  ),
  template(
    "a class moved to another package",
    true,
    () => ({ [`${at}/lib/Shape.java`]: null, [`${at}/form/Shape.java`]: shape().replace("org.lib", "org.form") }),
    adds(() => "  double run(Shape shape) {\n    return shape.area();\n  }\n", "import org.lib.Shape;\n"),
  ),
  template(
    "near miss, only in a string and a comment",
    false,
    renamed,
    adds(({ name }) => `  // Library.${name} is nice\n  String text = "Library.${name}(1)";\n`),
  ),
  template(
    "near miss, the old method stays",
    false,
    ({ name, fresh }) => ({
      [`${at}/lib/Library.java`]: library(fresh).replace(
        /\}\n$/,
        `\n  public static String ${name}(int value) {\n    return ${fresh}(value);\n  }\n}\n`,
      ),
    }),
    newUse,
  ),
  template("near miss, another class has the same method", false, renamed, ({ name }) => ({
    [`${at}/app/Mine.java`]: `package org.app;\n\nclass Mine {\n  static int ${name}(int value) {\n    return value;\n  }\n}\n`,
    [`${at}/app/Fresh.java`]: app("Fresh", `  int run() {\n    return Mine.${name}(2);\n  }\n`, ""),
  })),
  template(
    "near miss, an overload is added",
    false,
    edited("  public void open", "  public void open(int mode, int more) {\n  }\n\n  public void open"),
    adds(() => "  void run(Library library) {\n    library.open(1);\n  }\n"),
  ),
  template(
    "near miss, a default method is added",
    false,
    () => ({ [`${at}/lib/Shape.java`]: shape("\n  default double length() {\n    return 0;\n  }\n") }),
    () => ({
      [`${at}/app/Disc.java`]:
        "package org.app;\n\nimport org.lib.Shape;\n\nclass Disc implements Shape {\n  public double area() {\n    return 1;\n  }\n}\n",
    }),
  ),
  template(
    "near miss, a local of that name",
    false,
    renamed,
    adds(({ name }) => `  int run(int ${name}) {\n    return ${name};\n  }\n`),
  ),
  template(
    "near miss, Lombok may write the method",
    false,
    ({ name }) => ({
      [`${at}/lib/Library.java`]: library(name)
        .replace("public class", "import lombok.Data;\n\n@Data\npublic class")
        .replace("open(int mode)", "close(int mode)"),
    }),
    adds(() => "  void run(Library library) {\n    library.open(1);\n  }\n"),
  ),
];
