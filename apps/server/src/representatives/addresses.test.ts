/** Where letters go of whoever has a guardian, and of whose identity is protected, and who reads it in papers (M-36, M-37). */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { isOfProtected, readParties } from '../documents/documents.queries.ts'
import { insertContactRows, renewContactRows } from '../imports/parties.queries.ts'
import { isAnyProtected } from '../ledger/protected-persons.queries.ts'
import { readAddressee } from '../mail/outbox.queries.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let debt: BuiltInvoice

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  debt = await buildInvoice(server.test, server.instanceId, server.clock, { dueDate: addDays(TODAY, -1) })
})

const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
const flag = (kind: string, debtorId = debt.debtorId) =>
  sql(
    `insert into debtor_flag (instance_id, id, debtor_id, kind, from_day, source, set_by, set_on)
     values ($1, gen_random_uuid(), $2, $3, $4, 'x', 'test', $4)`,
    [server.instanceId, debtorId, kind, TODAY],
  )
const parties = (paper: 'sent' | 'shown') =>
  readParties(server.product.context.db, server.instanceId, debt.id, paper)
const addressee = () => readAddressee(server.product.context.db, server.instanceId, { invoiceId: debt.id })

test('c/o the guardian stands in what is sent alone, and only while a flag asks for one', async () => {
  await sql(
    `insert into representative (instance_id, id, debtor_id, kind, name, phone, address, zip, city, country, source, entered_by, entered_on)
     values ($1, gen_random_uuid(), $2, 'GUARDIAN', 'Gun', '91234567', 'Vårdgatan 3', '0150', 'Oslo', 'NO', 'x', 'test', $3)`,
    [server.instanceId, debt.debtorId, TODAY],
  )
  expect((await parties('sent')).is_to_guardian).toBe(false)
  await flag('MINOR')
  expect((await parties('sent')).debtor_address).toBe('c/o Gun, Vårdgatan 3')
  expect(JSON.stringify(await parties('shown'))).not.toMatch(/Vårdgatan|Oslo|0150/)
  expect(await addressee()).toMatchObject({ name: 'Gun', phone_country: 'NO' })
})

const told = (address: string | null, email: string | null = null) => ({
  creditor_id: debt.creditorId,
  debtor_id: debt.debtorId,
  name: 'Namn',
  email,
  phone: null,
  address,
  address2: null,
  zip: '11122',
  city: 'Stad',
})
const tell = (row: ReturnType<typeof told>) =>
  server.product.context.db.transaction(async (tx) => {
    await insertContactRows(tx, server.instanceId, [row])
    await renewContactRows(tx, server.instanceId, [row])
  })

test('of a protected person the newest told address stands, on paper as on the envelope; of others the first', async () => {
  await tell(told('Förstagatan 1', 'first@example.com'))
  await tell(told('Andragatan 2'))
  expect((await parties('shown')).debtor_address).toBe('Förstagatan 1')
  await flag('PROTECTED')
  await tell(told('Myndighetens box 3'))
  expect((await parties('sent')).debtor_address).toBe('Myndighetens box 3')
  expect((await addressee()).email, 'the one before may be read by others').toBeNull()
  await tell(told(null))
  expect((await parties('sent')).debtor_address, 'a file without a way to them says nothing').toBe(
    'Myndighetens box 3',
  )
})

test.each([
  ['SE:199002027777', '19900202-7777', 'SE:9002027777', '900202-7777', true],
  ['SE:9002027778', '900202-7778', 'SE:199002027778', '19900202-7778', true],
  ['SE:199002027779', '19900202-7779', 'NO:199002027779', '19900202-7779', true],
  ['SE:191002027771', '19100202-7771', 'SE:1002027771', '100202-7771', false],
  ['SE:191002027772', '19100202-7772', 'SE:1002027772', '100202+7772', true],
  ['SE:199002027773', '19900202-7773', 'SE:199002027774', '19900202-7774', false],
  ['NO:02029077775', '02029077775', 'DK:02029077775', '02029077775', false],
])('protected is each row of the person: %s (%s), %s (%s): %s', async (one, number, other, written, is) => {
  const sibling = await buildInvoice(server.test, server.instanceId, server.clock, { dueDate: TODAY })
  const set = 'update debtor set identity = $2, identification_number = $3 where id = $1'
  await sql(set, [debt.debtorId, one, number])
  await flag('PROTECTED')
  // As if it were imported after the flag.
  await sql(set, [sibling.debtorId, other, written])
  const { db } = server.product.context
  expect(await isAnyProtected(db, server.instanceId, [sibling.debtorId])).toBe(is)
  expect(await isAnyProtected(db, server.instanceId, [debt.debtorId])).toBe(true)
  expect(await isOfProtected(db, server.instanceId, sibling.id)).toBe(is)
})
