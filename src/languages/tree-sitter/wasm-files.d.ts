// A WASM file imported `with { type: "file" }` is its path, on disk or inside the compiled program.
declare module "*.wasm" {
  const path: string;
  export default path;
}
