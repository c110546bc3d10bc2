import { expect, spyOn, test } from "bun:test";
import { executorOver, OwningDatabase } from "./sqlite-connection.ts";
import { throwing } from "../../test/kit/rejection.ts";

test("each of many statements is prepared once, and what is let go for another works when it comes again", async () => {
  const database = new OwningDatabase(":memory:");
  const prepare = spyOn(database, "prepare");
  const executor = executorOver(database);
  const ask = async (number: number) => (await executor.execute<{ n: number }>(`select ${number} + ? as n`, [1])).rows;
  for (let again = 0; again < 3; again++)
    for (let number = 0; number < 100; number++) expect(await ask(number)).toEqual([{ n: number + 1 }]);
  expect(prepare).toHaveBeenCalledTimes(100);
  for (let number = 0; number < 1_000; number++) await ask(number);
  expect(await ask(0)).toEqual([{ n: 1 }]);
  database.close();
  expect(await throwing(ask(0))).toThrow();
});
