// The forms that one program is released in: the archive of a machine, the Debian package, the installer and the Homebrew formula.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ar, digestOf, type Entry, file, gzipped, tar, withDirectories } from "./archive.ts";
import type { Page } from "./manual.ts";
import type { BuiltProgram } from "./npm-packages.ts";
import type { Target } from "./targets.ts";

const top = join(import.meta.dir, "../..");

export interface Extras {
  readonly pages: readonly Page[];
  /** By the name of the shell. */
  readonly completions: Readonly<Record<"bash" | "zsh" | "fish", string>>;
}

/** Below the prefix of an archive, and below /usr of a package. */
function belowPrefix({ path }: BuiltProgram, { pages, completions }: Extras): Entry[] {
  return [
    file("bin/constel", path, true),
    ...pages.map(({ name, text }) => ({ name: `share/man/man1/${name}`, content: text })),
    { name: "share/bash-completion/completions/constel", content: completions.bash },
    { name: "share/zsh/site-functions/_constel", content: completions.zsh },
    { name: "share/fish/vendor_completions.d/constel.fish", content: completions.fish },
  ];
}

export const archiveName = (version: string, { name }: Pick<Target, "name">): string =>
  `constel-${version}-${name}.tar.gz`;

export function archive(version: string, program: BuiltProgram, extras: Extras): Buffer {
  const entries = [...belowPrefix(program, extras), file("share/doc/constel/LICENSE", join(top, "LICENSE"))];
  return gzipped(tar(entries, `constel-${version}-${program.target.name}/`));
}

/** Debian has no musl; its own words for the processors. */
export const debianCpu = ({ os, cpu, libc }: Target): string | undefined =>
  os === "linux" && libc === "glibc" ? { x64: "amd64", arm64: "arm64" }[cpu] : undefined;

export function debianPackage(version: string, program: BuiltProgram, extras: Extras): Buffer {
  const data = belowPrefix(program, extras).map((entry) => {
    const isPage = entry.name.startsWith("share/man/");
    return {
      ...entry,
      name: `usr/${entry.name}${isPage ? ".gz" : ""}`,
      content: isPage ? gzipped(Buffer.from(entry.content)) : entry.content,
    };
  });
  data.push({ name: "usr/share/doc/constel/copyright", content: readFileSync(join(top, "LICENSE")) });
  const kib = Math.ceil(data.reduce((all, { content }) => all + content.length, 0) / 1024);
  const digest = digestOf(readFileSync(program.path));
  const control: Entry[] = [
    { name: "control", content: controlFile(version, debianCpu(program.target) ?? "", kib) },
    { name: "postinst", content: verifying(digest), runs: true },
    { name: "md5sums", content: data.map(({ name, content }) => `${md5(content)}  ${name}\n`).join("") },
  ];
  return ar([
    { name: "debian-binary", content: "2.0\n" },
    { name: "control.tar.gz", content: gzipped(tar(control, "./")) },
    { name: "data.tar.gz", content: gzipped(tar(withDirectories(data), "./")) },
  ]);
}

const md5 = (content: Entry["content"]): string => new Bun.CryptoHasher("md5").update(content).digest("hex");

const controlFile = (version: string, cpu: string, kib: number): string => `Package: constel
Version: ${version}
Section: devel
Priority: optional
Architecture: ${cpu}
Maintainer: The constel authors <constel@localhost>
Installed-Size: ${kib}
Depends: git (>= 1:2.38), libc6
Recommends: tmux (>= 3.2), ca-certificates
Description: runs a constellation of coding agents without collisions
 constel starts coding agents in parallel worktrees, foresees which of their
 changes collide, and lands their work.
`;

/** dpkg itself compares nothing with the release: a program that is not the one that was released is made unable to run. */
const verifying = (digest: string): string => `#!/bin/sh
set -e
[ "$1" = configure ] || exit 0
found=$(sha256sum </usr/bin/constel | cut -d' ' -f1)
if [ "$found" != ${digest} ]; then
  chmod a-x /usr/bin/constel
  echo "constel: /usr/bin/constel is not what was released (digest $found); it was not made to run" >&2
  exit 1
fi
`;

export interface KnownArchive {
  readonly version: string;
  readonly name: string;
  readonly sha256: string;
}

/** `releases`: the address below which releases lie; empty when there is none yet. */
export function installer(version: string, archives: readonly KnownArchive[], releases: string): string {
  const versions = [...new Set(archives.map((one) => one.version))].join(" ");
  const values: Readonly<Record<string, string>> = {
    VERSION: version,
    VERSIONS: versions,
    RELEASES: releases === "" ? "(none: say it)" : releases,
    RELEASES_QUOTED: `'${releases.replaceAll("'", "")}'`,
    DIGESTS: archives.map(({ name, sha256 }) => `${sha256}  ${name}`).join("\n"),
  };
  const text = readFileSync(join(import.meta.dir, "install.sh.txt"), "utf8");
  return text.replaceAll(/@([A-Z_]+)@/g, (_, name: string) => values[name] ?? "");
}

export function formula(
  version: string,
  archives: readonly (KnownArchive & { target: Target })[],
  releases: string,
): string {
  const on = (os: Target["os"], cpu: Target["cpu"]): string => {
    const found = archives.find(({ target }) => target.os === os && target.cpu === cpu && target.libc !== "musl");
    if (found === undefined) return "";
    return `    on_${cpu === "arm64" ? "arm" : "intel"} do
      url "${releases}/download/v${version}/${found.name}"
      sha256 "${found.sha256}"
    end
`;
  };
  return `class Constel < Formula
  desc "Runs a constellation of coding agents and keeps their work from colliding"
  homepage "${releases.replace(/\/releases$/, "")}"
  version "${version}"
  license "MIT"

  depends_on "git"
  depends_on "tmux"

  on_macos do
${on("darwin", "arm64")}${on("darwin", "x64")}  end

  on_linux do
${on("linux", "arm64")}${on("linux", "x64")}  end

  def install
    bin.install "bin/constel"
    man1.install Dir["share/man/man1/*"]
    bash_completion.install "share/bash-completion/completions/constel"
    zsh_completion.install "share/zsh/site-functions/_constel"
    fish_completion.install "share/fish/vendor_completions.d/constel.fish"
  end

  test do
    assert_equal "constel #{version}", shell_output("#{bin}/constel --version").strip
  end
end
`;
}
