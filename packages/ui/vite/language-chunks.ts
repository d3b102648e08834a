/**
 * Turns message files into lazy chunks, several for each language: `virtual:language/sv` has what the first screen
 * says, and so on. Messages come compiled, so no message syntax is parsed in the browser.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'
import { withPlainPlurals } from './plain-plurals.ts'
import { laterOf, reachOf } from './reach.ts'

/** A chunk of every language. */
type Part = {
  readonly name: string
  /** What is said by these and by what they load at once stands in this chunk, unless it stands in an earlier one. */
  readonly files: readonly string[]
  /** Waits for the words of this chunk and of those before it: `waits(import('./page.tsx'))`. */
  readonly waits: RegExp
}

export type LanguageOptions = {
  /** Each holds `{language}.json`; an id that stands in two of them is an error. */
  readonly folders: readonly string[]
  /** Where messages are used. */
  readonly sources: readonly string[]
  /** The folder that holds what `@kvitt/` names. */
  readonly packages: string
  /** The last one also has what no file of another one says. */
  readonly parts: readonly Part[]
}

const listSources = ({ sources }: LanguageOptions): string[] =>
  sources.flatMap((source) =>
    readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
      .map((name) => resolve(join(source, name))),
  )

/** Everything that looks like an id in a file. */
function idsIn(file: string): string[] {
  if (!/\.tsx?$/.test(file)) return []
  return [...readFileSync(file, 'utf8').matchAll(/['"]([a-z_]+\.[\w.-]+)['"]/g)].map(([, id]) => id ?? '')
}

/** What ids that are put together begin with, such as `task.${kind}`. */
function stemsIn(file: string): string[] {
  if (!/\.tsx?$/.test(file)) return []
  return [...readFileSync(file, 'utf8').matchAll(/`([a-z_]+\.[\w.-]*)\$\{/g)].map(([, stem]) => stem ?? '')
}

/** The messages that `files` and what they load at once may say. */
function saidBy(files: readonly string[], packages: string, known: ReadonlySet<string>): Set<string> {
  const reached = [...reachOf(files, packages)]
  const stems = [...new Set(reached.flatMap(stemsIn))]
  const put = [...known].filter((id) => stems.some((stem) => id.startsWith(stem)))
  return new Set([...reached.flatMap(idsIn), ...put])
}

/** The number of the chunk in which each id stands; one that is missing stands in the last. */
function placeIds({ parts, packages }: LanguageOptions, known: ReadonlySet<string>): Map<string, number> {
  const places = new Map<string, number>()
  for (const [place, { files }] of parts.entries()) {
    for (const id of saidBy(files, packages, known)) if (!places.has(id)) places.set(id, place)
  }
  return places
}

/** What is fetched later has to wait for its words. Throws an error that names the first that does not. */
function checkWaits(
  options: LanguageOptions,
  known: ReadonlySet<string>,
  placeOf: (id: string) => number | undefined,
): void {
  for (const source of listSources(options)) {
    for (const { file, before } of laterOf(source, options.packages)) {
      const awaited = options.parts.findLastIndex(({ waits }) => waits.test(before))
      const missing = [...saidBy([file], options.packages, known)].find((id) => (placeOf(id) ?? 0) > awaited)
      if (missing) throw new Error(`${source} fetches ${file}, but not the words that have "${missing}"`)
    }
  }
}

type Files = { readonly file: string; readonly messages: Readonly<Record<string, string>> }[]

function readMessages({ folders }: LanguageOptions, language: string): Files {
  return folders.map((folder) => {
    const file = resolve(folder, `${language}.json`)
    return { file, messages: JSON.parse(readFileSync(file, 'utf8')) as Record<string, string> }
  })
}

export function languageChunks(options: LanguageOptions): Plugin {
  const names = options.parts.map(({ name }) => name).join('|')
  const virtual = new RegExp(`^virtual:(${names})/(\\w+)$`)
  const resolved = new RegExp(`^\\0(${names}):(\\w+)$`)
  const last = options.parts.length - 1
  let places = new Map<string, number>()
  return {
    name: 'language-chunks',
    buildStart() {
      const known = new Set(readMessages(options, 'sv').flatMap(({ messages }) => Object.keys(messages)))
      places = placeIds(options, known)
      checkWaits(options, known, (id) => (known.has(id) ? (places.get(id) ?? last) : undefined))
    },
    resolveId(id) {
      const [, part, language] = virtual.exec(id) ?? []
      return part ? `\0${part}:${language}` : undefined
    },
    load(id) {
      const [, part, language] = resolved.exec(id) ?? []
      if (!part || !language) return undefined
      const wanted = options.parts.findIndex(({ name }) => name === part)
      const seen = new Set<string>()
      const compiled: Record<string, unknown> = {}
      for (const { file, messages } of readMessages(options, language)) {
        this.addWatchFile(file)
        for (const [key, message] of Object.entries(messages)) {
          if (seen.has(key)) throw new Error(`${file}: "${key}" has been defined already`)
          seen.add(key)
          if ((places.get(key) ?? last) !== wanted) continue
          compiled[key] = withPlainPlurals(compileMessage(message), language)
        }
      }
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(compiled))})`
    },
  }
}
