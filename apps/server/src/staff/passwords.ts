/** Passwords are kept as argon2id hashes, each with its own salt and costs (OWASP's password storage sheet: 19 MiB, two passes). */
import { hash, verify } from '@node-rs/argon2'

const COSTS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export function hashPassword(password: string): Promise<string> {
  return hash(password, COSTS)
}

let nobody: Promise<string> | undefined

/** Is it the password of this hash? Takes as long when there is none, so that nobody learns who has one. */
export async function isPassword(kept: string | null, password: string): Promise<boolean> {
  nobody ??= hashPassword('nobody has this password')
  const isRight = await verify(kept ?? (await nobody), password)
  return kept !== null && isRight
}
