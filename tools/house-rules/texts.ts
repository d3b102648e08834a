/** What people read, in every language, and what must not be written anywhere. */
import type { ProjectFile, Violation } from './project.ts'

export const LANGUAGES = ['sv', 'en', 'nb', 'da', 'fi'] as const

export type Texts = Readonly<Record<string, string>>

/** The texts of a language file by their dotted keys, whether it is nested or flat. */
export function flatten(value: unknown, prefix = ''): Texts {
  if (typeof value === 'string') return { [prefix]: value }
  if (typeof value !== 'object' || value === null) throw new TypeError(`"${prefix}" is not a text`)
  const parts = Object.entries(value).map(([key, inner]) => flatten(inner, prefix ? `${prefix}.${key}` : key))
  return Object.assign({}, ...parts)
}

/**
 * The names between braces that a text wants filled in, sorted, each once. The branches of a plural or a select
 * are texts themselves and are looked into; their own words are no names.
 */
export function placeholdersOf(text: string): string[] {
  const names = new Set<string>()
  collect(text, names)
  return [...names].sort()
}

function collect(text: string, names: Set<string>): void {
  for (const inner of bracedParts(text)) {
    const [name, kind] = inner.split(',', 2).map((part) => part.trim())
    if (name) names.add(name)
    if (kind && /^(plural|select|selectordinal)$/.test(kind)) {
      for (const branch of bracedParts(inner)) collect(branch, names)
    }
  }
}

/** What stands between the outermost braces of the text, each pair. Throws when a brace has no partner. */
function bracedParts(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (const [index, character] of Array.from(text).entries()) {
    if (character === '{') {
      if (depth === 0) start = index + 1
      depth += 1
    }
    if (character === '}') {
      depth -= 1
      if (depth === 0) parts.push(Array.from(text).slice(start, index).join(''))
    }
    if (depth < 0) break
  }
  if (depth !== 0) throw new SyntaxError(`"${text}" has a brace without a partner`)
  return parts
}

type Catalogue = { readonly folder: string; readonly byLanguage: ReadonlyMap<string, Texts> }

/** Every folder called language that holds JSON files, with its texts. */
export function cataloguesOf(files: readonly ProjectFile[]): Catalogue[] {
  const folders = new Map<string, Map<string, Texts>>()
  for (const file of files) {
    const match = /^((?:apps|packages)\/.*\/language)\/([a-z]{2})\.json$/.exec(file.path)
    if (!match?.[1] || !match[2]) continue
    const texts = folders.get(match[1]) ?? new Map<string, Texts>()
    folders.set(match[1], texts.set(match[2], flatten(JSON.parse(file.text))))
  }
  return [...folders].map(([folder, byLanguage]) => ({ folder, byLanguage }))
}

/** Each catalogue has the five languages, the same keys in all, no empty text, and the same placeholders. */
export function breaksLanguages(files: readonly ProjectFile[]): Violation[] {
  return cataloguesOf(files).flatMap(({ folder, byLanguage }) => {
    const missing = LANGUAGES.filter((language) => !byLanguage.has(language))
    const keys = [...new Set([...byLanguage.values()].flatMap(Object.keys))].sort()
    return [
      ...missing.map((language) => `${folder}/${language}.json is missing`),
      ...keys.flatMap((key) => compareTexts(folder, key, byLanguage)),
    ]
  })
}

function compareTexts(folder: string, key: string, byLanguage: ReadonlyMap<string, Texts>): Violation[] {
  const wanted = placeholdersOf(byLanguage.get('en')?.[key] ?? '').join(', ')
  return [...byLanguage].flatMap(([language, texts]) => {
    const text = texts[key]
    if (!text?.trim()) return [`${folder}/${language}.json has no text for ${key}`]
    const found = placeholdersOf(text).join(', ')
    return found === wanted
      ? []
      : [`${folder}/${language}.json ${key} has {${found}}, English has {${wanted}}`]
  })
}

/** Every key has a text in every language of the server. */
export function findUntold(files: readonly ProjectFile[], keys: readonly string[]): Violation[] {
  const server = cataloguesOf(files).find(({ folder }) => folder === 'apps/server/src/language')
  return LANGUAGES.flatMap((language) => {
    const texts = server?.byLanguage.get(language) ?? {}
    return keys.filter((key) => !texts[key]).map((key) => `${language} does not say ${key}`)
  })
}

/** Words that this file must not hold itself, so they are put together from parts. */
function pattern(parts: readonly string[], flags = ''): RegExp {
  return new RegExp(parts.join(''), flags)
}

const FORBIDDEN: readonly (readonly [string, RegExp])[] = [
  ['an absolute path of one machine', pattern(['(^|[^\\w./-])/(wo', 'rk|ro', 'ot)(/|\\b(?!\\w))'], 'm')],
  ['an unfinished place', pattern(['\\b(TO', 'DO|FIX', 'ME)\\b'])],
  ['a test that shuts out the others', pattern(['\\b(test|it|describe)\\.on', 'ly\\b'])],
  ['a silenced compiler', pattern(['@ts-(ig', 'nore|no', 'check)'])],
  ['a promise instead of a feature', pattern(['coming\\s+so', 'on'], 'i')],
]

/** No file of the project holds what a reader should never find. */
export function findForbiddenTexts(files: readonly ProjectFile[]): Violation[] {
  return files.flatMap(({ path, text }) =>
    FORBIDDEN.flatMap(([what, words]) => {
      const match = words.exec(text)
      return match
        ? [`${path}:${text.slice(0, match.index + 1).split('\n').length} ${what}: ${match[0].trim()}`]
        : []
    }),
  )
}
