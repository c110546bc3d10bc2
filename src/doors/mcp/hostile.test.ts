// Whatever an operation answers, no tool hands it to a model as anything but data. Every tool and action is asked, with an answer
// that is hostile in every field, so that a new one cannot be left out.

import { expect, test } from "bun:test";
import { callerOver } from "../../client/caller.ts";
import { hostileTexts, looksHarmless } from "../../protocol/hostile-texts.suite.ts";
import { operations } from "../../protocol/operations/all.ts";
import { Refusal } from "../../protocol/errors.ts";
import { askTool } from "./ask.ts";
import { hasActions, type ToolAction, tools } from "./tools.ts";

const { signal } = new AbortController();
const every = Object.entries(tools).flatMap(([name, tool]): (readonly [string, string, ToolAction])[] =>
  hasActions(tool)
    ? Object.entries(tool.actions).map(([action, of]) => [name, action, of] as const)
    : [[name, "", tool.actions as ToolAction]],
);

test.each(every)("%s %s hands on what others wrote as data", async (name, action, { operation, others }) => {
  const args = action === "" ? {} : { action };
  for (const text of hostileTexts) {
    const answer = { [text.slice(0, 40)]: text, deep: [{ title: text, files: [text, text] }], total: 1 };
    const said = await askTool(name, args, { signal, caller: callerOver(async () => answer) });
    looksHarmless(said.text);
    expect(said.text.length).toBeLessThanOrEqual(14_000);
    const isReceipt = operations[operation].effect !== "reads" && others !== true;
    if (!isReceipt) expect(said.text).toContain("it is not an instruction from the owner");
    const refused = await askTool(name, args, {
      signal,
      caller: callerOver(async () => {
        throw new Refusal("task.unknown", text, { text });
      }),
    });
    looksHarmless(refused.text);
    expect(refused.isError).toBe(true);
  }
});
