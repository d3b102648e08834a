/** Messages on their way, as an operator's people see them. */

export const MESSAGE_STATUSES = ['WAITING', 'SENT', 'DEAD', 'DROPPED'] as const
export const MESSAGE_CHANNELS = ['EMAIL', 'SMS', 'LETTER', 'DIGITAL_MAILBOX', 'ELECTRONIC_INVOICE'] as const
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number]

/**
 * What a person may do with a message. `resend`: it goes once more, from its first way on. `drop`: it is given up for good.
 * `mended`: what kept a letter of the schedule here has been mended, and the next daily run writes it again. `send-now`: it is not
 * waited for any longer. `other-way`: it goes on one of the ways that are left.
 */
export const MESSAGE_ACTS = ['resend', 'drop', 'mended', 'send-now', 'other-way'] as const
export type MessageAct = (typeof MESSAGE_ACTS)[number]
