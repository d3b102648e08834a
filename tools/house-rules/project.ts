/** The project as the house rules see it: paths from its root, and text. */
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

export type ProjectFile = { readonly path: string; readonly text: string }

/** A broken rule, as "path:line why" or "path why". */
export type Violation = string

const ROOT = join(import.meta.dirname, '..', '..')
const OWN_PLACES = ['.ci', 'apps', 'bench', 'deploy', 'docs', 'e2e', 'packages', 'tools']
const NOT_OURS = new Set(['node_modules', 'dist', 'coverage', 'package-lock.json'])
const TEXT = /\.(ts|tsx|mjs|css|html|json|md|sql|sh|yml|yaml|svg)$|(^|\/)run$/

function list(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (NOT_OURS.has(entry.name)) return []
    if (entry.isDirectory()) {
      const isOwn = folder === '' ? OWN_PLACES.includes(entry.name) : !entry.name.startsWith('.')
      return isOwn ? list(path) : []
    }
    return entry.isFile() ? [path] : []
  })
}

/** Every path of the project, also of files that are not text. */
export function listProject(): string[] {
  return list('').sort()
}

/** What was read before, so that a file is read and parsed once for all rules of a worker of the test runner. */
const known = new Map<
  string,
  { readonly file: ProjectFile; readonly mtimeMs: number; readonly size: number }
>()

/** Every text file of the project. Other programs may remove a file meanwhile; it is left out. */
export function readProject(): ProjectFile[] {
  return listProject()
    .filter((path) => TEXT.test(path))
    .flatMap((path) => {
      try {
        return [readFile(path)]
      } catch {
        return []
      }
    })
}

function readFile(path: string): ProjectFile {
  const place = join(ROOT, path)
  const { mtimeMs, size } = statSync(place)
  const before = known.get(path)
  if (before?.mtimeMs === mtimeMs && before.size === size) return before.file
  const file = { path, text: readFileSync(place, 'utf8') }
  known.set(path, { file, mtimeMs, size })
  return file
}

export function isCode(path: string): boolean {
  return /\.(ts|tsx|mjs)$/.test(path)
}

/** Code that runs in tests only. */
export function isTest(path: string): boolean {
  return /\.(test|spec)\.tsx?$/.test(path) || /\/testing\//.test(path) || path.startsWith('e2e/')
}

/** Code that ships: neither a test nor a tool. */
export function isProduct(path: string): boolean {
  return (
    isCode(path) &&
    !isTest(path) &&
    /^((apps|packages)\/[^/]+\/src|apps\/server\/(commands|config))\//.test(path)
  )
}
