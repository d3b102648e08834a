/**
 * Turns message files into two lazy chunks per language: `virtual:language/sv` has what the first screen says,
 * `virtual:words/sv` everything else. Messages come compiled, so no message syntax is parsed in the browser.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

const VIRTUAL = /^virtual:(language|words)\/(\w+)$/
const RESOLVED = /^\0(language|words):(\w+)$/

export type LanguageOptions = {
  /** Each holds `{language}.json`; an id that stands in two of them is an error. */
  readonly folders: readonly string[]
  /** Where messages are used. */
  readonly sources: readonly string[]
  /** Is this source file fetched after the first screen? */
  readonly isLater: (file: string) => boolean
}

/** Everything that looks like an id in the sources of the first screen. */
function findFirstIds({ sources, isLater }: LanguageOptions): Set<string> {
  const ids = new Set<string>()
  for (const source of sources) {
    for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
      const file = join(source, name)
      if (!/\.tsx?$/.test(name) || /\.test\.tsx?$/.test(name) || isLater(file)) continue
      for (const [, id] of readFileSync(file, 'utf8').matchAll(/['"]([a-z_]+\.[\w.]+)['"]/g))
        ids.add(id ?? '')
    }
  }
  return ids
}

export function languageChunks(options: LanguageOptions): Plugin {
  return {
    name: 'language-chunks',
    resolveId(id) {
      const [, part, language] = VIRTUAL.exec(id) ?? []
      return part ? `\0${part}:${language}` : undefined
    },
    load(id) {
      const [, part, language] = RESOLVED.exec(id) ?? []
      if (!part) return undefined
      const first = findFirstIds(options)
      const seen = new Set<string>()
      const compiled: Record<string, unknown> = {}
      for (const folder of options.folders) {
        const file = resolve(folder, `${language}.json`)
        this.addWatchFile(file)
        const messages = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
        for (const [key, message] of Object.entries(messages)) {
          if (seen.has(key)) throw new Error(`${file}: "${key}" has been defined already`)
          seen.add(key)
          if (first.has(key) === (part === 'language')) compiled[key] = compileMessage(message)
        }
      }
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(compiled))})`
    },
  }
}
