// A small shop in this framework, as people write it; see samples.suite.ts.

import type { SampleApplication } from "./sample-application.suite.ts";

export const flaskSample: SampleApplication = {
  framework: "Flask",
  files: {
    "shop/__init__.py": `from flask import Flask
from shop.orders import bp as orders_bp


def create_app():
    app = Flask(__name__)
    app.register_blueprint(orders_bp, url_prefix="/api/orders")
    app.add_url_rule("/health", view_func=health)

    @app.route("/login", methods=["GET", "POST"])
    def login():
        return {"ok": True}

    return app


def health():
    return {"status": "up"}
`,
    "shop/orders.py": `from flask import Blueprint, jsonify, request
from pydantic import BaseModel

bp = Blueprint("orders", __name__)


class NewOrder(BaseModel):
    customer: str
    total: float


@bp.get("/<int:order_id>")
def show(order_id):
    return jsonify(id=order_id, total=3, currency="EUR")


@bp.post("/")
def create():
    order = NewOrder.model_validate(request.get_json())
    return {"id": 1, "customer": order.customer}, 201


@bp.route("/")
def find():
    state = request.args.get("state")
    page = request.args["page"]
    return jsonify({"orders": [], "page": page})
`,
  },
  operations: [
    "GET /api/orders",
    "GET /api/orders/{order_id}",
    "GET /health",
    "GET /login",
    "POST /api/orders",
    "POST /login",
  ],
  changes: [
    {
      what: "a field of an answer is gone",
      file: "shop/orders.py",
      from: "total=3, ",
      to: "",
      breaks: ["response-property-removed GET /api/orders/{order_id} response 200 body.total"],
    },
    {
      what: "a body needs more",
      file: "shop/orders.py",
      from: "    total: float\n",
      to: "    total: float\n    address: str\n",
      breaks: ["request-property-added-required POST /api/orders request body.address"],
    },
    {
      what: "a blueprint moves",
      file: "shop/__init__.py",
      from: 'url_prefix="/api/orders"',
      to: 'url_prefix="/orders"',
      breaks: [
        "operation-removed GET /api/orders",
        "operation-removed GET /api/orders/{order_id}",
        "operation-removed POST /api/orders",
      ],
    },
  ],
};
