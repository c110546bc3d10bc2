// A small shop in this framework, as people write it; see samples.suite.ts.

import type { SampleApplication } from "./sample-application.suite.ts";

export const fastifySample: SampleApplication = {
  framework: "Fastify",
  files: {
    "src/server.ts": `import Fastify from "fastify";
import orders from "./orders";

const server = Fastify({ logger: true });
server.register(orders, { prefix: "/orders" });
server.register(async (scope) => {
  scope.get("/stock", async () => ({ items: [] }));
}, { prefix: "/internal" });
server.route({
  method: ["GET", "HEAD"],
  url: "/health",
  handler: async () => ({ status: "up" }),
});
server.listen({ port: 3000 });
`,
    "src/orders.ts": `import { Type } from "@sinclair/typebox";
import type { FastifyInstance } from "fastify";

const Order = Type.Object({
  id: Type.String({ format: "uuid" }),
  total: Type.Number({ minimum: 0 }),
  note: Type.Optional(Type.String()),
});

export default async function orders(app: FastifyInstance) {
  app.get("/:id", { schema: { params: Type.Object({ id: Type.String() }), response: { 200: Order } } }, async (request) => find(request));
  app.post("/", { schema: { body: Type.Object({ total: Type.Number() }), response: { 201: Order } } }, create);
  app.get("/", {
    schema: {
      querystring: { type: "object", required: ["page"], properties: { page: { type: "integer" }, q: { type: "string" } } },
    },
  }, async () => []);
}
`,
  },
  operations: ["GET /health", "GET /internal/stock", "GET /orders", "GET /orders/{id}", "HEAD /health", "POST /orders"],
  changes: [
    {
      what: "a field of a typed answer is gone",
      file: "src/orders.ts",
      from: "total: Type.Number({ minimum: 0 }),",
      to: "",
      breaks: [
        "response-property-removed GET /orders/{id} response 200 body.total",
        "response-property-removed POST /orders response 201 body.total",
      ],
    },
    {
      what: "a parameter becomes required",
      file: "src/orders.ts",
      from: 'required: ["page"]',
      to: 'required: ["page", "q"]',
      breaks: ["request-parameter-became-required GET /orders query parameter q"],
    },
    {
      what: "a prefix changes",
      file: "src/server.ts",
      from: 'prefix: "/internal"',
      to: 'prefix: "/private"',
      breaks: ["operation-removed GET /internal/stock"],
    },
  ],
};
