// Markdown files are imported as text, so that the single-file program carries them.

declare module "*.md" {
  const text: string;
  export default text;
}
