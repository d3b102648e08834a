/** What stands behind a command's name: its options and files, each mistake answered with a sentence. */
import { parseArgs } from 'node:util'
import { isUuid } from '@kvitt/domain/ids.ts'
import { StartupError } from '../src/platform/startup-error.ts'

/** What every command takes: whose rows it is about, and who runs it. */
const COMMON = { provider: { type: 'string' }, by: { type: 'string' } } as const

/** The options of a command: with a value of its own, or there or not. */
type Options = Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>

type Values<Known extends Options> = {
  readonly [Name in keyof Known]?: Known[Name]['type'] extends 'boolean' ? true : string
}

export type Said<Known extends Options> = {
  readonly values: Values<Known & typeof COMMON>
  /** What is no option. */
  readonly files: readonly string[]
}

/**
 * Reads `--name value`, `--name=value` and files, which may begin with a dash after `--`. Throws StartupError for an option
 * that there is not, that is there twice, or that lacks its value, and for a file where none is taken.
 */
export function readOptions<const Known extends Options>(
  args: readonly string[],
  { options: own, usage, takesFiles = false }: { options: Known; usage: string; takesFiles?: boolean },
): Said<Known> {
  const options: Options = { ...COMMON, ...own }
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    tokens: true,
    allowPositionals: true,
  })
  const values: Record<string, string | true> = {}
  const files: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (!takesFiles) throw new StartupError(`${token.value} is not an option. ${usage}`)
      files.push(token.value)
    }
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue: isInline } = token
    const type = rawName.startsWith('--') && Object.hasOwn(options, name) ? options[name]?.type : undefined
    if (type === undefined) throw new StartupError(`${rawName} is not an option. ${usage}`)
    if (Object.hasOwn(values, name)) throw new StartupError(`${rawName} is there twice. ${usage}`)
    if (type === 'boolean' && value !== undefined)
      throw new StartupError(`${rawName} takes no value. ${usage}`)
    const isMissing = type === 'string' && (!value || (!isInline && value.startsWith('--')))
    if (isMissing) throw new StartupError(`${rawName} needs a value. ${usage}`)
    values[name] = value ?? true
  }
  return { values: values as Values<Known & typeof COMMON>, files }
}

const LONGEST_NAME = 60

/**
 * What every command is told: the provider's alias, and who runs it, as the audit log names them. Without `--by` it is the
 * account of the operating system. Read the rest with readOptions, which also says what is wrong with these. Throws
 * StartupError for a name that is none.
 */
export function readCommon(
  args: readonly string[],
  account: () => string,
): { readonly provider: string | undefined; readonly by: string } {
  const { values } = parseArgs({ args: [...args], options: COMMON, strict: false, allowPositionals: true })
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value.trim() : undefined)
  const name = (text(values.by) ?? account()).replaceAll(/\s+/g, ' ')
  if (name === '' || name.length > LONGEST_NAME || /\p{C}/u.test(name))
    throw new StartupError(`--by takes a name of at most ${LONGEST_NAME} characters.`)
  return { provider: text(values.provider)?.toLowerCase(), by: `person:${name}` }
}

/** An id as a person copies it. Throws StartupError when it is none. */
export function readId(text: string, what: string, usage: string): string {
  const id = text.trim().toLowerCase()
  if (isUuid(id)) return id
  throw new StartupError(
    `"${text}" is no id of a ${what}, which looks like 0198e1c0-5a1b-7c3d-8e4f-0123456789ab. ${usage}`,
  )
}
