/**
 * Run before each test file of the server, so that these hooks are the file's own: a module that is imported stays loaded
 * from one file to the next (vitest.config.ts), and a hook that is made inside of another, such as beforeAll, is never called.
 */
import { afterAll, afterEach } from 'vitest'
import { closeAll } from './close-afterwards.ts'
import { expectRightBooks, expectRightBooksAtEnd } from './test-database.ts'

afterAll(async () => {
  try {
    await expectRightBooksAtEnd()
  } finally {
    await closeAll()
  }
})
afterEach(expectRightBooks)
