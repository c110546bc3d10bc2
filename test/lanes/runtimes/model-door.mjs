// Runs the scripted model and takes orders as JSON lines on stdin, so that a test outside its network namespace can drive it.
// argv: the path of scripted-model.mjs.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { startScriptedModel } = await import(pathToFileURL(process.argv[2]).href);
const model = await startScriptedModel({ rules: { rules: [] } });
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
say({ url: model.url });

const orders = {
  rules: (order) => model.setRules(order.rules),
  release: (order) => model.release(order.hold),
  reset: () => model.reset(),
  requests: () => model.requests.filter((request) => request.api !== undefined && request.body !== undefined),
};

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const order = JSON.parse(line);
    say({ id: order.id, answer: orders[order.do](order) ?? null });
  })
  .on("close", () => model.close().then(() => process.exit(0)));
