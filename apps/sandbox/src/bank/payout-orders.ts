import { randomUUID } from 'node:crypto'
import { escapeHtml } from '../html.ts'
import { answerJson, answerSentence } from '../serve.ts'
import type { Answer } from '../serve.ts'

/** One order of a file (pain.001). */
interface Order {
  endToEndId: string
  amount: string
  currency: string
}

interface OrderFile {
  messageId: string
  batchId: string
  /** The account that is debited. */
  account: string
  orders: readonly Order[]
}

const first = (xml: string, tag: string): string | undefined =>
  new RegExp(`<${tag}(?:\\s[^>]*)?>([\\s\\S]*?)</${tag}>`).exec(xml)?.[1]
const each = (xml: string, tag: string): string[] =>
  [...xml.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(([, inner = '']) => inner)

/** Minor units of a decimal text with two decimals. */
const minorOf = (amount: string): bigint => BigInt(amount.replace('.', ''))

/** The file, or a sentence about why the bank does not take it. */
function readOrders(xml: string): OrderFile | string {
  if (!xml.includes('urn:iso:std:iso:20022:tech:xsd:pain.001.001.09')) return 'This is no pain.001.001.09.'
  const header = first(xml, 'GrpHdr') ?? ''
  const batch = first(xml, 'PmtInf') ?? ''
  const messageId = first(header, 'MsgId')
  const payer = first(batch, 'DbtrAcct') ?? ''
  const account = first(payer, 'IBAN') ?? first(first(payer, 'Othr') ?? '', 'Id')
  const orders = each(batch, 'CdtTrfTxInf').map((order) => ({
    endToEndId: first(order, 'EndToEndId') ?? '',
    amount: first(order, 'InstdAmt') ?? '',
    currency: /<InstdAmt Ccy="([A-Z]{3})">/.exec(order)?.[1] ?? '',
  }))
  if (!messageId || !account || orders.length === 0) return 'The file names no message, account or order.'
  if (orders.some(({ amount, endToEndId }) => !/^\d+\.\d{2}$/.test(amount) || endToEndId === ''))
    return 'An order has no name or no amount with two decimals.'
  const sum = orders.reduce((minor, { amount }) => minor + minorOf(amount), 0n)
  const isWhole = [header, batch].every(
    (part) =>
      first(part, 'NbOfTxs') === String(orders.length) && minorOf(first(part, 'CtrlSum') ?? '0') === sum,
  )
  if (!isWhole) return 'The orders are not what the file counts and sums.'
  return { messageId, batchId: first(batch, 'PmtInfId') ?? messageId, account, orders }
}

const REFUSED = '<StsRsnInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>The account is closed</AddtlInf></StsRsnInf>'

/** What the bank says of each order. */
function writeAnswer(
  { messageId, batchId, orders }: OrderFile,
  isRefused: (order: Order) => boolean,
): string {
  const refused = orders.filter(isRefused)
  const whole = refused.length === 0 ? 'ACSP' : refused.length === orders.length ? 'RJCT' : 'PART'
  const told = orders.map(
    (order) =>
      `<TxInfAndSts><OrgnlEndToEndId>${escapeHtml(order.endToEndId)}</OrgnlEndToEndId><TxSts>${isRefused(order) ? 'RJCT' : 'ACSP'}</TxSts>${isRefused(order) ? REFUSED : ''}</TxInfAndSts>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt><GrpHdr><MsgId>DB${randomUUID().slice(0, 8)}</MsgId></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${escapeHtml(messageId)}</OrgnlMsgId><GrpSts>${whole}</GrpSts></OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>${escapeHtml(batchId)}</OrgnlPmtInfId>${told.join('\n')}</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>
`
}

/** The debits of what it executed, each by itself. */
function writeDebits({ account, messageId }: OrderFile, orders: readonly Order[], day: string): string {
  const id = /^[A-Z]{2}\d{2}/.test(account) ? `<IBAN>${account}</IBAN>` : `<Othr><Id>${account}</Id></Othr>`
  const entries = orders.map(
    ({ amount, currency, endToEndId }) =>
      `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt>
<AcctSvcrRef>DP${escapeHtml(endToEndId)}</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>${escapeHtml(endToEndId)}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.02"><BkToCstmrDbtCdtNtfctn><GrpHdr><MsgId>DP${escapeHtml(messageId)}</MsgId>
<CreDtTm>${day}T18:00:00</CreDtTm></GrpHdr><Ntfctn><Id>DP${escapeHtml(messageId)}</Id><Acct><Id>${id}</Id></Acct>
${entries.join('\n')}</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>
`
}

/**
 * The bank reads a file of payment orders (`content`) and answers it: `pain002`, and `camt054` with the debits of what it executed, null
 * when that is nothing. `refuse`: "all", or the names of single orders (EndToEndId).
 */
export function answerPayouts(body: Record<string, unknown>, day: string): Answer {
  const { content, refuse = [] } = body
  if (typeof content !== 'string') return answerSentence(400, 'content must be the text of the file.')
  const names = Array.isArray(refuse) ? refuse.map(String) : []
  if (refuse !== 'all' && !Array.isArray(refuse))
    return answerSentence(400, 'refuse must be "all" or a list of EndToEndIds.')
  const file = readOrders(content)
  if (typeof file === 'string') return answerSentence(400, file)
  const isRefused = ({ endToEndId }: Order): boolean => refuse === 'all' || names.includes(endToEndId)
  const executed = file.orders.filter((order) => !isRefused(order))
  return answerJson(200, {
    pain002: writeAnswer(file, isRefused),
    camt054: executed.length === 0 ? null : writeDebits(file, executed, day),
  })
}
