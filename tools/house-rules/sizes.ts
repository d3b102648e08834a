/** How much a reader has to hold in mind at once. */
import { type ProjectFile, type Violation, isCode, isTest } from './project.ts'
import { type Node, findNodes, placeOf } from './syntax.ts'

/** Tables of cases make a test long without making it hard. */
const FILE_LINES = 320
const TEST_FILE_LINES = 600
const FUNCTION_LINES = 80
const PARAMETERS = 4

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
