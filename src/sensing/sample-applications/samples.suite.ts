// A small shop in each framework, written as people write it, with what can be inferred of it: every route, and one change that breaks.

import { expressSample } from "./express.suite.ts";
import { fastApiSample } from "./fastapi.suite.ts";
import { fastifySample } from "./fastify.suite.ts";
import { flaskSample } from "./flask.suite.ts";
import { honoSample } from "./hono.suite.ts";
import type { SampleApplication } from "./sample-application.suite.ts";

export const sampleApplications: readonly SampleApplication[] = [
  honoSample,
  expressSample,
  fastifySample,
  fastApiSample,
  flaskSample,
];
