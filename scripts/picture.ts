// Makes docs/picture.svg, the picture in the README, from a real run: the tour's repository is built, `constel check` is run in
// a terminal of 100 columns, and what it printed is drawn. Run: bun scripts/picture.ts; with --check it only says, by its exit
// code, whether the picture is still what the program prints.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const top = join(import.meta.dir, "..");
const columns = 100;

interface Style {
  readonly fill: string;
  readonly bold: boolean;
}

const fills: Readonly<Record<string, string>> = {
  "31": "#ff7b72",
  "32": "#7ee787",
  "33": "#e3b341",
  "36": "#79c0ff",
  "2": "#8b949e",
};
const plain: Style = { fill: "#e6edf3", bold: false };

const setUp = `
git init -q -b main demo && cd demo && git config user.name you && git config user.email you@example.com
printf 'def price(amount):\\n    return amount * 2\\n' > shop.py && git add -A && git commit -q -m start
git worktree add -q -b better-name ../demo-names && git worktree add -q -b billing ../demo-billing
sed -i 's/price/total_price/' ../demo-names/shop.py && git -C ../demo-names commit -q -a -m "a better name"
printf 'from shop import price\\n\\nprint(price(3))\\n' > ../demo-billing/bill.py`;

const directory = mkdtempSync(join(tmpdir(), "constel-picture-"));
try {
  // As for a newcomer, who has no pyright: what is printed is then the same on every machine.
  const path = (process.env["PATH"] ?? "").split(":").filter((one) => !existsSync(join(one, "pyright")));
  const env = {
    PATH: [join(top, "bin"), ...path].join(":"),
    HOME: directory,
    TERM: "xterm-256color",
    LC_ALL: "C.UTF-8",
  };
  if ((await Bun.spawn(["bash", "-ec", setUp], { cwd: directory, env }).exited) !== 0)
    throw new Error("the set-up failed");
  const command = "constel check ../demo-names ../demo-billing";
  let output = "";
  const child = Bun.spawn(command.split(" "), {
    cwd: join(directory, "demo"),
    env,
    terminal: { cols: columns, rows: 60, data: (_terminal, data) => void (output += new TextDecoder().decode(data)) },
  });
  await child.exited;
  const drawn = draw(`\u001b[2m$\u001b[0m ${command}\n${shown(output)}`);
  const picture = join(top, "docs/picture.svg");
  if (!process.argv.includes("--check")) writeFileSync(picture, drawn);
  else if (readFileSync(picture, "utf8") !== drawn) {
    console.error("docs/picture.svg is not what the program prints: bun scripts/picture.ts");
    process.exitCode = 1;
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** Returns what is on the screen in the end: a line about progress was drawn over and cleared. */
function shown(printed: string): string {
  return printed
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.slice(line.lastIndexOf("\r") + 1).replaceAll("\u001b[K", ""))
    .join("\n");
}

function draw(text: string): string {
  const lines = text.trimEnd().split("\n");
  const [lineHeight, charWidth, margin] = [20, 8.4, 20];
  const width = Math.round(columns * charWidth + 2 * margin);
  const height = lines.length * lineHeight + 2 * margin;
  const rows = lines.map(
    (line, index) =>
      `<text x="${margin}" y="${margin + 15 + index * lineHeight}" xml:space="preserve">${spans(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>constel check names a function that one branch renamed and another began to use</title>
<rect width="100%" height="100%" rx="10" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">
${rows.join("\n")}
</g>
</svg>
`;
}

function spans(line: string): string {
  let style = plain;
  let drawn = "";
  // oxlint-disable-next-line no-control-regex -- escape sequences are what is being read
  for (const part of line.split(/(\u001b\[[0-9;]*m)/)) {
    // oxlint-disable-next-line no-control-regex
    const codes = /^\u001b\[([0-9;]*)m$/.exec(part)?.[1];
    if (codes === undefined) {
      if (part !== "")
        drawn += `<tspan fill="${style.fill}"${style.bold ? ' font-weight="bold"' : ""}>${escaped(part)}</tspan>`;
      continue;
    }
    for (const code of codes.split(";")) {
      if (code === "0" || code === "") style = plain;
      else if (code === "1") style = { ...style, bold: true };
      else style = { ...style, fill: fills[code] ?? style.fill };
    }
  }
  return drawn;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
