/** An article as its file has it: front matter between lines of dashes, then Markdown. */
import { isLanguage, type Language } from '@kvitt/ui/language/languages.ts'
import { Marked } from 'marked'
import { addressOfPage } from '@kvitt/site/frame.ts'

export type Article = {
  readonly topic: string
  readonly language: Language
  readonly title: string
  /** As a person asks it. */
  readonly question: string
  /** Other words for the same thing, and how people misspell them. */
  readonly words: readonly string[]
  readonly summary: string
  /** Country codes, or `all`. */
  readonly law: readonly string[]
  /** The day it was last looked at, YYYY-MM-DD. */
  readonly checked: string
  readonly action: string
  readonly actionText: string
  /** HTML, made from the file's Markdown. HTML in the file stands there as text. */
  readonly body: string
  /** Topics that the text links to. */
  readonly linked: readonly string[]
}

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** `path` ends in `{topic}/{language}.md`. Throws when the file is no article. */
export function readArticle(path: string, text: string): Article {
  const [, topic = '', language = ''] = /([^/]+)\/([a-z]{2})\.md$/.exec(path) ?? []
  const [, front, markdown] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text.replaceAll('\r\n', '\n')) ?? []
  if (!isLanguage(language) || front === undefined || markdown === undefined) {
    throw new Error(`${path} is no article`)
  }
  const facts = Object.fromEntries(
    front.split('\n').flatMap((line) => {
      const [, name, value] = /^([a-z-]+):\s*(.*)$/.exec(line) ?? []
      return name === undefined ? [] : [[name, value ?? '']]
    }),
  )
  const fact = (name: string): string => {
    const value = facts[name]
    if (!value) throw new Error(`${path} has no ${name}`)
    return value
  }
  return {
    topic,
    language,
    title: fact('title'),
    question: fact('question'),
    words: listed(fact('words')),
    summary: fact('summary'),
    law: listed(fact('law')),
    checked: fact('checked'),
    action: fact('action'),
    actionText: facts['action-text'] ?? '',
    body: bodyOf(markdown, language),
    linked: [...new Set([...markdown.matchAll(/\(topic:([a-z0-9-]+)\)/g)].map(([, name]) => name ?? ''))],
  }
}

function bodyOf(markdown: string, language: Language): string {
  const marked = new Marked({ gfm: true, async: false })
  marked.use({
    renderer: { html: ({ text }) => text.replace(/[&<>]/g, (character) => ESCAPES[character] ?? '') },
    walkTokens: (token) => {
      if (token.type === 'link') token.href = linkOf(String(token.href), language)
    },
  })
  return marked.parse(keepTogether(markdown)) as string
}

/** An amount and a percentage stay on one line: editors write plain spaces. */
function keepTogether(markdown: string): string {
  return markdown
    .replace(/(\d) (?=(?:%|€|(?:kr|kroner|euroa?|SEK|NOK|DKK|EUR)\b|\d{3}(?!\d)))/g, '$1\u00a0')
    .replace(/\b(SEK|NOK|DKK|EUR) (?=\d)/g, '$1\u00a0')
}

/** To another topic, or to a site of an authority. */
function linkOf(href: string, language: Language): string {
  const topic = /^topic:([a-z0-9-]+)$/.exec(href)?.[1]
  if (topic) return addressOfPage('support', language, `${topic}/`)
  if (/^https:\/\/[a-z0-9.-]+(\/[^\s"']*)?$/i.test(href) || href.startsWith('mailto:')) return href
  throw new Error(`an article links to ${href}`)
}
