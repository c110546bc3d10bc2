#!/usr/bin/env node
// Starts the program of this machine, which npm installed beside this package. Nothing else is here: no script runs at the install, and Bun is not needed.
// Node 18 and later.

"use strict";
const { spawn } = require("node:child_process");
const { readdirSync } = require("node:fs");
const { constants } = require("node:os");

const loaders = (directory) => {
  try {
    return readdirSync(directory).filter((name) => /^ld-(linux|musl)/.test(name));
  } catch {
    return [];
  }
};
const found = process.platform === "linux" ? [...loaders("/lib"), ...loaders("/lib64")] : [];
const musl = found.length > 0 && found.every((name) => name.startsWith("ld-musl")) ? "-musl" : "";
const wanted = `constel-${process.platform}-${process.arch}${musl}`;

function find() {
  try {
    return require.resolve(`${wanted}/constel`);
  } catch {
    const isSupported = ["linux", "darwin"].includes(process.platform) && ["x64", "arm64"].includes(process.arch);
    const hint =
      process.platform === "win32"
        ? "constel needs Linux or macOS. On Windows it works inside WSL: install it there."
        : isSupported
          ? "It is an optional dependency: install again without --omit=optional, for this machine."
          : "There is a program for Linux and macOS, on x64 and arm64.";
    process.stderr.write(`constel: ${wanted} is not installed. ${hint}\n`);
    process.exit(69);
  }
}

const program = find();
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// Ctrl-C reaches both from the terminal; the program decides how it ends.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) {
  process.on(signal, () => {
    if (signal !== "SIGINT" && signal !== "SIGQUIT") child.kill(signal);
  });
}
child.on("error", (cause) => {
  process.stderr.write(`constel: ${program} could not be started: ${cause.message}\n`);
  process.exit(69);
});
child.on("exit", (code, signal) => {
  process.exit(signal === null ? code : 128 + (constants.signals[signal] || 0));
});
