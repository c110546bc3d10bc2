// Changes of what a function gives, with its callers: the result comes inside a tuple or a mapping now, and each call takes it out.

import type { TextEdit } from "./language-server.ts";
import { insert, type Spot } from "./project.ts";
import type { Attempt } from "./attempt.ts";
import { apply, nameOf } from "./refactor-names.ts";
import { callsOf, pickFunction } from "./refactor-signatures.ts";

const ways = {
  tuple: { open: "(", close: ", None)", promise: ["tuple[", ", None]"], taken: "[0]" },
  dict: { open: '{"it": ', close: "}", promise: ["dict[str, ", "]"], taken: '["it"]' },
} as const;

export function wrapResult(way: keyof typeof ways): Attempt {
  const { open, close, promise, taken } = ways[way];
  return async (project, server, chance) => {
    const target = pickFunction(
      project,
      chance,
      (one) =>
        (one.results ?? []).length > 0 &&
        one.isAsync === false &&
        one.awaits === false &&
        one.decorators.every((text) => /^(static|class)method$/.test(text)) &&
        !one.name.startsWith("__") &&
        !/TypeGuard|TypeIs|NoReturn|Never/.test(one.returns ?? ""),
    );
    if (target === undefined) return undefined;
    const calls = callsOf(project, target, await server.references(target), undefined);
    if (calls === undefined) return undefined;
    const around = (begin: string, end: string, at: { begin: Spot; end: Spot }): Omit<TextEdit, "path">[] => [
      insert(at.begin, begin),
      insert(at.end, end),
    ];
    const own = [
      ...(target.results ?? []).flatMap((at) => around(`${open}(`, `)${close}`, at)),
      ...(target.returnsAt == null ? [] : around(promise[0], promise[1], target.returnsAt)),
    ].map((edit) => ({ path: target.path, ...edit }));
    // A call inside another's arguments has its own edits; two at one place would come in the wrong order.
    const files = apply(project, [...own, ...calls.map(({ path, call }) => ({ path, ...insert(call.end, taken) }))]);
    return files && { what: `${nameOf(target)} gives a ${way}`, target, results: true, files, moved: new Map() };
  };
}
