// A small shop in each framework, written as people write it, with what can be inferred of it: every route, and one change that breaks.

import { expressSample } from "./express.ts";
import { fastApiSample } from "./fastapi.ts";
import { fastifySample } from "./fastify.ts";
import { flaskSample } from "./flask.ts";
import { honoSample } from "./hono.ts";

export interface SampleApplication {
  readonly framework: string;
  readonly files: Readonly<Record<string, string>>;
  /** Every operation, sorted. */
  readonly operations: readonly string[];
  /** Changes of one file: what is replaced by what, and what that does, as `rule path`. */
  readonly changes: readonly {
    readonly what: string;
    readonly file: string;
    readonly from: string;
    readonly to: string;
    readonly breaks: readonly string[];
  }[];
}

export const sampleApplications: readonly SampleApplication[] = [
  honoSample,
  expressSample,
  fastifySample,
  fastApiSample,
  flaskSample,
];
