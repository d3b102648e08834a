/** Every refusal and failure leaves in one shape: RFC 9457 with `code`, `message` and `traceId`. */
import { ERRORS, errorTextKey, type ErrorCode, type Refusal } from '@kvitt/domain/errors.ts'
import { isCurrency, parseAmount } from '@kvitt/domain/money.ts'
import { printedAmount } from '../printed-amount.ts'
import { textOf, type Language, type TextKey } from '../texts.ts'

export type Problem = {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly code: ErrorCode
  readonly message: string
  readonly traceId: string
  readonly errors: readonly { readonly field: string; readonly code: string; readonly message: string }[]
  readonly retryable: boolean
  readonly params: Readonly<Record<string, string>>
}

const RETRYABLE: readonly ErrorCode[] = [
  'provider_unavailable',
  'unavailable',
  'files_busy',
  'figures_busy',
  'books_busy',
  'amount_changed',
]

/** Amounts as their reader writes them: those of `params` are for programs. */
function printed(
  { currency, ...params }: Problem['params'],
  language: Language,
): { amount?: string; sum?: string } {
  if (currency === undefined || !isCurrency(currency)) return {}
  const named = (['amount', 'sum'] as const).flatMap((name) => {
    const money = parseAmount(params[name] ?? '', currency)
    return money ? [[name, printedAmount(money.minor, money.currency, language)]] : []
  })
  return Object.fromEntries(named) as { amount?: string; sum?: string }
}

export function describeProblem(
  refusal: Pick<Refusal, 'code' | 'params' | 'fields'>,
  language: Language,
  traceId: string,
): Problem {
  const { code, params, fields } = refusal
  const key = errorTextKey(code) as TextKey
  const values = (reader: Language) => ({ ...params, ...printed(params, reader), traceId })
  const message = textOf(language, key, values(language))
  return {
    type: `urn:kvitt:problem:${code}`,
    title: code.replaceAll('_', ' ').replace('::', ': '),
    status: ERRORS[code],
    detail: textOf('en', key, values('en')),
    instance: `urn:trace:${traceId}`,
    code,
    message,
    traceId,
    errors: fields.map((field) => ({ field, code, message })),
    retryable: RETRYABLE.includes(code),
    params,
  }
}
