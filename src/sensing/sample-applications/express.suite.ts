// A small shop in this framework, as people write it; see samples.suite.ts.

import type { SampleApplication } from "./sample-application.suite.ts";

export const expressSample: SampleApplication = {
  framework: "Express",
  files: {
    "app.js": `const express = require("express");
const orders = require("./routes/orders");
const { users } = require("./routes/users");

const app = express();
app.use(express.json());
app.use("/orders", orders);
app.use("/v1", users);
app.all("/ping", (req, res) => res.send("pong"));
module.exports = app;
`,
    "routes/orders.js": `const { Router } = require("express");
const { z } = require("zod");
const Order = z.object({ customer: z.string(), total: z.number().positive() });
const router = Router();

router.get("/", async (req, res) => {
  const { state, page } = req.query;
  res.json({ orders: [], page });
});
router.post("/", authenticate, (req, res) => {
  const order = Order.parse(req.body);
  res.status(201).json({ id: "1", customer: order.customer });
});
router.route("/:id").get(show).delete(remove);
function show(req, res) {
  res.json({ id: req.params.id, total: 1 });
}
function remove(req, res) {
  res.status(204).end();
}
module.exports = router;
`,
    "routes/users.js": `const express = require("express");
const users = express.Router();
users.get("/users/:user/orders/:order(\\\\d+)", (req, res) => res.json({ ok: true }));
module.exports = { users };
`,
    "client.js": `const cache = new Map();
exports.load = () => cache.get("/orders");
`,
  },
  operations: [
    "DELETE /orders/{id}",
    "DELETE /ping",
    "GET /orders",
    "GET /orders/{id}",
    "GET /ping",
    "GET /v1/users/{user}/orders/{order}",
    "PATCH /ping",
    "POST /orders",
    "POST /ping",
    "PUT /ping",
  ],
  changes: [
    {
      what: "a method is gone",
      file: "routes/orders.js",
      from: ".delete(remove)",
      to: "",
      breaks: ["operation-removed DELETE /orders/{id}"],
    },
    {
      what: "a body needs more",
      file: "routes/orders.js",
      from: "customer: z.string(),",
      to: "customer: z.string(), address: z.string(),",
      breaks: ["request-property-added-required POST /orders request body.address"],
    },
    {
      what: "a field that a function answers with is gone",
      file: "routes/orders.js",
      from: "id: req.params.id, total: 1",
      to: "id: req.params.id",
      breaks: ["response-property-removed GET /orders/{id} response 200 body.total"],
    },
  ],
};
