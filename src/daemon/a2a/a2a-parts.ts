// Puts together what the verbs of A2A are given: the owner's settings, read once.

import { complaintAboutPush } from "../../host/a2a/push-address.ts";
import type { A2aWishes } from "../../ports/a2a.ts";
import { a2aRule } from "../../protocol/a2a.ts";
import type { Settings } from "../../settings/settings.ts";

export function a2aWishes({ config, root }: Pick<Settings, "config" | "root">): A2aWishes {
  const rules = config["a2a.accept"].flatMap((rule) => {
    const [, sender, skill, repository] = a2aRule.exec(rule) ?? [];
    return sender === undefined || skill === undefined ? [] : [{ sender, skill, repository }];
  });
  const allowed = config["a2a.push_allow"];
  return {
    isEnabled: config["a2a.enabled"],
    rules,
    root,
    complaintAboutPush: (push) => complaintAboutPush(push, allowed),
  };
}
