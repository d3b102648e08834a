import { readFileSync } from 'node:fs'
import pino from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, date } from '@kvitt/domain/calendar.ts'
import { isUsableReference } from '@kvitt/domain/references.ts'
import { runNight } from '../collection/collection.ts'
import { buildInstance, testClock, TODAY } from '../testing/build.ts'
import { NIGHTS_TO_CLAIM } from '../testing/build-claim.ts'
import type { Database } from '../platform/database.ts'
import { testDatabase, type TestDatabase } from '../testing/test-database.ts'
import { importInvoices, type ImportInput, type ImportOptions, type ImportResult } from './imports.ts'

const fixture = (name: string): string => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')
const SE = fixture('se-invoice.xml')
const NOTE = fixture('se-credit-note.xml')
const OCR = /<cbc:PaymentID>(\d+)</.exec(SE)?.[1] ?? ''

let built: TestDatabase
let instance: { id: string; timeZone: string }
let others = 0

beforeAll(async () => {
  built = await testDatabase()
})

function input(name: string, text: string | Buffer): ImportInput {
  return {
    name,
    async *open() {
      yield Buffer.from(text)
    },
  }
}

async function importAll(
  files: Record<string, string | Buffer>,
  options: ImportOptions = { as: 'distributed' },
): Promise<Record<string, ImportResult>> {
  const context = { db: built.db, clock: testClock(), log: pino({ level: 'silent' }) }
  const inputs = Object.entries(files).map(([name, text]) => input(name, text))
  const results: Record<string, ImportResult> = {}
  for await (const result of importInvoices(context, instance, inputs, options)) results[result.file] = result
  return results
}

async function importOne(text: string | Buffer, options?: ImportOptions): Promise<ImportResult> {
  const result = (await importAll({ 'file.xml': text }, options))['file.xml']
  if (!result) throw new Error('no answer')
  return result
}

async function rows(sql: string, ...values: unknown[]): Promise<Record<string, never>[]> {
  return (await built.owner.query(sql, [instance.id, ...values])).rows
}

async function invoice(number: string): Promise<Record<string, unknown>> {
  const [row] = await rows('select * from invoice where instance_id = $1 and invoice_number = $2', number)
  return row ?? {}
}

async function count(table: string): Promise<number> {
  return Number((await rows(`select count(*) from ${table} where instance_id = $1`))[0]?.['count'])
}

/** A world without invoices: each test imports into an instance of its own. */
async function begin(): Promise<void> {
  others += 1
  const { id } = await buildInstance(built, { alias: `import-${others}`, isDefault: false })
  instance = { id, timeZone: 'Europe/Stockholm' }
}

describe('an invoice', () => {
  beforeAll(begin)

  test('is owed from today, sent when it was issued', async () => {
    expect(await importOne(SE)).toEqual({
      file: 'file.xml',
      outcome: 'created',
      invoiceNumber: '2026-70012',
      paymentReference: OCR,
      zip: '11122',
      reason: null,
      warnings: [],
    })
    expect(await invoice('2026-70012')).toMatchObject({
      type: 'INVOICE',
      status: 'ACTIVATED',
      sent_date: expect.anything(),
      original_reference: null,
      total_minor: '84200',
      balance_minor: '84200',
      payment_account_id: expect.anything(),
    })
    expect(await rows('select kind, booked_on::text from ledger_transaction where instance_id = $1')).toEqual(
      [{ kind: 'INVOICE', booked_on: TODAY }],
    )
    expect(
      await rows('select type, performed_date::text, status from collection_step where instance_id = $1'),
    ).toEqual([{ type: 'INVOICE', performed_date: '2026-11-02', status: 'PERFORMED' }])
  })

  test('comes a second time and changes nothing', async () => {
    const respaced = SE.replace(/>\s+</g, '><')
    for (const again of [SE, respaced]) {
      expect(await importOne(again)).toMatchObject({
        outcome: 'unchanged',
        paymentReference: OCR,
        zip: '11122',
      })
    }
    expect([await count('invoice'), await count('debtor'), await count('posting')]).toEqual([1, 1, 2])
  })

  test('of the same number with another content is refused', async () => {
    const result = await importOne(SE.replaceAll('842.00', '900.00'))
    expect(result).toMatchObject({ outcome: 'refused', invoiceNumber: '2026-70012', paymentReference: null })
    expect(result.reason).toMatch(
      /^file\.xml: Fjällström .* already has invoice 2026-70012 with another content/,
    )
    expect(await invoice('2026-70012')).toMatchObject({ total_minor: '84200' })
  })

  test('of another month shares debtor, creditor and reference', async () => {
    const next = SE.replace('2026-70012', '2026-80012')
    expect(await importOne(next)).toMatchObject({ outcome: 'created', paymentReference: OCR })
    expect([await count('creditor'), await count('debtor'), await count('payment_account')]).toEqual([
      1, 1, 1,
    ])
  })

  test('to another debtor with the same reference gets one of ours', async () => {
    const result = await importOne(
      SE.replace('2026-70012', '2026-70099').replaceAll('Alva Provlund', 'Elias Testholm'),
    )
    expect(result.outcome).toBe('created')
    expect(result.paymentReference).not.toBe(OCR)
    expect(isUsableReference(result.paymentReference ?? '', 'SE')).toBe(true)
    expect(result.warnings.join()).toMatch(/belongs to another debtor or creditor/)
    expect(await invoice('2026-70099')).toMatchObject({ original_reference: OCR })
  })

  test('for another creditor than the one asked for is refused', async () => {
    const creditorId = '01900000-0000-7000-8000-000000000000'
    expect(await importOne(SE, { as: 'distributed', creditorId })).toMatchObject({ outcome: 'refused' })
    const [row] = await rows('select id from creditor where instance_id = $1')
    expect(await importOne(SE, { as: 'distributed', creditorId: row?.['id'] ?? '' })).toMatchObject({
      outcome: 'unchanged',
    })
  })

  test('whose account belongs to another creditor does not take it', async () => {
    const thief = SE.replaceAll('Fjällström Demo Energi AB', 'Pulsverket Demo Gym AB')
      .replaceAll('5599990024', '5599990032')
      .replace('SE559999002401', 'SE559999003201')
    const result = await importOne(thief)
    expect(result).toMatchObject({ outcome: 'created' })
    expect(result.warnings.join('\n')).toMatch(/account 9990-0227 belongs to another creditor/)
    expect(await invoice('2026-70012').then(() => count('payment_account'))).toBe(1)
  })

  test('over nothing is settled from the start', async () => {
    const nothing = SE.replace('2026-70012', '2026-0').replaceAll('842.00', '0.00')
    expect(await importOne(nothing)).toMatchObject({ outcome: 'created' })
    expect(await invoice('2026-0')).toMatchObject({ status: 'CLOSED', balance_minor: '0' })
  })

  test('as a draft is not owed', async () => {
    expect(await importOne(SE.replace('2026-70012', '2026-D'), { as: 'draft' })).toMatchObject({
      outcome: 'created',
    })
    expect(await invoice('2026-D')).toMatchObject({ status: 'CREATED', sent_date: null, balance_minor: '0' })
  })

  test('with an attachment keeps it as a document', async () => {
    expect(await importOne(fixture('se-invoice-with-pdf.xml'))).toMatchObject({ outcome: 'created' })
    const documents = await rows(
      `select d.topic, d.name_raw, f.mime_type, convert_from(substr(f.content, 1, 5), 'UTF8') as head
       from document d join file f on f.instance_id = d.instance_id and f.id = d.file_id where d.instance_id = $1`,
    )
    expect(documents).toEqual([
      {
        topic: 'CONNECTED_FILE',
        name_raw: 'Specifikation oktober.pdf',
        mime_type: 'application/pdf',
        head: '%PDF-',
      },
    ])
  })
})

describe('one call with many files', () => {
  beforeAll(begin)

  test('takes the good ones and refuses the others, each with file, place and reason', async () => {
    const results = await importAll({
      'no.xml': fixture('no-invoice.xml'),
      'broken.xml': SE.slice(0, 2000),
      'dtd.xml': `<!DOCTYPE x>${SE.replace(/<\?xml.*?\?>/, '')}`,
      'dk.xml': fixture('dk-invoice.xml'),
      'amount.xml': SE.replace('"SEK">842.00</cbc:Pay', '"SEK">x</cbc:Pay'),
      'table.csv': 'a;b',
      'fi.xml': fixture('fi-invoice.xml'),
      'rf.xml': fixture('fi-invoice-rf.xml'),
      'twin.xml': fixture('no-invoice.xml'),
      'plusgiro.xml': fixture('se-invoice-plusgiro.xml'),
    })
    const outcomes = Object.fromEntries(Object.entries(results).map(([file, r]) => [file, r.outcome]))
    expect(outcomes).toEqual({
      'no.xml': 'created', 'broken.xml': 'refused', 'dtd.xml': 'refused', 'dk.xml': 'created',
      'amount.xml': 'refused', 'table.csv': 'refused', 'fi.xml': 'created', 'rf.xml': 'created',
      'twin.xml': 'unchanged', 'plusgiro.xml': 'created',
    }) // biome-ignore format: a table
    expect(results['broken.xml']?.reason).toMatch(
      /^broken\.xml, .*line \d+, column \d+: This is not well-formed XML/,
    )
    expect(results['dtd.xml']?.reason).toMatch(/^dtd\.xml, line 1, column \d+: A document type/)
    expect(results['amount.xml']?.reason).toMatch(
      /^amount\.xml, Invoice\/LegalMonetaryTotal\/PayableAmount, line \d+/,
    )
    expect(results['table.csv']?.reason).toMatch(/^table\.csv: Only UBL XML/)
    expect(results['fi.xml']?.paymentReference).toBe('2026111201')
    expect(isUsableReference(results['rf.xml']?.paymentReference ?? '', 'FI')).toBe(true)
    expect((await invoice('V-2026-12'))['original_reference']).toMatch(/^RF/)
    expect(await count('invoice')).toBe(5)
  })

  test('one that the database refuses does not refuse its neighbours', async () => {
    await built.owner.query(`create function refuse_g2() returns trigger language plpgsql as
      $$ begin if new.invoice_number = 'G-2' then raise exception 'no'; end if; return new; end $$;
      create trigger refuse_g2 before insert on invoice for each row execute function refuse_g2()`)
    const results = await importAll({
      'good-1.xml': SE.replace('2026-70012', 'G-1'),
      'bad.xml': SE.replace('2026-70012', 'G-2').replaceAll('Alva Provlund', 'Nils Fiktivgren'),
      'good-2.xml': SE.replace('2026-70012', 'G-3'),
    })
    await built.owner.query('drop function refuse_g2 cascade')
    expect(Object.values(results).map((r) => [r.file, r.outcome])).toEqual([
      ['good-1.xml', 'created'],
      ['bad.xml', 'refused'],
      ['good-2.xml', 'created'],
    ])
    expect(results['bad.xml']?.reason).toMatch(/^bad\.xml: .*fault in the program/)
    expect(await rows("select id from debtor where instance_id = $1 and name = 'Nils Fiktivgren'")).toEqual(
      [],
    )
  })

  test('broken off between batches keeps what was answered, and goes on the next time', async () => {
    const inputs = Array.from({ length: 450 }, (_, n) =>
      input(`${n}.xml`, SE.replace('2026-70012', `C-${n}`)),
    )
    let batches = 0
    const dying: Database = {
      ...built.db,
      transaction: (work) => {
        batches += 1
        if (batches > 1) throw Object.assign(new Error('terminated'), { code: '57P01' })
        return built.db.transaction(work)
      },
    }
    const context = { db: dying, clock: testClock(), log: pino({ level: 'silent' }) }
    const answered: string[] = []
    const run = async (): Promise<void> => {
      for await (const r of importInvoices(context, instance, inputs, { as: 'distributed' }))
        answered.push(r.outcome)
    }
    await expect(run()).rejects.toThrow('terminated')
    // A whole batch and no more was answered before the database went away.
    expect(new Set(answered)).toEqual(new Set(['created']))
    expect(answered.length).toBeLessThan(inputs.length)
    const outcomes = { created: 0, unchanged: 0, refused: 0 }
    for await (const r of importInvoices({ ...context, db: built.db }, instance, inputs, {
      as: 'distributed',
    })) {
      outcomes[r.outcome] += 1
    }
    expect(outcomes).toEqual({
      created: inputs.length - answered.length,
      unchanged: answered.length,
      refused: 0,
    })
  })
})

describe('two imports at once', () => {
  beforeAll(begin)

  test('create each invoice exactly once', async () => {
    const files: Record<string, string> = {}
    for (let n = 0; n < 60; n++) {
      files[`${n}.xml`] = SE.replace('2026-70012', `R-${n}`).replaceAll('Alva Provlund', `Alva ${n % 7}`)
    }
    const backwards = Object.fromEntries(Object.entries(files).reverse())
    const answers = await Promise.all([importAll(files), importAll(backwards), importAll(files)])
    for (const name of Object.keys(files)) {
      const outcomes = answers.map((answer) => answer[name]?.outcome ?? '').sort((a, b) => a.localeCompare(b))
      expect(outcomes).toEqual(['created', 'unchanged', 'unchanged'])
      expect(new Set(answers.map((answer) => answer[name]?.paymentReference)).size).toBe(1)
    }
    expect([await count('invoice'), await count('posting')]).toEqual([60, 120])
  })

  test('apply a credit note exactly once', async () => {
    await importOne(SE)
    const answers = await Promise.all([importOne(NOTE), importOne(NOTE), importOne(NOTE)])
    expect(answers.map((answer) => answer.outcome).sort((a, b) => a.localeCompare(b))).toEqual([
      'created',
      'unchanged',
      'unchanged',
    ])
    expect(await invoice('2026-70012')).toMatchObject({ balance_minor: '70000' })
  })
})

describe('a credit note', () => {
  beforeAll(begin)
  const over = (amount: string, number: string): string =>
    NOTE.replaceAll('142.00', amount).replace('K-2026-0031', number)

  test('is applied to its invoice, also when it comes first in the call', async () => {
    const results = await importAll({ 'note.xml': NOTE, 'invoice.xml': SE })
    expect(results['note.xml']).toMatchObject({
      outcome: 'created',
      invoiceNumber: 'K-2026-0031',
      paymentReference: OCR,
    })
    expect(await invoice('2026-70012')).toMatchObject({ status: 'ACTIVATED', balance_minor: '70000' })
    expect(
      await rows("select type from collection_step where instance_id = $1 and type = 'CREDIT_INVOICE'"),
    ).toHaveLength(1)
  })

  test('comes a second time and changes nothing', async () => {
    expect(await importOne(NOTE)).toMatchObject({ outcome: 'unchanged', paymentReference: OCR })
    expect(await invoice('2026-70012')).toMatchObject({ balance_minor: '70000' })
  })

  test('of the same number with another content is refused', async () => {
    expect(await importOne(over('1.00', 'K-2026-0031'))).toMatchObject({ outcome: 'refused' })
  })

  test('over more than the invoice, with what is credited already, is refused', async () => {
    const result = await importOne(over('700.01', 'K-2'))
    expect(result.reason).toMatch(
      /credit of 700\.01 is more than invoice 2026-70012 .*842\.00 SEK, of which 142\.00/,
    )
    expect(await invoice('2026-70012')).toMatchObject({ balance_minor: '70000' })
  })

  test('over the rest closes the invoice, and the next is refused', async () => {
    expect(await importOne(over('700.00', 'K-3'))).toMatchObject({ outcome: 'created', warnings: [] })
    expect(await invoice('2026-70012')).toMatchObject({ status: 'CLOSED', balance_minor: '0' })
    const late = await importOne(over('5.00', 'K-4'))
    expect(late.reason).toMatch(/more than invoice 2026-70012 .*of which 842\.00 is credited already/)
    expect(await invoice('2026-70012')).toMatchObject({ status: 'CLOSED', balance_minor: '0' })
  })

  test('about an invoice that we do not hold becomes a credit invoice', async () => {
    const stray = over('10.00', 'K-5').replace('>2026-70012<', '>ELSEWHERE<')
    expect(await importOne(stray)).toMatchObject({ outcome: 'created', warnings: [] })
    expect(await invoice('K-5')).toMatchObject({
      type: 'CREDIT_INVOICE',
      status: 'ACTIVATED',
      balance_minor: '-1000',
    })
    expect(await importOne(stray)).toMatchObject({ outcome: 'unchanged' })
  })

  test('about a draft is refused', async () => {
    await importOne(SE.replace('2026-70012', 'D-1'), { as: 'draft' })
    const result = await importOne(over('10.00', 'K-7').replace('>2026-70012<', '>D-1<'))
    expect(result.reason).toMatch(/Invoice D-1 has not been sent yet/)
  })

  test('in another currency than the invoice is refused', async () => {
    await importOne(SE.replace('2026-70012', 'S-1'))
    const euros = over('10.00', 'K-6').replace('>2026-70012<', '>S-1<').replaceAll('SEK', 'EUR')
    expect((await importOne(euros)).reason).toMatch(/credit note is in EUR and invoice S-1 in SEK/)
  })

  test('is what an invoice over less than nothing becomes', async () => {
    const negative = SE.replace('2026-70012', 'N-1').replaceAll('>842.00<', '>-842.00<')
    expect(await importOne(negative)).toMatchObject({ outcome: 'created' })
    expect(await invoice('N-1')).toMatchObject({ type: 'CREDIT_INVOICE', total_minor: '-84200' })
  })
})

describe('where the debtor takes electronic invoices', () => {
  beforeAll(begin)

  const at = (endpoint: string, number: string): string =>
    SE.replace('2026-70012', number).replace(/(<cac:AccountingCustomerParty>\s*<cac:Party>)/, `$1${endpoint}`)
  const kept = async () =>
    (await rows('select electronic_address from debtor where instance_id = $1')).map(
      (row) => row['electronic_address'],
    )

  test('is kept with the debtor, and changes with a later invoice', async () => {
    await importOne(SE.replace('2026-70012', 'E-0'))
    expect(await kept()).toEqual([null])
    const first = at('<cbc:EndpointID schemeID="0007">5599990040</cbc:EndpointID>', 'E-1')
    await importOne(first)
    expect(await kept()).toEqual(['0007:5599990040'])
    await importAll({
      a: at('<cbc:EndpointID schemeID="0088"> 7300010000001 </cbc:EndpointID>', 'E-2'),
      b: SE.replace('2026-70012', 'E-3'),
    })
    expect(await kept()).toEqual(['0088:7300010000001'])
    expect(await importOne(first)).toMatchObject({ outcome: 'unchanged' })
    expect(await kept()).toEqual(['0088:7300010000001'])
  })

  test('is no part of what the invoice says', async () => {
    const other = at('<cbc:EndpointID schemeID="0007">5599990057</cbc:EndpointID>', 'E-1')
    expect(await importOne(other)).toMatchObject({ outcome: 'unchanged' })
  })

  test.each([
    ['an e-mail address', '<cbc:EndpointID schemeID="EM">faktura@example.com</cbc:EndpointID>'],
    ['no scheme', '<cbc:EndpointID>5599990040</cbc:EndpointID>'],
    ['nothing', '<cbc:EndpointID schemeID="0007"></cbc:EndpointID>'],
    ['marks', '<cbc:EndpointID schemeID="0007">5599/../1?x=1</cbc:EndpointID>'],
    ['too much', `<cbc:EndpointID schemeID="0007">${'1'.repeat(51)}</cbc:EndpointID>`],
  ])('%s is no address', async (name, endpoint) => {
    const before = await kept()
    expect(await importOne(at(endpoint, `E-${name}`))).toMatchObject({ outcome: 'created', warnings: [] })
    expect(await kept()).toEqual(before)
  })

  test('two imports at once of many debtors each end', async () => {
    await begin()
    const files = (scheme: string): Record<string, string> =>
      Object.fromEntries(
        Array.from({ length: 30 }, (_, n) => [
          `${scheme}-${n}.xml`,
          at(`<cbc:EndpointID schemeID="${scheme}">${n}</cbc:EndpointID>`, `${scheme}-${n}`).replaceAll(
            'Alva Provlund',
            `Alva Provlund ${scheme === '0007' ? n : 29 - n}`,
          ),
        ]),
      )
    const both = await Promise.all([importAll(files('0007')), importAll(files('0088'))])
    for (const results of both) {
      expect(new Set(Object.values(results).map(({ outcome }) => outcome))).toEqual(new Set(['created']))
    }
    expect(await kept()).toHaveLength(30)
  })
})

describe('a credit note about an invoice in a claim', () => {
  beforeAll(begin)

  test('takes it off the claim, principal first, and with the last of it the fees', async () => {
    await importOne(SE)
    const clock = testClock()
    for (const after of NIGHTS_TO_CLAIM) {
      clock.moveTo(addDays(date('2026-12-02'), after))
      const context = { db: built.db, clock, log: pino({ level: 'silent' }) }
      await runNight(context, instance, clock.today(instance.timeZone))
    }
    const claim = async () =>
      (await rows('select status, principal_minor, costs_minor from claim where instance_id = $1'))[0]
    expect(await claim()).toEqual({ status: 'OPEN', principal_minor: '84200', costs_minor: '24000' })
    expect(await importOne(NOTE)).toMatchObject({ outcome: 'created' })
    expect(await importOne(NOTE)).toMatchObject({ outcome: 'unchanged' })
    expect(await claim()).toMatchObject({ status: 'OPEN', principal_minor: '70000' })
    expect(await invoice('2026-70012')).toMatchObject({ status: 'ACTIVATED', balance_minor: '0' })
    const rest = NOTE.replaceAll('142.00', '700.00').replace('K-2026-0031', 'K-2026-0032')
    expect(await importOne(rest)).toMatchObject({ outcome: 'created' })
    expect(await claim()).toEqual({ status: 'CLOSED', principal_minor: '0', costs_minor: '0' })
  })
})
