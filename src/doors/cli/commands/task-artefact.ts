// The files that a task hands over, on the command line. Reading and writing them is the caller's own: the daemon is given content, no path.

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { createTrusted } from "../../../files/trusted-files.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { largestArtefact } from "../../../protocol/acceptance.ts";
import { Outage, Refusal, systemCode } from "../../../protocol/errors.ts";
import type { RunCommand } from "../input/command.ts";
import { table } from "../present/table.ts";
import { ago } from "../present/time.ts";

export const add: RunCommand = async (context, input) => {
  const path = resolve(context.cwd, input.argument("file"));
  const content_base64 = readBounded(path).toString("base64");
  const name = input.flag("name") ?? basename(path);
  const asked = input.asked("artefact.add", { name, content_base64 });
  const artefact = await (await context.caller()).call("artefact.add", asked);
  const text = `Task ${artefact.task} hands over ${artefact.name}: ${sizeText(artefact.bytes)}, sha256 ${artefact.sha256}`;
  return { json: artefact, text };
};

export const list: RunCommand = async (context, input) => {
  const { artefacts } = await (await context.caller()).call("artefact.list", input.asked("artefact.list"));
  const now = systemClock.nowMs();
  const rows = artefacts.map(({ name, bytes, sha256, added_by: by, added_ms: ms }) => [
    name,
    sizeText(bytes),
    sha256.slice(0, 12),
    by,
    ago(now - ms),
  ]);
  const none = "None. Hand a file over with: constel task artefact add NUMBER FILE";
  const head = ["name", "size", "sha256", "by", "ago"];
  return { json: { artefacts }, text: () => (rows.length === 0 ? none : table(head, rows, context.output)) };
};

export const get: RunCommand = async (context, input) => {
  const found = await (await context.caller()).call("artefact.get", input.asked("artefact.get"));
  const { content_base64: content, ...artefact } = found;
  const path = resolve(context.cwd, input.flag("out") ?? artefact.name);
  const isNew = createTrusted(dirname(path), basename(path), Buffer.from(content, "base64"));
  if (!isNew) throw new Refusal("path.exists", `${path} is there already, and is left as it is`, { path });
  return { json: { ...artefact, path }, text: `Wrote ${path}: ${sizeText(artefact.bytes)}, sha256 ${artefact.sha256}` };
};

const sizeText = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} B`
    : bytes < 1024 ** 2
      ? `${Math.ceil(bytes / 1024)} KiB`
      : `${(bytes / 1024 ** 2).toFixed(1)} MiB`;

/** A plain file of bounded length. A pipe or a device is refused, not waited for. */
function readBounded(path: string): Buffer {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") throw new Refusal("path.not-a-file", `there is no file ${path}`, { path });
    throw new Outage("read", path, cause);
  }
  try {
    const about = fstatSync(file);
    if (!about.isFile()) throw new Refusal("path.not-a-file", `${path} is not a plain file`, { path });
    if (about.size > largestArtefact)
      throw new Refusal("task.artefact-too-large", `${path} has ${about.size} bytes, and an artefact at most 4 MiB`, {
        path,
        bytes: about.size,
        most: largestArtefact,
      });
    const bytes = Buffer.alloc(about.size);
    let read = 0;
    for (let more = -1; more !== 0 && read < bytes.length; read += more)
      more = readSync(file, bytes, read, bytes.length - read, read);
    return bytes.subarray(0, read);
  } finally {
    closeSync(file);
  }
}
