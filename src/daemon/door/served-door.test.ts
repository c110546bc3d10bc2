import { expect, test } from "bun:test";
import { networkOf, servedAddresses } from "./served-door.ts";

test("a request names it by one of its names, whatever the port; a wildcard stands for one label", () => {
  const { isHost } = servedAddresses(["desk.example", "*.team.example", "2001:db8::1"], true);
  for (const host of ["desk.example", "DESK.example:7434", "ann.team.example:1", "[2001:db8::1]:7434"])
    expect([host, isHost(host)]).toEqual([host, true]);
  for (const host of [
    "",
    "desk.example.evil",
    "team.example",
    ".team.example",
    "a.b.team.example",
    "desk.example:x",
    "desk.example:1@evil",
    "2001:db8::1",
  ])
    expect([host, isHost(host)]).toEqual([host, false]);
});

test("a page is its own when it is of the very host that was asked; in plain a proxy may have added TLS", () => {
  const secured = servedAddresses(["desk.example"], true);
  const plain = servedAddresses(["desk.example"], false);
  expect(secured.isOrigin("https://desk.example:7434", "desk.example:7434")).toBe(true);
  expect(secured.isOrigin("http://desk.example:7434", "desk.example:7434")).toBe(false);
  expect(secured.isOrigin("https://desk.example", "desk.example:7434")).toBe(false);
  expect([
    plain.isOrigin("https://desk.example", "desk.example"),
    plain.isOrigin("http://desk.example", "desk.example"),
  ]).toEqual([true, true]);
  expect(plain.isOrigin("null", "desk.example")).toBe(false);
});

test("whoever has a network of 2^64 addresses is one", () => {
  expect(networkOf("::ffff:192.0.2.7")).toBe("192.0.2.7");
  expect(networkOf("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2");
  expect(networkOf("2001:db8::9")).toBe(networkOf("2001:db8::1"));
  expect(networkOf("::1")).not.toBe(networkOf("2001:db8::1"));
});
