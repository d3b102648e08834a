import type { Journal } from '../journal.ts'

/** Ways that somebody is connected to, or not. */
export const CONNECTED_WAYS = ['digital_mailbox', 'electronic_invoice'] as const
export type ConnectedWay = (typeof CONNECTED_WAYS)[number]

/** An address and whether letters reach it. */
export interface Recipient {
  way: ConnectedWay
  /** A personal number of twelve digits, a VAT number, or an address in the network such as `0007:5599990040`. */
  address: string
  connected: boolean
}

/** Of the cast: one who pays in parts, and a company. Everybody else gets what they get on paper or by e-mail. */
const AT_FIRST: readonly Recipient[] = [
  { way: 'digital_mailbox', address: '197909189230', connected: true },
  { way: 'digital_mailbox', address: 'SE559999004001', connected: true },
  { way: 'electronic_invoice', address: '0007:5599990040', connected: true },
]

/** Who can be reached in a digital mailbox, and by electronic invoice. */
export interface Recipients {
  isConnected(way: ConnectedWay, address: string): boolean
  connect(recipient: Recipient): void
  all(): Recipient[]
  replay(recipient: Recipient): void
}

export function openRecipients(journal: Pick<Journal, 'append'>, report: (text: string) => void): Recipients {
  const known = new Map<string, Recipient>()
  const keep = (recipient: Recipient) => void known.set(`${recipient.way} ${recipient.address}`, recipient)
  for (const recipient of AT_FIRST) keep(recipient)
  return {
    isConnected: (way, address) => known.get(`${way} ${address}`)?.connected ?? false,
    connect(recipient) {
      journal.append({ type: 'recipient', recipient })
      keep(recipient)
      const word = recipient.connected ? 'is connected' : 'is no longer connected'
      report(
        `${recipient.way === 'digital_mailbox' ? 'Digital mailbox' : 'E-invoice'}: ${recipient.address} ${word}`,
      )
    },
    all: () => [...known.values()],
    replay: keep,
  }
}
