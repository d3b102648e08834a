/** TypeScript files as syntax trees, so that no rule is fooled by a comment or a text. */
import { parseSync } from 'oxc-parser'
import type { ProjectFile } from './project.ts'

/** An ESTree node: a type, a place in the text, and whatever the type carries. */
export type Node = { readonly type: string; readonly start: number; readonly end: number } & {
  readonly [field: string]: unknown
}

type Comment = { readonly text: string; readonly start: number }
type Parsed = { readonly tree: Node; readonly comments: readonly Comment[] }

const parsed = new WeakMap<ProjectFile, Parsed>()

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

/** Throws when the parser cannot read it. */
function parse(file: ProjectFile): Parsed {
  const known = parsed.get(file)
  if (known) return known
  const { program, errors, comments } = parseSync(file.path, file.text)
  if (errors.length > 0) throw new SyntaxError(`${file.path}: ${errors[0]?.message}`)
  const made = {
    tree: program as unknown as Node,
    comments: comments.map(({ value, start }) => ({ text: value, start })),
  }
  parsed.set(file, made)
  return made
}

/** The tree of the file. Throws when the parser cannot read it. */
export const treeOf = (file: ProjectFile): Node => parse(file).tree

/** The comments of the file, each from the first sign of its text. Throws when the parser cannot read it. */
export const commentsOf = (file: ProjectFile): readonly Comment[] => parse(file).comments

/** Calls `visit` for the node and everything below it, parents first. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const value of Object.values(node)) {
    if (isNode(value)) walk(value, visit)
    else if (Array.isArray(value)) for (const item of value) if (isNode(item)) walk(item, visit)
  }
}

/** All nodes of the file for which `wanted` is true. */
export function findNodes(file: ProjectFile, wanted: (node: Node) => boolean): Node[] {
  const found: Node[] = []
  walk(treeOf(file), (node) => {
    if (wanted(node)) found.push(node)
  })
  return found
}

/** "path:line" of a node. */
export function placeOf(file: ProjectFile, node: Node): string {
  return `${file.path}:${file.text.slice(0, node.start).split('\n').length}`
}

export type Import = {
  readonly specifier: string
  /** Erased by the compiler: `import type`, `export type … from`, a type `import('…')`. */
  readonly typeOnly: boolean
  readonly node: Node
}

const imports = new WeakMap<ProjectFile, Import[]>()

/** Everything that the file imports or exports from elsewhere, also dynamically. */
export function importsOf(file: ProjectFile): Import[] {
  const known = imports.get(file)
  if (known) return known
  const found = findImports(file)
  imports.set(file, found)
  return found
}

function findImports(file: ProjectFile): Import[] {
  return findNodes(file, (node) => isNode(node.source) && node.source.type === 'Literal').flatMap((node) => {
    const specifier = (node.source as Node).value
    if (typeof specifier !== 'string') return []
    const typeOnly = node.importKind === 'type' || node.exportKind === 'type' || node.type === 'TSImportType'
    return [{ specifier, typeOnly, node }]
  })
}

const WORKSPACES: readonly (readonly [string, string])[] = [
  ['@kvitt/domain/', 'packages/domain/src/'],
  ['@kvitt/ui/', 'packages/ui/src/'],
  ['@kvitt/office/', 'packages/office/src/'],
  ['@kvitt/site/', 'packages/site/src/'],
]

/** The project path that `specifier` means in the file at `path`; undefined for packages and node:. */
export function resolveImport(path: string, specifier: string): string | undefined {
  for (const [prefix, folder] of WORKSPACES) {
    if (specifier.startsWith(prefix)) return folder + specifier.slice(prefix.length)
  }
  if (!specifier.startsWith('.')) return undefined
  const parts = path.split('/').slice(0, -1)
  for (const part of specifier.replace(/\?.*$/, '').split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}
