// The quick program is built to start fast and compile little of what it runs (scripts/build-quick.ts). What stays, or works for long, begins with
// this: from then on it is compiled as everything is. Each thread says it for itself.

export function compileAsUsual(): void {
  Bun.unsafe.setJITPolicy(1);
}
