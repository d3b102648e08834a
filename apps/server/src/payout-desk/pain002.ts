/** Reads a bank's answer to a file of payouts: pain.002 (ISO 20022), any of its versions. */
import { paymentIdOfEndToEnd } from '@kvitt/domain/payments/end-to-end.ts'
import { isOnlyWellFormed, verdictOf } from '@kvitt/domain/payouts/payout.ts'
import { oneLine } from '@kvitt/domain/plain-text.ts'
import { all, textAt } from '../bank-files/bank-files.ts'
import {
  ElementReader,
  ImportRefusal,
  shape,
  TEXT,
  type ReadElement,
  type Vocabulary,
} from '../imports/imports.ts'

const REASON = { Rsn: { Cd: TEXT, Prtry: TEXT }, AddtlInf: TEXT }
const DOCUMENT = shape({
  CstmrPmtStsRpt: {
    GrpHdr: { CreDtTm: TEXT },
    OrgnlGrpInfAndSts: { OrgnlMsgId: TEXT, GrpSts: TEXT, StsRsnInf: REASON },
    OrgnlPmtInfAndSts: {
      OrgnlPmtInfId: TEXT,
      PmtInfSts: TEXT,
      StsRsnInf: REASON,
      TxInfAndSts: { OrgnlEndToEndId: TEXT, TxSts: TEXT, StsRsnInf: REASON },
    },
  },
})
const NAMESPACES = Array.from(
  { length: 13 },
  (_, index) => `urn:iso:std:iso:20022:tech:xsd:pain.002.001.${String(index + 2).padStart(2, '0')}`,
)
const PAIN_002: Vocabulary = {
  documents: new Map(NAMESPACES.map((name) => [`{${name}}Document`, DOCUMENT])),
  namespaces: new Set(NAMESPACES),
  envelope: undefined,
  attachment: undefined,
  mostElements: 200_000,
  wanted: 'an answer of a bank to payment orders (pain.002).',
}

type Verdict = {
  readonly verdict: 'ACCEPTED' | 'REFUSED'
  readonly reason: string | null
  /** It is well formed, which says nothing of whether it is executed. */
  readonly isOnlyFormed: boolean
}

export type BankAnswer = {
  /** What the file is called that it answers. */
  readonly messageId: string
  /** When the bank wrote it: an ISO time, with its offset or as the clock on the wall; undefined where it does not say. */
  readonly writtenAt: string | undefined
  /** Of all orders; undefined where the single ones say it. */
  readonly whole: Verdict | undefined
  /** By payout. */
  readonly single: ReadonlyMap<string, Verdict>
}

const LONGEST_REASON = 300

function said(element: ReadElement, status: string): Verdict | undefined {
  const code = textAt(element, status)
  const verdict = verdictOf(code)
  if (verdict === undefined) return undefined
  const words = all(element, 'StsRsnInf').flatMap((reason) => [
    textAt(reason, 'Rsn', 'Cd') ?? textAt(reason, 'Rsn', 'Prtry'),
    ...all(reason, 'AddtlInf').map(({ text }) => text),
  ])
  const reason = oneLine(words.filter((word) => word !== undefined).join(' ')).slice(0, LONGEST_REASON)
  return {
    verdict,
    reason: verdict === 'REFUSED' ? reason || null : null,
    isOnlyFormed: isOnlyWellFormed(code),
  }
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?(?:Z|[+-]\d{2}:\d{2})?$/

function timeOf(text: string | undefined): string | undefined {
  return text !== undefined && TIME.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined
}

/** Throws ImportRefusal when it is no pain.002, or answers nothing of ours. */
export function readPain002(bytes: Uint8Array): BankAnswer {
  const reader = new ElementReader(PAIN_002)
  reader.write(bytes)
  const [report] = all(reader.end(), 'CstmrPmtStsRpt')
  const [group] = report ? all(report, 'OrgnlGrpInfAndSts') : []
  const messageId = group && textAt(group, 'OrgnlMsgId')
  if (!report || !group || messageId === undefined)
    throw new ImportRefusal('The answer does not say to which file it belongs.')
  const batches = all(report, 'OrgnlPmtInfAndSts')
  const single = new Map<string, Verdict>()
  for (const order of batches.flatMap((batch) => all(batch, 'TxInfAndSts'))) {
    const id = paymentIdOfEndToEnd(textAt(order, 'OrgnlEndToEndId') ?? '')
    const verdict = said(order, 'TxSts')
    if (id === undefined) throw new ImportRefusal('The answer names an order that has no name of ours.')
    if (verdict) single.set(id, verdict)
  }
  const [batch] = batches
  // The narrower word counts, such as a batch that is refused in a file that was well formed; a file that is refused is refused whole.
  const ofGroup = said(group, 'GrpSts')
  const ofBatch = batch && said(batch, 'PmtInfSts')
  const whole = ofGroup?.verdict === 'REFUSED' ? ofGroup : (ofBatch ?? ofGroup)
  const [header] = all(report, 'GrpHdr')
  const writtenAt = header && timeOf(textAt(header, 'CreDtTm'))
  return { messageId, writtenAt, whole, single }
}
