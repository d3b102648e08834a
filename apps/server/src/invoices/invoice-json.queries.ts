/** The SQL that writes invoices as the wire has them: one, or a page of a debtor's list. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { creditedOn } from '../ledger/ledger.ts'
import { isOpenToPairs } from '../ledger/protected-persons.queries.ts'
import { statement, type Connection } from '../platform/database/database.ts'
import { amount, asWritten, sqlJson, word } from '../platform/database/sql-json.ts'
import { keepBatchedReads } from '../platform/database/batched-reads.ts'
import {
  guessed,
  guessedTogether,
  guessValues,
  readGuessedTogether,
  requireRight,
  type AskedGuess,
  type Guessed,
} from '../sign-in/sign-in.ts'
import type { FirstReader, Viewer } from '../sign-in/viewer.ts'
import { askedByEach } from './invoices.queries.ts'
import { bySight, ONE, sightOf, VISIBLE, visibleTo } from './visible-invoices.ts'
import { SHOWN } from '../sign-in/shown.ts'

/** Who reads: a public session sees a person's first name only and no e-mail (A-69, D-34). */
const DEBTOR_SEEN_BY: Readonly<Record<Viewer['kind'], { name: string; email: string }>> = {
  public: {
    name: `case when d.kind = 'PERSON' then split_part(d.name, ' ', 1) else d.name end`,
    email: 'null::text',
  },
  debtor: { name: 'd.name', email: 'd.email' },
}

/** Only a closed invoice is looked up in the books. */
const CREDITED = `case when i.status <> 'CLOSED' or i.total_minor > ${creditedOn('i')} then 'false' else 'true' end`

/** Stands where the name of the copy goes. JSON writes this sign as an escape: no text of an invoice can hold it. */
export const COPY_PLACE = '\u0001'

/**
 * An invoice `i` of creditor `c` and debtor `d`, in claim `b` or in none, as the SQL of its text; `today` is the
 * instance's day. COPY_PLACE marks where the signed name of the copy goes.
 */
export function wireInvoice(kind: Viewer['kind'], today: string): string {
  const copy = {
    invoiceWithAttachments: asWritten(`case when i.has_copy then '${COPY_PLACE}' else 'null' end`),
  }
  return sqlJson({
    id: word('i.id'),
    invoiceNumber: 'i.invoice_number',
    paymentReference: word('i.payment_reference'),
    originalReference: 'i.original_reference',
    zipCode: 'i.zip',
    clientName: 'c.name',
    type: word('i.type'),
    statuses: { main: word('i.status') },
    dates: {
      invoiceDate: 'i.issue_date',
      sentDate: 'i.sent_date',
      expireDate: 'i.expire_date',
      today: `${today}::date`,
    },
    balances: {
      total: amount('i.balance_minor'),
      principal: amount('i.principal_minor'),
      costs: amount('i.costs_minor'),
      interest: amount('i.interest_minor'),
    },
    totals: { totalToPay: amount('i.total_minor') },
    currency: { invoiceCurrency: 'i.currency' },
    documents: copy,
    document: copy,
    isCredited: asWritten(CREDITED),
    isPartPayment: asWritten(`case when i.is_part_payment then 'true' else 'false' end`),
    partPaymentVariant: 'i.part_payment_variant',
    debtor: { ...DEBTOR_SEEN_BY[kind], invoiceAddress: { zip: 'i.zip', countryCode: 'd.country' } },
    property: 'i.property',
    collectionBatchNumber: 'b.claim_number',
    collection_batch_payment_reference: 'b.payment_reference',
    collection_batch_zip: 'b.zip',
    collection_batch_number: 'b.claim_number',
  })
}

export const PARTIES = `join creditor c on c.instance_id = i.instance_id and c.id = i.creditor_id
   join debtor d on d.instance_id = i.instance_id and d.id = i.debtor_id
   left join claim b on b.instance_id = i.instance_id and b.id = i.claim_id`

const oneInvoice = (kind: Viewer['kind'], visible: string): string =>
  `select i.id, ${wireInvoice(kind, '$5')} as json from (select * from ${visible} ${ONE}) i ${PARTIES}`

/** The hottest read of all: one invoice, whole, in one statement. */
export const INVOICE_JSON = oneInvoice('public', VISIBLE.pair)

const invoiceJson = bySight('invoices.json', (visible) =>
  oneInvoice(visible === VISIBLE.pair ? 'public' : 'debtor', visible),
)

const guessedInvoiceJson = statement('invoices.guessedJson', guessed(INVOICE_JSON, 6))

export type InvoiceJson = { id: string; json: string }

type InvoiceRead = { readonly invoiceNumber: string | undefined; readonly today: string }

const invoiceOfClaimJson = statement(
  'invoices.jsonOfClaim',
  oneInvoice(
    'public',
    `invoice i where i.instance_id = $1 and ${SHOWN} and i.claim_id = (
       select c.id from claim c where c.instance_id = $1 and c.payment_reference = $2 and c.zip = $3
         and ${isOpenToPairs('c')})`,
  ),
)

/** As a debtor's own calls name it: with the zip, which then has to be right, or without. */
const invoiceOfOwnClaimJson = statement(
  'invoices.jsonOfOwnClaim',
  oneInvoice(
    'debtor',
    `invoice i where i.instance_id = $1 and ${SHOWN} and i.debtor_id = any($3::uuid[]) and i.claim_id in (
       select c.id from claim c where c.instance_id = $1 and c.payment_reference = split_part($2::text, ' ', 1)
         and split_part($2::text, ' ', 2) in ('', c.zip))`,
  ),
)

/**
 * The invoice that the viewer means, as the wire has it. The pair of a claim is answered with one of its invoices,
 * which names the claim: whoever was sent a demand logs in with the demand's reference.
 */
export async function readInvoiceJson(
  db: Connection,
  reader: FirstReader,
  wanted: InvoiceRead,
): Promise<InvoiceJson | undefined> {
  if (reader.kind === 'debtor') {
    const values = [...visibleTo(reader), wanted.invoiceNumber ?? null, wanted.today]
    const own = await readNamedInvoice(db, reader, wanted)
    return own ?? (await db.rows<InvoiceJson>(invoiceOfOwnClaimJson, values))[0]
  }
  const found = await readNamedInvoice(db, reader, wanted).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'login_error::invalid_data') return undefined
    throw error
  })
  if (found) return found
  const values = [...visibleTo(reader), wanted.invoiceNumber ?? null, wanted.today]
  return (await db.rows<InvoiceJson>(invoiceOfClaimJson, values))[0]
}

/** Refuses a pair that is not proven yet as the guard would; the guess is taken in the same round trip. */
async function readNamedInvoice(
  db: Connection,
  reader: FirstReader,
  wanted: InvoiceRead,
): Promise<InvoiceJson | undefined> {
  const extra = wanted.invoiceNumber ?? null
  const values = [...visibleTo(reader), extra, wanted.today]
  if (reader.kind !== 'unproven') {
    return (await db.rows<InvoiceJson>(invoiceJson[sightOf(reader)], values))[0]
  }
  // What nobody can have is not worth a statement with others.
  const found = reader.reference === '' ? null : await askTogether(db, { pair: reader, extra }, wanted.today)
  if (found) return requireRight(reader, found)
  const alone = [...values, ...guessValues(reader.guess)]
  return requireRight(reader, (await db.rows<Guessed<InvoiceJson>>(guessedInvoiceJson, alone))[0])
}

const guessedInvoicesJson = statement(
  'invoices.guessedJsonTogether',
  guessedTogether(askedByEach(INVOICE_JSON).replaceAll('$5', '$8')),
)

const guessedReads = keepBatchedReads<AskedGuess, Guessed<InvoiceJson> | null>()

/** Reads of one instance, under the same limits, on one day, are answered together. */
function askTogether(db: Connection, asked: AskedGuess, today: string): Promise<Guessed<InvoiceJson> | null> {
  const key = `${asked.pair.instance.id} ${today} ${asked.pair.guess.limits.join(' ')}`
  return guessedReads(db, key, (all) =>
    readGuessedTogether<InvoiceJson>(db, guessedInvoicesJson, all, [today]),
  )(asked)
}
