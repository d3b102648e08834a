import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, PHONE, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

test('a task that rests with its debtor is in no list, and says why to whoever opens it by its address', async () => {
  const [made] = await product.readRows<{ task: string; flag: string; name: string }>(
    `with claim as (select c.* from claim c join instance n on n.id = c.instance_id and n.is_default where c.status = 'OPEN' order by c.id limit 1),
       flagged as (insert into debtor_flag (instance_id, id, debtor_id, kind, from_day, source, set_by, set_on)
         select instance_id, gen_random_uuid(), debtor_id, 'DEBT_RELIEF', current_date, 'Kronofogden', 'person:x', current_date
         from claim returning id, debtor_id, instance_id),
       asked as (insert into task (instance_id, id, kind, about, details, made_on)
         select instance_id, gen_random_uuid(), 'court_to_file', 'claim:' || id, '{}', current_date from claim returning id)
     select asked.id as task, flagged.id as flag, d.name from asked, flagged
     join debtor d on d.instance_id = flagged.instance_id and d.id = flagged.debtor_id`,
  )
  const { task = '', flag = '', name = '' } = made ?? {}
  expect(task).not.toBe('')
  try {
    const page = await browser.open({ viewport: DESK })
    await page.goto(`${product.address}/admin/#/tasks/${task}?lng=en`)
    await page.getByLabel('E-mail').fill('manager@kvitt.example')
    await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing that this person owes is collected for now').waitFor()
    await page.getByText(name).last().waitFor()
    await page.getByRole('heading', { name: 'File with the authority' }).waitFor()
    // Nobody is told to file it, and the list does not have it.
    expect(await page.getByText('The creditor wants the claim taken').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'File with the authority' }).count()).toBe(0)
    await expectAccessible(page, 'a task that rests')
    await page.setViewportSize(PHONE)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page, 'a task that rests, on a phone')
  } finally {
    await product.readRows(
      `update debtor_flag set ended_on = current_date, ended_by = 'person:x', end_reason = 'x' where id = $1 returning id`,
      [flag],
    )
    await product.readRows(
      `update task set done_at = now(), done_by = 'person:x' where id = $1 returning id`,
      [task],
    )
  }
})
