/** Files that somebody may renew while the program runs, such as certificates and their keys. */
import { statSync } from 'node:fs'

/**
 * Answers what is made of the files: made again when one of them is another than it was, which is looked at with every
 * call. While they cannot be used, for they are written one after the other, what was made before holds. Throws when
 * there is none yet.
 */
export function openRenewed<Made>(files: readonly string[], make: () => Made): () => Made {
  let known: { readonly stamp: string; readonly made: Made } | undefined
  return () => {
    try {
      const stamp = files.map(stampOf).join()
      if (known?.stamp !== stamp) known = { stamp, made: make() }
    } catch (error) {
      if (known === undefined) throw error
    }
    return known.made
  }
}

function stampOf(file: string): string {
  const { ino, size, mtimeMs } = statSync(file)
  return `${ino} ${size} ${mtimeMs}`
}
