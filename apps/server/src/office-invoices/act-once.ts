/** An act of a creditor's staff or programs: one transaction, and once for each `Idempotency-Key`. */
import { tryAgain } from '../imports/imports.ts'
import type { Context } from '../context.ts'
import { getOfficeInvoice } from '../invoices/invoices.ts'
import type { Transaction } from '../platform/database/database.ts'
import { JsonText } from '../platform/http/json.ts'
import { Replayed } from '../platform/http/replayed.ts'
import { onceUnderKey, rightsOf, type AskedOnce, type ClientPrincipal } from '../staff/staff.ts'

export type Asked = AskedOnce & {
  /** Reads what the act was about, as the wire has it; an invoice when left out. */
  readonly read?: (context: Context, principal: ClientPrincipal, id: string) => Promise<JsonText>
}

export type Acted = JsonText | Replayed<JsonText>

/**
 * As onceUnderKey; answers the invoice, or what else is read, as it is afterwards. What depends on the day, or on how a thing stands, is
 * asked in `work`: who repeats it later has done it before.
 */
export async function actOnce(
  context: Context,
  principal: ClientPrincipal,
  asked: Asked,
  work: (tx: Transaction) => Promise<string>,
): Promise<Acted> {
  return answerActed(
    context,
    principal,
    asked,
    await tryAgain(() => onceUnderKey(context, principal, asked, work)),
  )
}

/** What it was about, as it is now. */
export async function answerActed(
  context: Context,
  principal: ClientPrincipal,
  { read = getOfficeInvoice }: Pick<Asked, 'read'>,
  { id, isReplayed }: { readonly id: string; readonly isReplayed: boolean },
): Promise<Acted> {
  const whole = await read(context, principal, id)
  const answer = rightsOf(principal).includes('see') ? whole : withoutDebtor(whole)
  return isReplayed ? new Replayed(answer) : answer
}

/** What a program that may not read is told of what it has done: its state and its amounts, nobody's data. */
function withoutDebtor(whole: JsonText): JsonText {
  return new JsonText(whole.text.replaceAll(DEBTOR, ''))
}

/** In JSON that the database has written: parsed and written anew, an amount would lose its two decimals (D-25). */
const STRING = String.raw`"(?:[^"\\]|\\.)*"`
const FLAT = String.raw`\{(?:[^{}"]|${STRING})*\}`
const DEBTOR = new RegExp(
  `,"debtor":\\{(?:[^{}"]|${STRING}|${FLAT})*\\}|,"customerNumber":(?:null|${STRING})`,
  'gu',
)
