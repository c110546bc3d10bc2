// How the later rounds of cases are written: a line each, with the words that decide.

import type { ContractCase } from "../../contract-case.ts";

export const of = (
  expected: ContractCase["expected"],
  name: string,
  before: ContractCase["before"],
  after: ContractCase["after"],
  words: string,
  source = "GraphQL specification, October 2021 and September 2025",
): ContractCase => ({ name, before, after, expected, words, source });
