/** What the compiler cannot read from break-line.mjs, which Node runs as it is. */
export function chooseFile(
  folder: string,
  files: readonly string[],
  readText: (path: string) => string,
): string | undefined
export function breakLine(text: string): string
