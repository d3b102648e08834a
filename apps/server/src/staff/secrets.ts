/** What proves somebody is 256 random bits, or a key that we made: a plain hash of it is all that is kept. */
import { createHash } from 'node:crypto'

export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
