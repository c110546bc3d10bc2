// Every rule of AsyncAPI that is not about a schema (those are in schema/schema-rules.ts). The three letters are the verdicts for what
// the application receives (publish), for what it sends (subscribe), and where no operation says which: b breaking, d dangerous,
// c compatible.

import { securityRules } from "../credentials.ts";
import { rule, type Rule } from "../rule.ts";

export const asyncApiRules = {
  "channel-added": rule("ccc", "The channel {name} is new"),
  "channel-removed": rule("bbb", "The channel {name} is gone"),
  "channel-address-changed": rule("bbb", "The channel {name} has the address {after} instead of {before}"),
  "channel-server-added": rule("ccc", "The channel {name} is now also on the server {after}"),
  "channel-server-removed": rule("bbb", "The channel {name} is no longer on the server {before}"),
  "channel-parameter-location-changed": rule("ddd", "The parameter {name} is taken from {after} instead of {before}"),

  "operation-added": rule("ccc", "{name} is new"),
  "operation-removed": rule("bbb", "{name} is gone"),
  "operation-id-changed": rule("ddd", "{name} is called {after} instead of {before}, which generated code uses"),
  "reply-added": rule("cdd", "{name} now has a reply"),
  "reply-removed": rule("bcb", "{name} no longer has a reply"),
  "reply-address-changed": rule("bbb", "The reply to {name} goes to {after} instead of {before}"),

  "message-added": rule("cdd", "The message {name} is new"),
  "message-removed": rule("bbb", "The message {name} is gone"),
  "message-name-changed": rule("ddd", "The message {before} is now called {after}"),
  "message-content-type-changed": rule("bbb", "The message {name} is written as {after} instead of {before}"),
  "message-content-type-said": rule("ddd", "The message {name} is written as {after}, where {before} was said"),
  "message-schema-format-changed": rule("bbb", "The payload of {name} is described in {after} instead of {before}"),
  "message-payload-not-judged": rule("ddd", "The payload of {name} changed, and a schema in {after} is not judged"),
  "message-correlation-id-added": rule("dcd", "The message {name} now has a correlation id at {after}"),
  "message-correlation-id-removed": rule("cbd", "The message {name} no longer has a correlation id at {before}"),
  "message-correlation-id-changed": rule("bbb", "The correlation id of {name} is at {after} instead of {before}"),

  "binding-added": rule("ddd", "The binding {name} is new: {after}"),
  "binding-removed": rule("ddd", "The binding {name} is gone: {before}"),
  "binding-changed": rule("ddd", "The binding {name} changed from {before} to {after}"),
  "binding-target-changed": rule(
    "bbb",
    "The binding {name}, by which others connect, changed from {before} to {after}",
  ),

  "server-added": rule("ccc", "The server {name} is new"),
  "server-removed": rule("bbb", "The server {name} is gone"),
  "servers-replaced": rule("bbb", "None of the servers remains: {after} instead of {before}"),
  "server-address-changed": rule("bbb", "The server {name} is at {after} instead of {before}"),
  "server-protocol-changed": rule("bbb", "The server {name} speaks {after} instead of {before}"),
  "server-protocol-version-changed": rule("ddd", "The server {name} speaks version {after} instead of {before}"),
  "server-variable-value-added": rule("ccc", "The server variable {name} may now be {after}"),
  "server-variable-value-removed": rule("bbb", "The server variable {name} may no longer be {before}"),
  "server-variable-default-changed": rule(
    "ddd",
    "The server variable {name} is {after} by default instead of {before}",
  ),
  ...securityRules,
} satisfies Record<string, Rule>;

export type AsyncApiRuleName = keyof typeof asyncApiRules;

/** Rules that judge differently by direction have it in front of their id, as those about schemas do. */
export function dependsOnDirection(name: AsyncApiRuleName): boolean {
  const { verdicts } = asyncApiRules[name];
  return !name.startsWith("security-") && (verdicts.in !== verdicts.out || verdicts.in !== verdicts.both);
}
