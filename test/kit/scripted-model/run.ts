// The scripted model from the command line:
//   bun test/kit/scripted-model/run.ts --rules rules.json [--port 8700] [--log requests.jsonl] [--var name=value]… [--light]
// Prints one line of JSON, its address and process, when it is ready. Ends at SIGINT or SIGTERM.

import { parseArgs } from "node:util";
import { startScriptedModel } from "./scripted-model.ts";

const { values } = parseArgs({
  options: {
    rules: { type: "string" },
    port: { type: "string", default: "0" },
    log: { type: "string" },
    var: { type: "string", multiple: true, default: [] },
    light: { type: "boolean", default: false },
  },
});
const pairs = values.var.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);
const model = await startScriptedModel({
  port: Number(values.port),
  vars: Object.fromEntries(pairs) as Record<string, string>,
  light: values.light,
  ...(values.rules === undefined ? {} : { rules: values.rules }),
  ...(values.log === undefined ? {} : { log: values.log }),
});
process.stdout.write(`${JSON.stringify({ url: model.url, pid: process.pid })}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void model.close().then(() => process.exit(0)));
}
