// A small shop in this framework, as people write it; see samples.suite.ts.

import type { SampleApplication } from "./sample-application.suite.ts";

export const fastApiSample: SampleApplication = {
  framework: "FastAPI",
  files: {
    "app/main.py": `from fastapi import FastAPI
from .routers import orders
from app.routers.users import router as users_router

app = FastAPI()
app.include_router(orders.router, prefix="/v1")
app.include_router(users_router)


@app.get("/health")
def health():
    return {"status": "up"}
`,
    "app/models.py": `from enum import Enum
from typing import Optional
from pydantic import BaseModel, Field


class State(str, Enum):
    OPEN = "open"
    PAID = "paid"


class NewOrder(BaseModel):
    customer: str = Field(..., max_length=40)
    note: Optional[str] = None


class Order(NewOrder):
    id: int
    total: float = Field(ge=0)
    state: State
`,
    "app/routers/__init__.py": "",
    "app/routers/orders.py": `from typing import Annotated
from fastapi import APIRouter, Depends, Header, Query, Request
from ..models import NewOrder, Order, State

router = APIRouter(prefix="/orders", tags=["orders"])


@router.get("/", response_model=list[Order])
async def find(request: Request, state: State | None = None, limit: int = Query(20, le=100), db=Depends(database)):
    return []


@router.post("/", status_code=201)
async def create(order: NewOrder, x_trace: Annotated[str | None, Header()] = None) -> Order:
    return save(order)


@router.get("/{order_id}")
async def show(order_id: int) -> Order:
    return load(order_id)
`,
    "app/routers/users.py": `from fastapi import APIRouter

router = APIRouter()


@router.delete("/users/{user}")
def remove(user: str, force: bool):
    return {"removed": user}
`,
  },
  operations: ["DELETE /users/{user}", "GET /health", "GET /v1/orders", "GET /v1/orders/{order_id}", "POST /v1/orders"],
  changes: [
    {
      what: "a field of a model is renamed",
      file: "app/models.py",
      from: "total: float",
      to: "amount: float",
      breaks: [
        "response-property-removed GET /v1/orders response 200 body[].total",
        "response-property-removed GET /v1/orders/{order_id} response 200 body.total",
        "response-property-removed POST /v1/orders response 201 body.total",
      ],
    },
    {
      what: "a body needs more",
      file: "app/models.py",
      from: "note: Optional[str] = None",
      to: "note: str",
      breaks: [
        "request-became-not-nullable POST /v1/orders request body.note",
        "request-property-became-required POST /v1/orders request body.note",
      ],
    },
    {
      what: "a parameter loses its default",
      file: "app/routers/orders.py",
      from: "limit: int = Query(20, le=100)",
      to: "limit: int = Query(..., le=100)",
      breaks: ["request-parameter-became-required GET /v1/orders query parameter limit"],
    },
  ],
};
