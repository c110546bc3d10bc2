// A number with its noun, as people write it: 1 finding, 2 findings, 0 findings.

export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
