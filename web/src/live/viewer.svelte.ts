// Who looks, as the page knows it. The daemon decides; this only spares an observer buttons that would be refused.

export const viewer = $state({ role: "owner" as string, constellation: "" });

export const mayAct = (): boolean => viewer.role !== "observer";
