/**
 * The articles of the support site as files: `{topic}/{language}.md`, plain `key: value` lines between two lines of `---`, and
 * Markdown below.
 */
import { LANGUAGES } from '../house-rules/texts.ts'

export { LANGUAGES }
export type Language = (typeof LANGUAGES)[number]

/** A broken rule, as "path:line why". */
export type Problem = string

export const FIELDS = [
  'title',
  'question',
  'words',
  'summary',
  'law',
  'checked',
  'action',
  'action-text',
] as const
export type Field = (typeof FIELDS)[number]

/** Where the button below an article leads. */
export const ACTIONS = [
  'log-in',
  'pay',
  'dispute',
  'respite',
  'plan',
  'contact',
  'creditor-portal',
  'check-message',
  'calculator',
  'none',
]

export const COUNTRIES = ['SE', 'NO', 'DK', 'FI']

type Line = { readonly text: string; readonly number: number }

export type Article = {
  readonly path: string
  readonly topic: string
  readonly language: Language
  readonly fields: ReadonlyMap<string, Line>
  readonly body: readonly Line[]
  /** What is wrong with the lines between the dashes. */
  readonly problems: readonly Problem[]
}

export function isLanguage(text: string): text is Language {
  return LANGUAGES.some((language) => language === text)
}

/** An article from the text of its file; `path` is `{topic}/{language}.md`. */
export function readArticle(path: string, topic: string, language: Language, text: string): Article {
  const lines = text.split('\n').map((line, index) => ({ text: line.trimEnd(), number: index + 1 }))
  const end = lines.findIndex((line, index) => index > 0 && line.text === '---')
  const fields = new Map<string, Line>()
  if (lines[0]?.text !== '---' || end < 0) {
    const problems = [`${path}:1 begin with the fields, between two lines of ---`]
    return { path, topic, language, fields, body: lines, problems }
  }
  const problems: Problem[] = []
  for (const { text: line, number } of lines.slice(1, end)) {
    const match = /^([a-z-]+):\s*(.*)$/.exec(line)
    const [, key = '', value = ''] = match ?? []
    if (!FIELDS.some((field) => field === key)) {
      problems.push(`${path}:${number} "${line}" is none of the fields ${FIELDS.join(', ')}`)
    } else if (fields.has(key)) {
      problems.push(`${path}:${number} ${key} stands twice`)
    } else {
      fields.set(key, { text: value, number })
    }
  }
  return { path, topic, language, fields, body: lines.slice(end + 1), problems }
}

/** The text of a field, empty when it is missing. */
export function fieldOf(article: Article, field: Field): string {
  return article.fields.get(field)?.text ?? ''
}

/** A paragraph, a heading or an item of a list: what a reader takes as one. */
export type Block = { readonly text: string; readonly number: number; readonly isHeading: boolean }

/** The blocks of the body, without the signs of Markdown; a link is its text. */
export function blocksOf(article: Article): Block[] {
  const blocks: Block[] = []
  let isOpen = false
  for (const { text, number } of article.body) {
    const isHeading = /^#+ /.test(text)
    const begins = isHeading || /^\s*([-*]|\d+\.) /.test(text)
    const plain = plainText(text)
    const last = blocks.at(-1)
    if (text.trim() === '') isOpen = false
    else if (isOpen && !begins && last) blocks[blocks.length - 1] = { ...last, text: `${last.text} ${plain}` }
    else {
      blocks.push({ text: plain, number, isHeading })
      isOpen = !isHeading
    }
  }
  return blocks
}

function plainText(line: string): string {
  return line
    .replace(/^\s*(#+|[-*]|\d+\.) /, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .trim()
}
