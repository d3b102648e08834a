import type { DisputeFileAnswer } from '@kvitt/domain/disputes/dispute.contract.ts'
import { queries, readDebt } from '../src/calls.ts'
import AdBlock from '../src/help/ad-block.tsx'
import ContactDialog from '../src/help/contact-dialog.tsx'
import DisputeDialog from '../src/help/dispute-dialog.tsx'
import DisputeFiles from '../src/help/dispute-files.tsx'
import { FilePicker } from '../src/help/file-picker.tsx'
import { CLAIM_TOPICS } from '../src/help/claim-topics.ts'
import { HelpPanel } from '../src/help/help-panel.tsx'
import type { Outgoing } from '../src/help/outgoing.ts'
import { WrongCard } from '../src/help/wrong-card.tsx'
import { debtOfClaim, debtOfInvoice } from '../src/debts/debt.ts'
import css from './lab.module.css'
import type { Part } from './part.ts'
import { Opened, Pressed } from './pressed.tsx'
import { claim, claimKeyOf, CLIENT, ENERGY_LOGO, invoice, keyOf } from './samples.ts'

const nothing = () => {}

const sent = (id: string, fileNameRaw: string, size: number): DisputeFileAnswer => ({
  id,
  type: 'DISPUTE_FILE',
  topic: 'CONNECTED_FILE',
  fileName: id,
  fileNameRaw,
  mimeType: 'application/pdf',
  size,
  description: null,
  date: '2026-11-18',
})
const keep = (name: string, files: DisputeFileAnswer[]) =>
  queries.setQueryData(readDebt(keyOf(name), 'dispute-files', '/dispute/files').queryKey, files)
keep('two', [sent('a', 'Receipt of the meter reading.pdf', 340_000), sent('b', 'Letter.pdf', 2_400_000)])
keep('none', [])
keep(
  'ten',
  Array.from({ length: 10 }, (_, index) => sent(`${index}`, `Page ${index + 1}.pdf`, 50_000)),
)

const outgoing = (state: Outgoing['state'], name: string, more: Partial<Outgoing> = {}): Outgoing => ({
  id: name,
  file: new File(['x'.repeat(340_000)], name),
  state,
  share: 0,
  ...more,
})
const FILES = {
  files: [
    outgoing('waiting', 'receipt.pdf'),
    outgoing('sending', 'meter.jpg', { share: 0.4 }),
    outgoing('failed', 'a-letter-with-quite-a-long-name-of-its-own.pdf', { why: 'We got no answer.' }),
    outgoing('sent', 'photo.png'),
  ],
  refused: ['film.mov was not added: only PDF and pictures can be sent.'],
  add: async () => {},
  remove: nothing,
  send: async () => true,
  sendAgain: async () => true,
}

const panel = (isClosed: boolean, of: 'invoice' | 'claim' = 'invoice') => (
  <HelpPanel
    isClosed={isClosed}
    client={CLIENT}
    others={of === 'claim' ? CLAIM_TOPICS : undefined}
    onDispute={isClosed ? undefined : nothing}
    onAsk={isClosed ? undefined : nothing}
    onContact={nothing}
  />
)
const dispute = (of: 'invoice' | 'claim') => (
  <Opened
    show={(onClose) => (
      <DisputeDialog
        debt={
          of === 'claim'
            ? debtOfClaim(claimKeyOf('702369'), claim())
            : debtOfInvoice(keyOf('261185'), invoice())
        }
        about={of === 'claim' ? claim() : invoice()}
        logo={ENERGY_LOGO}
        onClose={onClose}
        onFailed={nothing}
      />
    )}
  />
)
const WHY = 'We could not register your dispute. Try again, or contact us.'

/** Questions, contact and disputes. */
export const HELP_PARTS: readonly Part[] = [
  {
    name: 'HelpPanel',
    place: 'facts',
    states: {
      'of an invoice': () => panel(false),
      'who sent it': () => <Pressed name="The invoice content is wrong">{panel(false)}</Pressed>,
      'a claim, how to dispute it': () => <Pressed name="Dispute">{panel(false, 'claim')}</Pressed>,
      'of what is closed': () => panel(true),
    },
  },
  {
    name: 'WrongCard',
    place: 'payment',
    states: {
      'of an invoice': () => <WrongCard failure={undefined} onDispute={nothing} onContact={nothing} />,
      'of a claim': () => (
        <WrongCard disputes="claim.dispute" failure={undefined} onDispute={nothing} onContact={nothing} />
      ),
      'a dispute has failed': () => <WrongCard failure={WHY} onDispute={nothing} onContact={nothing} />,
      'not to be disputed': () => <WrongCard failure={undefined} onDispute={undefined} onContact={nothing} />,
    },
  },
  {
    name: 'ContactDialog',
    states: {
      open: () => <Opened show={(onClose) => <ContactDialog reference="260115774523" onClose={onClose} />} />,
    },
  },
  {
    name: 'DisputeDialog',
    states: {
      'an invoice': () => dispute('invoice'),
      'a claim': () => dispute('claim'),
      'sent without a reason': {
        // The heading and the button are called the same; only one of them can be pressed.
        show: () => <Pressed name="Dispute invoice">{dispute('invoice')}</Pressed>,
      },
    },
  },
  {
    name: 'DisputeFiles',
    place: 'payment',
    states: {
      'two were sent': () => <DisputeFiles debtKey={keyOf('two')} isOpen />,
      'none was sent': () => <DisputeFiles debtKey={keyOf('none')} isOpen />,
      'no more fit': () => <DisputeFiles debtKey={keyOf('ten')} isOpen />,
    },
  },
  {
    name: 'FilePicker',
    place: 'payment',
    isTogether: true,
    states: {
      'on their way': () => (
        <div className={css.field}>
          <FilePicker label="Files" outgoing={FILES} onChoose={nothing} />
        </div>
      ),
    },
  },
  { name: 'AdBlock', isTogether: true, states: { links: () => <AdBlock /> } },
]
