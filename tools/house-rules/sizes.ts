/** How much a reader has to hold in mind at once. */
import { type ProjectFile, type Violation, isCode, isTest } from './project.ts'
import { type Node, findNodes, placeOf } from './syntax.ts'

/** Tables of cases make a test long without making it hard. */
const FILE_LINES = 320
const TEST_FILE_LINES = 600
const FUNCTION_LINES = 80
const PARAMETERS = 4
/** Files of a folder that are read at a glance. Tests, and styles beside their component, are not counted. */
const FOLDER_FILES = 25
const BESIDE_ANOTHER = /\.((test|spec)\.tsx?|module\.css)$/
const FOLDERS_BELOW_SRC = 3
/** Rows in the order of their numbers, which nobody looks through. */
const NUMBERED = ['apps/server/migrations', 'docs/decisions']

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

export function findLongFiles(files: readonly ProjectFile[]): Violation[] {
  return files
    .filter(({ path }) => isCode(path) || path.endsWith('.css'))
    .flatMap(({ path, text }) => {
      const lines = text.trimEnd().split('\n').length
      const most = isTest(path) ? TEST_FILE_LINES : FILE_LINES
      return lines > most ? [`${path} has ${lines} lines, ${most} are the most`] : []
    })
}

/** Folders whose contents nobody sees at a glance, and files too deep to be found. */
export function findFullFolders(paths: readonly string[]): Violation[] {
  const counts = new Map<string, number>()
  for (const path of paths.filter((one) => !BESIDE_ANOTHER.test(one))) {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    if (!NUMBERED.includes(folder)) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const full = [...counts].filter(([, count]) => count > FOLDER_FILES)
  const deep = paths.filter((path) => {
    const below = /\/src\/(.*)$/.exec(path)?.[1] ?? ''
    return below.split('/').length - 1 > FOLDERS_BELOW_SRC
  })
  return [
    ...full.map(([folder, count]) => `${folder}/ has ${count} files, ${FOLDER_FILES} are the most`),
    ...deep.map((path) => `${path} is more than ${FOLDERS_BELOW_SRC} folders deep below src`),
  ]
}

export function findLongFunctions(files: readonly ProjectFile[]): Violation[] {
  return functionsOf(files).flatMap(({ file, node }) => {
    const lines = file.text.slice(node.start, node.end).split('\n').length
    return lines > FUNCTION_LINES
      ? [`${placeOf(file, node)} a function of ${lines} lines, ${FUNCTION_LINES} are the most`]
      : []
  })
}

export function findManyParameters(files: readonly ProjectFile[]): Violation[] {
  return functionsOf(files).flatMap(({ file, node }) => {
    const count = (node.params as Node[]).length
    return count > PARAMETERS
      ? [`${placeOf(file, node)} ${count} parameters, ${PARAMETERS} are the most`]
      : []
  })
}

function functionsOf(files: readonly ProjectFile[]): { file: ProjectFile; node: Node }[] {
  return files
    .filter(({ path }) => isCode(path) && !isTest(path))
    .flatMap((file) => findNodes(file, (node) => FUNCTIONS.has(node.type)).map((node) => ({ file, node })))
}
