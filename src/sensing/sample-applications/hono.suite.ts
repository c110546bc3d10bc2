// A small shop in this framework, as people write it; see samples.suite.ts.

import type { SampleApplication } from "./sample-application.suite.ts";

export const honoSample: SampleApplication = {
  framework: "Hono",
  files: {
    "src/schemas.ts": `import { z } from "zod";
export const Line = z.object({ sku: z.string(), count: z.number().int().min(1) });
export const NewOrder = z.object({ customer: z.string().uuid(), lines: z.array(Line), note: z.string().optional() });
`,
    "src/orders.ts": `import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import { z } from "zod";
import { NewOrder } from "./schemas";

export const orders = new Hono()
  .get("/", zValidator("query", z.object({ state: z.enum(["open", "paid"]).optional() })), async (c) => {
    const limit = c.req.query("limit");
    return c.json({ orders: await list(limit) });
  })
  .post("/", zValidator("json", NewOrder), (c) => c.json({ id: "o1", total: 3 }, 201))
  .get("/:id{[0-9]+}", (c) => c.json({ id: c.req.param("id"), total: 3, currency: "EUR" }));
`,
    "src/index.ts": `import { Hono } from "hono";
import { orders } from "./orders.js";

const app = new Hono().basePath("/api");
app.route("/orders", orders);
app.get("/health", (c) => c.text("ok"));
app.on(["PUT", "PATCH"], "/settings", (c) => c.body(null));
export default app;
`,
    "src/client.ts": `import { api } from "./http";
export const users = () => api.get("/users");
`,
  },
  operations: [
    "GET /api/health",
    "GET /api/orders",
    "GET /api/orders/{id}",
    "PATCH /api/settings",
    "POST /api/orders",
    "PUT /api/settings",
  ],
  changes: [
    {
      what: "a field of an answer is renamed",
      file: "src/orders.ts",
      from: 'total: 3, currency: "EUR"',
      to: 'amount: 3, currency: "EUR"',
      breaks: ["response-property-removed GET /api/orders/{id} response 200 body.total"],
    },
    {
      what: "a body needs more, in the file of its schema",
      file: "src/schemas.ts",
      from: "z.string().optional()",
      to: "z.string()",
      breaks: ["request-property-became-required POST /api/orders request body.note"],
    },
    {
      what: "a router is mounted elsewhere",
      file: "src/index.ts",
      from: 'app.route("/orders"',
      to: 'app.route("/purchases"',
      breaks: [
        "operation-removed GET /api/orders",
        "operation-removed GET /api/orders/{id}",
        "operation-removed POST /api/orders",
      ],
    },
  ],
};
