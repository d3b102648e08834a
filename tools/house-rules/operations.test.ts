/** Nothing is repaired by hand in the database: what a person may change has a command, which says who did it. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')

/** The statements of a page that write, as a person would copy them. Making the two roles of a database is no repair. */
function writes(page: string): string[] {
  const blocks = [...page.matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, block]) => block ?? '')
  return blocks.flatMap(
    (block) => block.match(/\b(?:update\s+\w+\s+set|insert\s+into|delete\s+from|truncate)\b/gi) ?? [],
  )
}

test('the rule sees a statement that writes, and lets one pass that reads', () => {
  expect(writes('```sql\nupdate task set done_at = now();\nDELETE FROM file;\n```\n')).toHaveLength(2)
  expect(
    writes('```sql\nselect * from task where updated;\n```\nA person may not insert into it.\n'),
  ).toEqual([])
})

test.each(['docs/operations.md', 'docs/demo.md', 'README.md'])(
  '%s asks nobody to write SQL that changes rows',
  (page) => {
    expect(writes(read(page))).toEqual([])
  },
)
