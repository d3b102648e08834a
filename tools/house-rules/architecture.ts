/** What a page says of the tree is so: its paths exist, and a name stands in a file that is named on the same line. */
import type { ProjectFile, Violation } from './project.ts'

const ENDING = /\.(tsx?|mjs|css|html|json|md|sql)$/
const PATH = /^\w[\w-]*(\.[\w-]+)*(\/[\w.-]+)*\/?$/
const NAME = /^[A-Za-z_]\w*$/

function isPath(text: string): boolean {
  return PATH.test(text) && (text.includes('/') || ENDING.test(text))
}

/** Code spans of a line; in a drawing, which has none, its words. */
function namedOn(line: string, isDrawing: boolean): string[] {
  if (isDrawing) return line.split(/\s+/).filter(isPath)
  return [...line.matchAll(/`([^`]+)`/g)].map(([, span]) => span ?? '')
}

/** Where a path leads: it may leave out its beginning. A folder leads to what is in it. */
function pathsFor(named: string, paths: readonly string[]): string[] {
  const wanted = named.replace(/\/$/, '')
  return paths.filter((path) =>
    ENDING.test(wanted) ? `/${path}`.endsWith(`/${wanted}`) : `/${path}`.includes(`/${wanted}/`),
  )
}

type NamedLine = {
  readonly place: string
  readonly spans: readonly string[]
  readonly paths: readonly string[]
}

function linesOf(page: ProjectFile): NamedLine[] {
  let isDrawing = false
  return page.text.split('\n').flatMap((line, index) => {
    if (line.startsWith('```')) isDrawing = !isDrawing
    const spans = namedOn(line, isDrawing)
    return [{ place: `${page.path}:${index + 1}`, spans, paths: spans.filter(isPath) }]
  })
}

/** Paths that lead nowhere. Ways of an address (`/api/...`) and packages (`@...`) are no paths. */
export function findLostPaths(page: ProjectFile, files: readonly ProjectFile[]): Violation[] {
  const all = files.map((file) => file.path)
  return linesOf(page).flatMap(({ place, paths }) =>
    paths.filter((path) => pathsFor(path, all).length === 0).map((path) => `${place} ${path} does not exist`),
  )
}

/** Names that are in none of the files on their line. A line without a path is not asked. */
export function findLostNames(page: ProjectFile, files: readonly ProjectFile[]): Violation[] {
  return linesOf(page).flatMap(({ place, spans, paths }) => {
    const all = files.map((file) => file.path)
    const beside = new Set(paths.flatMap((path) => pathsFor(path, all)))
    const texts = files.filter((file) => beside.has(file.path)).map((file) => file.text)
    return spans
      .filter((span) => NAME.test(span) && paths.length > 0)
      .filter((name) => !texts.some((text) => new RegExp(`\\b${name}\\b`).test(text)))
      .map((name) => `${place} ${name} is in none of the files on this line`)
  })
}
