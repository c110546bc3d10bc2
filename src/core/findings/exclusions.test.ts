import { expect, test } from "bun:test";
import { exclusions } from "./exclusions.ts";

const none = { exclude: [], include: [] };

const check = (path: string, isExcluded: boolean, attributes = "", own = none): void =>
  test(`${path} ${isExcluded ? "is passed over" : "counts"}${attributes === "" ? "" : ` with ${attributes}`}`, () => {
    const excluded = exclusions(attributes === "" ? [] : [{ directory: "", text: attributes }], own);
    expect(excluded(path) !== undefined).toBe(isExcluded);
  });

check("package-lock.json", true);
check("web/pnpm-lock.yaml", true);
check("src/locks.ts", false);
check("dist/main.js", true);
check("src/distance.ts", false);
check("node_modules/x/index.js", true);
check("vendor/github.com/x.go", true);
check("web/app.min.js", true);
check("rpc/thing.pb.go", true);
check("src/__generated__/types.ts", true);
check("src/api.ts", true, "src/*.ts linguist-generated");
check("src/api.ts", true, "src/*.ts linguist-generated=true\n");
check("src/api.ts", false, "src/*.ts linguist-generated\nsrc/api.ts -linguist-generated");
check("src/api.ts", false, "src/*.ts linguist-generated=false");
check("dist/kept.js", false, "dist/** -linguist-generated");
check("copy/x.c", true, "copy/** linguist-vendored");
check("data/big.csv", true, "*.csv -diff");
check("logo.png", false, "*.png binary");
check("order.txt", false, "*.txt -merge");
check("src/a.ts", false, "# *.ts linguist-generated");

test("a deeper .gitattributes outranks one above it, and speaks only of its own directory", () => {
  const excluded = exclusions(
    [
      { directory: "lib", text: "*.ts -linguist-generated" },
      { directory: "", text: "*.ts linguist-generated" },
    ],
    none,
  );
  expect([excluded("lib/a.ts"), excluded("src/a.ts")]).toEqual([undefined, "generated, says .gitattributes"]);
});

test("the owner's patterns outrank everything", () => {
  const excluded = exclusions([{ directory: "", text: "*.ts linguist-generated" }], {
    exclude: ["docs/"],
    include: ["src/**", "yarn.lock"],
  });
  expect(excluded("src/a.ts")).toBeUndefined();
  expect(excluded("yarn.lock")).toBeUndefined();
  expect(excluded("docs/a.md")).toBe("excluded by constel.toml");
});
