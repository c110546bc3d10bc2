// The control paths: how a test in another process drives the model.

import type { ServerResponse } from "node:http";
import { objectOf, parsed, textOf } from "./json.ts";
import type { ScriptedModel } from "./scripted-model.ts";
import { sendJson } from "./wire.ts";

export function control(
  model: ScriptedModel,
  method: string,
  path: string,
  body: string,
  response: ServerResponse,
): void {
  try {
    const order = orders[`${method} ${path}`];
    if (order === undefined) return sendJson(response, 404, { error: `no control at ${method} ${path}` });
    sendJson(response, 200, order(model, body) ?? { ok: true });
  } catch (cause) {
    sendJson(response, 400, { error: cause instanceof Error ? cause.message : String(cause) });
  }
}

const orders: Readonly<Record<string, (model: ScriptedModel, body: string) => unknown>> = {
  "GET /__health": () => undefined,
  "GET /__requests": (model) => model.requests,
  "PUT /__rules": (model, body) => model.setRules(JSON.parse(body)),
  "GET /__holds": (model) => model.holds.names,
  "POST /__release": (model, body) => model.release(textOf(objectOf(parsed(body))["hold"])),
  "POST /__reset": (model) => model.reset(),
};
