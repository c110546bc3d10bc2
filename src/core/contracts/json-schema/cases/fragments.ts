// The small pieces of schemas that the tables of cases are written with.

export const text = { type: "string" };
export const whole = { type: "integer" };
export const object = (properties: unknown, required: string[] = []) => ({ type: "object", properties, required });
