import { LANGUAGES, type Language } from '@kvitt/ui/language/languages.ts'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { expect, test } from 'vitest'

type Messages = Readonly<Record<string, string>>

const own = import.meta.glob<Messages>('./*.json', { eager: true, import: 'default' })
const common = import.meta.glob<Messages>('../../../../packages/ui/src/language/*.json', {
  eager: true,
  import: 'default',
})
const sources = import.meta.glob<string>(
  ['../**/*.{ts,tsx}', '../../../../packages/ui/src/**/*.{ts,tsx}', '!../**/*.test.ts'],
  { eager: true, query: '?raw', import: 'default' },
)

/** The messages of one language: this portal's own and those that all portals have. */
function messagesOf(language: Language): Messages {
  const files = [own, common].map((files) =>
    Object.entries(files).find(([name]) => name.endsWith(`/${language}.json`)),
  )
  return Object.assign({}, ...files.map((file) => file?.[1] ?? {})) as Messages
}

/** The names in braces and the tags of a message: what every translation has to keep. */
function slotsOf(message: string): string[] {
  return [...new Set([...message.matchAll(/\{(\w+)|<(\w+)>/g)].map((m) => m[1] ?? `<${m[2]}>`))].sort()
}

function pluralsOf(message: string): Record<string, unknown>[] {
  const tokens = compileMessage(message)
  if (typeof tokens === 'string') return []
  return tokens.flatMap((token) =>
    Array.isArray(token) && token[1] === 'plural' ? [token[2] as Record<string, unknown>] : [],
  )
}

test.each(LANGUAGES)('%s has the same messages with the same slots', (language) => {
  const swedish = messagesOf('sv')
  const messages = messagesOf(language)
  expect(Object.keys(messages).length).toBeGreaterThan(100)
  expect(Object.keys(messages).sort()).toEqual(Object.keys(swedish).sort())
  for (const [id, message] of Object.entries(messages)) {
    expect(message.trim(), id).not.toBe('')
    expect(slotsOf(message), id).toEqual(slotsOf(swedish[id] ?? ''))
  }
})

test.each(LANGUAGES)('%s has the plural forms that its rules ask for', (language) => {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const plurals = Object.values(messagesOf(language)).flatMap(pluralsOf)
  expect(plurals.length).toBeGreaterThan(2)
  for (const plural of plurals) expect(Object.keys(plural)).toEqual(expect.arrayContaining(forms))
})

test('every message is used somewhere', () => {
  const text = Object.values(sources).join('\n')
  expect(Object.keys(messagesOf('sv')).filter((id) => !new RegExp(`['"]${id}['"]`).test(text))).toEqual([])
})
