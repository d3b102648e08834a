// A line that is broken on purpose, so that it can be seen who finds it.

const QUERY = /(?<=\n\s+)where (?=[a-z(])/
const ANSWER = /\n( +)return (?!\()/

/**
 * The file of a folder to break: of those that have such a line the one that says most.
 * @returns {string | undefined} nothing where no file has one
 */
export function chooseFile(folder, files, readText) {
  return files
    .filter(
      (path) =>
        path.startsWith(folder) && /\.tsx?$/.test(path) && !/\.(?:test|contract)\.|\/testing\//.test(path),
    )
    .filter((path) => breakLine(readText(path)) !== readText(path))
    .toSorted((one, other) => readText(other).length - readText(one).length)[0]
}

/** The text with its first statement finding nothing, or else its first answer refused. */
export function breakLine(text) {
  if (QUERY.test(text)) return text.replace(QUERY, 'where false and ')
  return text.replace(ANSWER, "\n$1if ([].length === 0) throw new Error('broken on purpose')\n$1return ")
}
