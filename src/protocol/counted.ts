// A number with its noun, as people write it: 1 finding, 2 findings, 0 findings.

export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${nounFor(count, one, several)}`;
}

/** The noun alone, where the number is not said: task 3, tasks 3 and 5. */
export const nounFor = (count: number, one: string, several = `${one}s`): string => (count === 1 ? one : several);
