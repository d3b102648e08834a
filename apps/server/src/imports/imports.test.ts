import pino from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { isUsableReference } from '@kvitt/domain/references.ts'
import type { Database } from '../platform/database/database.ts'
import { testClock, TODAY } from '../testing/build.ts'
import {
  begin,
  built,
  count,
  fixture,
  importAll,
  importOne,
  input,
  instance,
  invoice,
  NOTE,
  OCR,
  rows,
  SE,
  useImports,
} from '../testing/debts/imported.ts'
import { importInvoices } from './imports.ts'

useImports()

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
