// How the later rounds of cases are written: a line each, with the words that decide.

import type { ContractCase } from "../../contract-case.ts";

export const of = (
  expected: ContractCase["expected"],
  name: string,
  before: ContractCase["before"],
  after: ContractCase["after"],
  words: string,
  source = "protobuf.dev language guides; buf.build/docs/breaking/rules",
): ContractCase => ({ name, before, after, expected, words, source });

export const p3 = (text: string): string => `syntax = "proto3"; package shop.v1; ${text}`;
export const p2 = (text: string): string => `syntax = "proto2"; package shop.v1; ${text}`;
export const e23 = (text: string): string => `edition = "2023"; package shop.v1; ${text}`;
export const e24 = (text: string): string => `edition = "2024"; package shop.v1; ${text}`;
