/**
 * Choices by number that need no `Intl` in the browser: making the first plural rules and number format takes a phone
 * some thirty milliseconds, while the page is being made. Our languages tell one from all other whole numbers.
 */

type Token = string | readonly [name: string, type?: string, format?: unknown]
export type Message = string | readonly Token[]

const HIGHEST = 1000

function checkRule(language: string): void {
  const rules = new Intl.PluralRules(language)
  for (let n = 0; n <= HIGHEST; n += 1) {
    if (rules.select(n) !== (n === 1 ? 'one' : 'other'))
      throw new Error(`${language} has more forms than two`)
  }
}

/** `message` (compiled) with its plurals as choices between 1 and the rest; their number is written in plain digits. */
export function withPlainPlurals(message: Message, language: string): Message {
  if (typeof message === 'string') return message
  return message.map((token) => {
    if (typeof token === 'string' || token[1] !== 'plural') return token
    checkRule(language)
    const [name, , forms] = token as readonly [string, string, Record<string, Message>]
    const spell = (form: Message = []): Message =>
      typeof form === 'string' ? form : form.map((part) => (part === '#' ? ([name] as const) : part))
    return [name, 'select', { 1: spell(forms.one), other: spell(forms.other) }] as const
  })
}
