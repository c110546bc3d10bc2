// Paths that code does not write out where the route is: constants of this and other files, templates, functions that make routers, views that
// are added by a call.

import { expect, test } from "bun:test";
import type { ContractSource } from "../core/contracts/format.ts";
import { inferredFrom } from "./inferred-format.ts";

async function operationsOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const source: ContractSource = {
    entry: ".",
    read: (path) => Promise.resolve(files[path]),
    list: () => Promise.resolve(Object.keys(files)),
  };
  return (await inferredFrom(source)).operations;
}

test("constants of other files are part of a path, in TypeScript", async () => {
  const operations = await operationsOf({
    "constants.ts": 'export const API = "/api";\nexport const paths = { items: "/:id/items" } as const;',
    "app.ts":
      'import { Hono } from "hono";\nimport { API, paths } from "./constants";\nimport * as all from "./constants";\nimport { unknown } from "./nowhere";\n' +
      "const BY_ID = `/:id{[0-9]+}`;\nconst app = new Hono().basePath(API);\nconst orders = new Hono();\n" +
      "app.route(`${all.API}/orders`, orders);\norders.get(BY_ID, (c) => c.json({}));\norders.get(paths.items, ...handlers);\n" +
      'orders.get(BY_ID + "/x", (c) => c.json({}));\norders.get(unknown, (c) => c.json({}));',
  });
  expect(operations).toEqual([
    "GET /api/api/orders/{id}",
    "GET /api/api/orders/{id}/items",
    "GET /api/api/orders/{id}/x",
  ]);
});

test("a router that a function makes, a handler before it, several paths at once, a wrapped plugin", async () => {
  expect(
    await operationsOf({
      "paths.js": 'const API = "/api";\nmodule.exports = { API };',
      "users.js":
        'const express = require("express");\nmodule.exports = function users() { const router = express.Router(); router.get("/:id", (q, s) => s.json({})); return router; };',
      "controller.js": "exports.show = (q, s) => s.json({});",
      "app.js":
        'const express = require("express");\nconst users = require("./users");\nconst controller = require("./controller");\nconst { API } = require("./paths");\nconst app = express();\n' +
        'app.use(`${API}/users`, signedIn, users());\napp.get(["/ping", "/healthz"], (q, s) => s.send("ok"));\napp.route("/books").get(controller.check, controller.show);',
    }),
  ).toEqual(["GET /api/users/{id}", "GET /books", "GET /healthz", "GET /ping"]);
  expect(
    await operationsOf({
      "auth.ts":
        'import fp from "fastify-plugin";\nexport default fp(async (fastify) => { fastify.post("/login", async () => ({})); });',
      "server.ts":
        'import Fastify from "fastify";\nimport auth from "./auth.js";\nconst PREFIX = "/v1";\nconst app = Fastify();\napp.register(auth, { prefix: PREFIX });',
    }),
  ).toEqual(["POST /v1/login"]);
});

test("constants, and views that are added by a call, in Python", async () => {
  expect(
    await operationsOf({
      "app/config.py": 'API_V1 = "/api/v1"\n',
      "app/main.py":
        'from fastapi import FastAPI\nfrom app.config import API_V1\nfrom app import config, orders\napp = FastAPI()\napp.include_router(orders.router, prefix=f"{API_V1}/shop")\n' +
        'def old(order_id: int):\n    return {}\napp.add_api_route(config.API_V1 + "/old/{order_id}", old, methods=["GET"])\n',
      "app/orders.py":
        'from fastapi import APIRouter\nPREFIX = "/orders"\nrouter = APIRouter(prefix=PREFIX)\nONE = "/{order_id}"\n@router.get(ONE)\ndef one(order_id: int):\n    return {}\n',
    }),
  ).toEqual(["GET /api/v1/old/{order_id}", "GET /api/v1/shop/orders/{order_id}"]);
  expect(
    await operationsOf({
      "shop.py":
        'from flask import Flask, Blueprint\nfrom flask.views import MethodView\nPREFIX = "/api"\nbp = Blueprint("orders", __name__, url_prefix=PREFIX)\n' +
        'class Order(MethodView):\n    def get(self, order_id):\n        return {"id": order_id}\n    def delete(self, order_id):\n        return "", 204\n' +
        'bp.add_url_rule("/<int:order_id>", view_func=Order.as_view("order"))\napp = Flask(__name__)\napp.register_blueprint(bp)\napp.add_url_rule("/ping", view_func=lambda: "pong")\n',
    }),
  ).toEqual(["DELETE /api/{order_id}", "GET /api/{order_id}", "GET /ping"]);
});
