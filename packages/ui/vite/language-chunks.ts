/**
 * Turns message files into one lazy chunk per language.
 *
 * `import('virtual:language/sv')` answers the messages of every folder given, compiled, so that no message
 * syntax is parsed in the browser.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

const PREFIX = 'virtual:language/'
const RESOLVED = '\0language:'

/** `folders` hold `{language}.json`; an id that stands in two of them is an error. */
export function languageChunks(folders: readonly string[]): Plugin {
  return {
    name: 'language-chunks',
    resolveId(id) {
      return id.startsWith(PREFIX) ? RESOLVED + id.slice(PREFIX.length) : undefined
    },
    load(id) {
      if (!id.startsWith(RESOLVED)) return undefined
      const language = id.slice(RESOLVED.length)
      const compiled: Record<string, unknown> = {}
      for (const folder of folders) {
        const file = resolve(folder, `${language}.json`)
        this.addWatchFile(file)
        const messages = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
        for (const [key, message] of Object.entries(messages)) {
          if (key in compiled) throw new Error(`${file}: "${key}" has been defined already`)
          compiled[key] = compileMessage(message)
        }
      }
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(compiled))})`
    },
  }
}
