/** What a source file brings along: chunks and their words are cut by it. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const STATEMENT = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm
const OURS = /^@kvitt\/([^/]+)\/(.+)$/

/** The file that `name` means in `file`; undefined for what is not our own. */
function fileOf(name: string, file: string, packages: string): string | undefined {
  if (name.startsWith('.')) return resolve(file, '..', name)
  const [, folder, rest] = OURS.exec(name) ?? []
  return folder && rest ? join(packages, folder, 'src', rest) : undefined
}

/**
 * `entries` and all of our own files that are loaded with them: by statements, not by `import()`.
 * @param packages the folder that holds what `@kvitt/` names
 */
export function reachOf(entries: readonly string[], packages: string): ReadonlySet<string> {
  const reached = new Set<string>()
  const visit = (file: string): void => {
    if (reached.has(file)) return
    reached.add(file)
    if (!/\.tsx?$/.test(file)) return
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(STATEMENT)) {
      const next = fileOf(name, file, packages)
      if (next) visit(next)
    }
  }
  for (const entry of entries) visit(resolve(entry))
  return reached
}

/** What `file` fetches later, and the words before each `import(`: how it is waited for. */
export function laterOf(file: string, packages: string): readonly { file: string; before: string }[] {
  return [...readFileSync(file, 'utf8').matchAll(/(\S*)import\('([^']+)'\)/g)].flatMap(
    ([, before = '', name = '']) => {
      const next = fileOf(name, file, packages)
      return next ? [{ file: next, before }] : []
    },
  )
}
