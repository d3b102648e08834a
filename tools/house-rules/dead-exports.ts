/** What the product exports is used by the product: what only tests use is dead. */
import { type ProjectFile, type Violation, isCode, isProduct, isTest } from './project.ts'
import { type Node, importsOf, placeOf, resolveImport, treeOf, walk } from './syntax.ts'

/** Vectors prove whole formats, and the lab shows what there is: both are users. Tests and benchmarks are not. */
function looksOn(path: string): boolean {
  return isTest(path) || path.startsWith('bench/')
}

const nameIn = (node: Node): string => String(node.name ?? node.value)

/** The names that the file declares and exports, with where. */
function exportsOf(file: ProjectFile): (readonly [string, Node])[] {
  return (treeOf(file).body as Node[])
    .filter((node) => node.type === 'ExportNamedDeclaration' && !node.source)
    .flatMap((node) => {
      const declared = node.declaration as Node | null
      const parts = (declared ? (declared.declarations ?? [declared]) : node.specifiers) as Node[]
      return parts.flatMap((part) => {
        const id = (declared ? part.id : part.local) as Node | null
        return id?.type === 'Identifier' ? [[nameIn(id), part] as const] : []
      })
    })
}

/** What an import takes: names, or "*" where it takes the file as a whole or says no name. */
function takenBy(node: Node): string[] {
  const specifiers = node.specifiers as Node[] | undefined
  if (!specifiers || specifiers.length === 0) return ['*']
  return specifiers.map((one) => {
    if (one.type === 'ImportSpecifier') return nameIn(one.imported as Node)
    return one.type === 'ExportSpecifier' ? nameIn(one.local as Node) : '*'
  })
}

/** The names that the file uses somewhere besides where it declares and exports them. */
function usedInside(file: ProjectFile): Set<string> {
  const seen = new Map<string, Set<number>>()
  const isKey = new Set<unknown>()
  walk(treeOf(file), (node) => {
    if (!node.computed) {
      if (node.type === 'MemberExpression') isKey.add(node.property)
      if (['Property', 'PropertyDefinition', 'TSPropertySignature'].includes(node.type)) isKey.add(node.key)
    }
    if (node.type === 'ExportSpecifier') for (const name of [node.local, node.exported]) isKey.add(name)
    if (!['Identifier', 'JSXIdentifier'].includes(node.type) || isKey.has(node)) return
    const name = nameIn(node)
    seen.set(name, (seen.get(name) ?? new Set()).add(node.start))
  })
  return new Set([...seen].filter(([, places]) => places.size > 1).map(([name]) => name))
}

/** Exports of the product that tests or benchmarks import, and nothing else uses, their own file included. */
export function findDeadExports(files: readonly ProjectFile[]): Violation[] {
  const [byProduct, byTests] = [new Set<string>(), new Set<string>()]
  for (const file of files.filter(({ path }) => isCode(path))) {
    const uses = looksOn(file.path) ? byTests : byProduct
    for (const { specifier, node } of importsOf(file)) {
      const to = resolveImport(file.path, specifier)
      if (to !== undefined) for (const name of takenBy(node)) uses.add(`${to} ${name}`)
    }
  }
  return files
    .filter((file) => isProduct(file.path) && !byProduct.has(`${file.path} *`))
    .flatMap((file) => {
      const dead = exportsOf(file).filter(([name]) => {
        const key = `${file.path} ${name}`
        return byTests.has(key) && !byProduct.has(key)
      })
      if (dead.length === 0) return []
      const inside = usedInside(file)
      return dead
        .filter(([name]) => !inside.has(name))
        .map(([name, node]) => `${placeOf(file, node)} ${name}: only tests use it`)
    })
}
