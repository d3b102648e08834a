/** The oracle of the tests is a second opinion on the books: worth nothing once it asks what it judges. */
import { type ProjectFile, type Violation, isCode } from './project.ts'
import { importsOf, placeOf, resolveImport } from './syntax.ts'

const ORACLE = 'apps/server/src/testing/oracle/'
/** A second opinion is read whole. Comments and empty lines are not counted. */
const ORACLE_LINES = 600

const isOracle = ({ path }: ProjectFile): boolean => path.startsWith(ORACLE) && isCode(path)
/** Its examples may use the test runner. */
const isExample = (path: string): boolean => /\.test\.ts$|\/worked\.ts$/.test(path)

/** It imports itself and Node alone, not even types of ours. The figures of the countries it reads as data. */
export function breaksOracle(files: readonly ProjectFile[]): Violation[] {
  return files.filter(isOracle).flatMap((file) =>
    importsOf(file).flatMap(({ specifier, node }) => {
      const isOwn = resolveImport(file.path, specifier)?.startsWith(ORACLE) === true
      const isRunner = specifier === 'vitest' && isExample(file.path)
      return isOwn || isRunner || specifier.startsWith('node:')
        ? []
        : [`${placeOf(file, node)} imports ${specifier}: the oracle asks nobody`]
    }),
  )
}

export function findLongOracle(files: readonly ProjectFile[]): Violation[] {
  const lines = files
    .filter((file) => isOracle(file) && !isExample(file.path))
    .reduce(
      (sum, { text }) => sum + text.split('\n').filter((line) => !/^\s*($|\/?\*|\/\/)/.test(line)).length,
      0,
    )
  return lines < ORACLE_LINES ? [] : [`${ORACLE} has ${lines} lines, fewer than ${ORACLE_LINES} are allowed`]
}
