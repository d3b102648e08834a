import { queries } from '../src/calls.ts'
import { debtOfInvoice } from '../src/debts/debt.ts'
import { AgainButton } from '../src/help/again-button.tsx'
import AskDialog from '../src/help/ask-dialog.tsx'
import { Asked } from '../src/help/asking.tsx'
import RequestDialog from '../src/help/request-dialog.tsx'
import type { RequestKind } from '../src/help/request-texts.ts'
import { conversationsQuery, requestTermsQuery, type Thread } from '../src/help/conversation-calls.ts'
import { Consequences, DebtSubject } from '../src/help/debt-subject.tsx'
import Said from '../src/help/said.tsx'
import { Talk } from '../src/help/talk.tsx'
import { WriteMore } from '../src/help/write-more.tsx'
import type { Part } from './part.ts'
import { Opened, Pressed } from './pressed.tsx'
import { ENERGY_LOGO, invoice, keyOf } from './samples.ts'

const nothing = () => {}

const words = (from: 'DEBTOR' | 'CREDITOR', text: string, date: string) => ({
  id: `${from} ${date}`,
  from,
  text,
  date,
  at: `${date}T09:00:00.000Z`,
})
const QUESTION = words('DEBTOR', 'Which period is this for?\nI moved out in September.', '2026-11-17')
const ANSWER = words('CREDITOR', 'It is for August and September, until the day you moved out.', '2026-11-18')

export const thread = (change: Partial<Thread> = {}): Thread => ({
  id: '1',
  kind: 'QUESTION',
  status: 'OPEN',
  askedOn: '2026-11-17',
  answerBy: '2026-11-23',
  counterUntil: null,
  wish: null,
  outcome: null,
  rests: false,
  messages: [QUESTION],
  files: [],
  ...change,
})
const RECEIPT = {
  id: 'a',
  fileName: 'a',
  fileNameRaw: 'Letter about the move, with quite a long name of its own.pdf',
  mimeType: 'application/pdf',
  size: 340_000,
  date: '2026-11-17',
} as const
const keep = (name: string, threads: Thread[]) =>
  queries.setQueryData(conversationsQuery(keyOf(name)).queryKey, threads)
keep('asked', [thread({ files: [RECEIPT] })])
keep('answered', [thread({ status: 'ANSWERED', answerBy: null, messages: [QUESTION, ANSWER] })])
keep('ended', [thread({ status: 'ENDED', answerBy: null })])
keep('requests', [
  thread({
    id: '2',
    kind: 'MORE_TIME',
    wish: { day: '2027-01-20', amount: null, how: null },
    rests: true,
    messages: [],
  }),
  thread({
    id: '3',
    kind: 'SAID_PAID',
    status: 'ANSWERED',
    answerBy: null,
    wish: { day: '2026-11-03', amount: 842, how: 'BANK' },
    outcome: { decision: 'FOUND', day: '2026-11-04', amount: 800, byRule: false },
    messages: [],
  }),
])
keep('countered', [
  thread({
    id: 'plan',
    kind: 'PLAN',
    status: 'COUNTERED',
    answerBy: null,
    counterUntil: '2026-12-01',
    wish: { day: '2026-12-25', amount: 100, how: null },
    outcome: { decision: 'COUNTER', day: '2026-12-25', amount: 310, byRule: false },
    rests: true,
    messages: [],
  }),
])
keep('proposed', [
  thread({
    kind: 'PLAN',
    wish: { day: '2026-12-25', amount: 100, how: null },
    rests: true,
    messages: [],
  }),
])
keep('silent', [])

const talk = (name: string, about = invoice()) => (
  <Talk
    debt={debtOfInvoice(keyOf(name), invoice())}
    about={about}
    logo={ENERGY_LOGO}
    onAsk={nothing}
    asking={undefined}
  />
)
export const subject = () => ({
  debt: debtOfInvoice(keyOf('261185'), invoice()),
  about: invoice(),
  logo: ENERGY_LOGO,
})
const TERMS = {
  moreTime: {
    from: '2026-12-06',
    to: '2027-02-15',
    atOnce: '2026-12-19',
    rests: true,
    interestGoesOn: false,
  },
  saidPaid: { from: '2026-10-20', to: '2026-11-17', most: 842, rests: true },
  plan: { from: '2026-11-24', to: '2027-01-18', least: 44, below: 842, rests: true },
}
const keepTerms = (name: string, terms: Partial<typeof TERMS>) =>
  queries.setQueryData(requestTermsQuery(keyOf(name)).queryKey, {
    moreTime: null,
    saidPaid: null,
    plan: null,
    ...terms,
  })
keepTerms('261185', TERMS)
keepTerms('beyond', { moreTime: { ...TERMS.moreTime, atOnce: null as never } })
keepTerms('nothing', {})
for (const name of ['countered', 'proposed', 'requests', 'silent', 'asked', 'answered', 'ended'])
  keepTerms(name, TERMS)
const request = (kind: RequestKind, name = '261185') => (
  <Opened
    show={(onClose) => (
      <RequestDialog
        {...subject()}
        debt={{ ...subject().debt, key: keyOf(name) }}
        kind={kind}
        onClose={onClose}
      />
    )}
  />
)
const ask = () => <Opened show={(onClose) => <AskDialog {...subject()} onClose={onClose} />} />

/** What is asked of a creditor. */
export const TALK_PARTS: readonly Part[] = [
  {
    name: 'Talk',
    place: 'payment',
    states: {
      'nothing was asked': () => talk('silent'),
      'waits for an answer': () => talk('asked'),
      answered: () => talk('answered'),
      'a request that waits, and one that is decided': () => talk('requests'),
      'a plan that waits for the creditor': () => talk('proposed'),
      'another plan that waits for the debtor': () => talk('countered'),
      'ended with the debt': () => talk('ended', invoice({ status: 'CLOSED' })),
    },
  },
  {
    name: 'Said',
    place: 'payment',
    states: {
      'nothing was sent along': () => (
        <Said
          {...subject()}
          debt={{ ...subject().debt, key: keyOf('asked') }}
          onAsk={nothing}
          asking={undefined}
        />
      ),
    },
  },
  {
    name: 'WriteMore',
    place: 'payment',
    states: {
      open: () => (
        <Pressed name="Write more">
          <WriteMore debtKey={keyOf('asked')} thread={thread()} />
        </Pressed>
      ),
    },
  },
  {
    name: 'AskDialog',
    states: { open: ask, 'sent without words': () => <Pressed name="Send">{ask()}</Pressed> },
  },
  {
    name: 'RequestDialog',
    states: {
      'more time, at once': () => request('MORE_TIME'),
      'more time, beyond the bounds': () => request('MORE_TIME', 'beyond'),
      'nothing to ask for': () => request('MORE_TIME', 'nothing'),
      'already paid': () => request('SAID_PAID'),
      'a plan of one’s own': () => request('PLAN'),
    },
  },
  {
    name: 'Asked',
    states: {
      'a file has failed': () => (
        <Asked
          title="Ask a question"
          debt={subject().debt}
          id="1"
          outgoing={{
            files: [{ id: 'a', file: new File(['x'], 'a.pdf'), state: 'failed', share: 0 }],
            refused: [],
            add: async () => {},
            remove: nothing,
            send: async () => true,
            sendAgain: async () => true,
          }}
          onFinish={nothing}
        />
      ),
    },
  },
  {
    name: 'DebtSubject',
    place: 'payment',
    isTogether: true,
    states: { 'of an invoice': () => <DebtSubject {...subject()} /> },
  },
  {
    name: 'Consequences',
    place: 'payment',
    isTogether: true,
    states: {
      two: () => (
        <Consequences
          lines={[
            ['send', 'It is sent.'],
            ['info', 'Nothing is paused.'],
          ]}
        />
      ),
    },
  },
  {
    name: 'AgainButton',
    place: 'payment',
    isTogether: true,
    states: {
      'one has failed': () => (
        <AgainButton
          outgoing={{
            files: [{ id: 'a', file: new File(['x'], 'a.pdf'), state: 'failed', share: 0 }],
            refused: [],
            add: async () => {},
            remove: nothing,
            send: async () => true,
            sendAgain: async () => true,
          }}
          sendFile={async () => {}}
        />
      ),
    },
  },
]
