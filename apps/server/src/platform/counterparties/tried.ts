/** What came of asking a counterparty for something that does not exist, with a certificate that is to be tried. */
import type { Tried } from '@kvitt/domain/instances/credential.ts'
import { oneLine } from '@kvitt/domain/plain-text.ts'
import type { TlsAnswer } from './mutual-tls.ts'

const LONGEST = 200

/** How TLS says that it does not want a certificate; in version 1.3 only once something is read. */
const OF_CERTIFICATE = /alert|certificate|ssl|tls|ECONNRESET|socket hang up/i

const detailOf = (text: string): string => oneLine(text).slice(0, LONGEST)

/** `isKnown`: the answer is one that only who is known gets, such as that there is no such thing. */
export async function tryOut(
  ask: () => Promise<TlsAnswer>,
  isKnown: (answer: TlsAnswer) => boolean,
): Promise<Tried> {
  let answer: TlsAnswer
  try {
    answer = await ask()
  } catch (error) {
    const { message } = error as Error
    const outcome = OF_CERTIFICATE.test(message) ? 'REFUSED' : 'NO_ANSWER'
    return { outcome, detail: detailOf(message) }
  }
  if (isKnown(answer)) return { outcome: 'ACCEPTED', detail: null }
  const outcome = answer.status >= 400 && answer.status < 500 ? 'REFUSED' : 'NO_ANSWER'
  return { outcome, detail: detailOf(`HTTP ${answer.status} ${answer.body}`) }
}
