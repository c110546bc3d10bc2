// Changes the version of what is installed below a prefix, in a process that a test ends at a step:  <prefix> <releases> <public key> <version>

import { changeVersion, findRelease, released } from "../../src/floor/release/change-version.ts";
import { systemProcesses } from "../../src/host/process/run.ts";
import { releaseFetcher } from "../../src/host/release/fetch-release.ts";
import { oneChange } from "../../src/host/release/one-change.ts";
import { killPoint } from "../../src/settings/kill-at.ts";

const [prefix = "", releases = "", publicKey = "", version = ""] = process.argv.slice(2);
const marks = { version: "0.1.0", target: "linux-x64", releases, publicKey, schema: 3 };
const fetchOf = releaseFetcher(releases);
const env = { PATH: process.env["PATH"] ?? "", LOG: process.env["LOG"] ?? "" };
const files = { prefix, program: "bin/constel", keeping: "lib/constel", record: "lib/constel/installed" };
const done = await changeVersion(
  {
    marks,
    version: "0.1.0",
    files,
    alone: (work) => oneChange(files, work),
    schema: async () => 3,
    backupFor: async () => undefined,
    letWrite: async () => undefined,
    run: async (words) => {
      const { code, stdout, stderr } = await systemProcesses.run(words, { env, deadlineMs: 60_000 });
      return { code, said: `${Buffer.from(stdout).toString("utf8")}${stderr}` };
    },
    served: async () => true,
    say: () => undefined,
    reached: (step) => killPoint(`upgrade.${step}`),
  },
  released(await findRelease(fetchOf, version, marks), marks.target, fetchOf(version)),
);
process.stdout.write(`${JSON.stringify(done)}\n`);
