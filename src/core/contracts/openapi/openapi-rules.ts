// Every rule of OpenAPI that is not about a schema (those are in schema/schema-rules.ts). The two letters are the verdicts of an
// operation that clients call, and of one that the provider calls (a callback or a webhook), where the id begins with `callback-`: b breaking,
// d dangerous, c compatible.

import { securityRules } from "../credentials.ts";
import { rule, type Rule } from "../rule.ts";

export const openApiRules = {
  "operation-added": rule("cc", "{name} is new"),
  "operation-removed": rule("bb", "{name} is gone"),
  "operation-removed-after-sunset": rule("dd", "{name} is gone, as was announced for {before}"),
  "operation-id-added": rule("cc", "{name} now has the id {after}"),
  "operation-id-changed": rule(
    "dd",
    "{name} has the id {after} instead of {before}, by which generated clients call it",
  ),
  "operation-id-removed": rule("dd", "{name} no longer has the id {before}, by which generated clients call it"),
  "operation-deprecated": rule("cc", "{name} is now deprecated"),
  "sunset-added": rule("cc", "{name} will be gone after {after}"),
  "sunset-removed": rule("dd", "{name} is deprecated and no longer says that it stays until {before}"),
  "sunset-moved-earlier": rule("dd", "{name} will be gone after {after}, earlier than {before}"),
  "sunset-moved-later": rule("cc", "{name} will be gone after {after}, later than {before}"),
  "sunset-unreadable": rule("dd", "{name} says that it will be gone after {after}, which is not a date"),

  "stability-decreased": rule("bb", "{name} is now called {after}, less stable than {before}"),
  "stability-increased": rule("cc", "{name} is now called {after}, more stable than {before}"),

  "request-parameter-added": rule("cc", "The parameter {name} is new and optional"),
  "request-parameter-added-required": rule("bc", "The parameter {name} is new and required"),
  "request-parameter-added-required-with-default": rule(
    "dc",
    "The parameter {name} is new and required, with the default {after}",
  ),
  "request-parameter-removed": rule("db", "The parameter {name} is gone"),
  "request-parameter-became-required": rule("bc", "The parameter {name} is now required"),
  "request-parameter-became-required-with-default": rule(
    "dc",
    "The parameter {name} is now required, with the default {after}",
  ),
  "request-parameter-became-optional": rule("cb", "The parameter {name} is no longer required"),
  "request-parameter-style-changed": rule("bb", "The parameter {name} is written as {after} instead of {before}"),
  "request-parameter-content-changed": rule("bb", "The parameter {name} is written as {after} instead of {before}"),
  "request-parameter-empty-value-refused": rule("bc", "The parameter {name} may no longer be empty"),
  "request-parameter-empty-value-allowed": rule("cd", "The parameter {name} may now be empty"),
  "request-parameter-reserved-changed": rule(
    "dd",
    "Reserved characters in the parameter {name} are {after} instead of {before}",
  ),
  "request-parameter-deprecated": rule("cc", "The parameter {name} is now deprecated"),

  "request-body-added": rule("cc", "A request body is new and optional"),
  "request-body-added-required": rule("bc", "A request body is new and required"),
  "request-body-removed": rule("bb", "The request body is gone"),
  "request-body-became-required": rule("bc", "The request body is now required"),
  "request-body-became-optional": rule("cb", "The request body is no longer required"),
  "request-media-type-added": rule("cd", "The request body may now be {after}"),
  "request-media-type-removed": rule("bb", "The request body may no longer be {before}"),
  "request-encoding-type-added": rule("cd", "The part {name} may now be {after}"),
  "request-encoding-type-removed": rule("bc", "The part {name} may no longer be {before}"),
  "request-encoding-style-changed": rule("bb", "The part {name} is written as {after} instead of {before}"),
  "request-header-added": rule("cc", "The header {name} is new"),
  "request-header-added-required": rule("bc", "The header {name} is new and required"),
  "request-header-removed": rule("dd", "The header {name} is gone"),
  "request-header-removed-required": rule("db", "The header {name}, which was required, is gone"),
  "request-header-became-required": rule("bc", "The header {name} is now required"),
  "request-header-style-changed": rule("bb", "The header {name} is written as {after} instead of {before}"),
  "request-header-became-optional": rule("cb", "The header {name} is no longer required"),

  "response-success-removed": rule("bb", "The response {name} is gone"),
  "response-success-added": rule("cc", "The response {name} is new"),
  "response-error-removed": rule("db", "The response {name} is gone"),
  "response-error-added": rule("cc", "The response {name} is new"),
  "response-body-added": rule("cc", "The response {name} now has a body"),
  "response-body-removed": rule("bd", "The response {name} no longer has a body"),
  "response-media-type-added": rule("cc", "The response may now be {after}"),
  "response-media-type-removed": rule("bb", "The response can no longer be {before}"),
  "response-encoding-type-added": rule("dc", "The part {name} may now be {after}"),
  "response-encoding-type-removed": rule("cb", "The part {name} may no longer be {before}"),
  "response-encoding-style-changed": rule("bb", "The part {name} is written as {after} instead of {before}"),
  "response-header-added": rule("cc", "The header {name} is new"),
  "response-header-added-required": rule("cb", "The header {name} is new and always sent"),
  "response-header-removed": rule("dd", "The header {name} is gone"),
  "response-header-removed-required": rule("bd", "The header {name}, which was always sent, is gone"),
  "response-header-became-required": rule("cb", "The header {name} is now always sent"),
  "response-header-style-changed": rule("bb", "The header {name} is written as {after} instead of {before}"),
  "response-header-became-optional": rule("bc", "The header {name} is no longer always sent"),
  "response-link-added": rule("cc", "The link {name} is new"),
  "response-link-removed": rule("dd", "The link {name} is gone"),
  "response-link-changed": rule("dd", "The link {name} leads elsewhere"),

  ...securityRules,

  "server-added": rule("cc", "The server {after} is new"),
  "server-removed": rule("bc", "The server {before} is gone"),
  "servers-replaced": rule("bc", "None of the servers remains: {after} instead of {before}"),
  "server-variable-value-added": rule("cc", "The server variable {name} may now be {after}"),
  "server-variable-value-removed": rule("bc", "The server variable {name} may no longer be {before}"),
  "server-variable-default-changed": rule("dc", "The server variable {name} is {after} by default instead of {before}"),

  "callback-added": rule("cc", "The callback {name} is new"),
  "callback-removed": rule("bb", "The callback {name} is gone"),
  "webhook-added": rule("cc", "The webhook {name} is new"),
  "webhook-removed": rule("bb", "The webhook {name} is gone"),
} satisfies Record<string, Rule>;

export type OpenApiRuleName = keyof typeof openApiRules;
