// Every contract format, in the order in which a file is tried: the most particular first.

import { asyncApi } from "./asyncapi/asyncapi.ts";
import type { ContractFormat } from "./format.ts";
import { graphqlFormat } from "./graphql/graphql.ts";
import { jsonSchema } from "./json-schema/json-schema.ts";
import { openApi } from "./openapi/openapi.ts";
import { protobufFormat } from "./protobuf/protobuf.ts";

export const contractFormats: readonly ContractFormat[] = [
  openApi,
  asyncApi,
  graphqlFormat,
  protobufFormat,
  jsonSchema,
];
