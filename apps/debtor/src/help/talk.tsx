import { canBeAskedAbout } from '@kvitt/domain/invoices/invoice.ts'
import { storedFile } from '@kvitt/ui/api.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { Icon, type IconName } from '@kvitt/ui/components/icon.tsx'
import { Tag, type Tone } from '@kvitt/ui/components/tag.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api, queries } from '../calls.ts'
import card from '../debts/side-card.module.css'
import type { DebtKey } from '../session.ts'
import { saveFile } from '@kvitt/ui/save-file.ts'
import look from '../shell/text-action.module.css'
import { t, type MessageId } from '../text.ts'
import AskDialog from './ask-dialog.tsx'
import type { AskKind } from './help-panel.tsx'
import { conversationsQuery, requestTermsQuery, type Thread } from './conversation-calls.ts'
import type { SubjectProps } from './debt-subject.tsx'
import { fileSizeText } from './file-picker.tsx'
import css from './talk.module.css'
import RequestDialog from './request-dialog.tsx'
import { PlanAnswer } from './plan-answer.tsx'
import { ASK_TEXTS, HOW_TEXTS, KIND_TEXTS, outcomeText, WISH_TEXTS } from './request-texts.ts'
import { WriteMore } from './write-more.tsx'

export type TalkProps = SubjectProps & {
  /** What is being asked now. */
  asking: AskKind | undefined
  onAsk: (kind: AskKind | undefined) => void
}

/** An invoice that is collected in a claim is asked about there. */
function canAsk(about: SubjectProps['about']): boolean {
  // As isOpenClaim, which would be a file of its own, named on the first page.
  if (!('statuses' in about)) return about.status !== 'CLOSED' && about.status !== 'STOPPED'
  const isInClaim = (about.collectionBatchNumber ?? about.collection_batch_number) !== null
  return canBeAskedAbout(about.statuses.main) && !isInClaim
}

/** What was asked of the creditor and what it has answered; and the way to ask. */
export function Talk({ onAsk, asking, ...subject }: TalkProps) {
  const debtKey = subject.debt.key
  const client = subject.about.clientName
  const mayAsk = canAsk(subject.about)
  const { data: threads } = useQuery(conversationsQuery(debtKey))
  const { data: terms } = useQuery({ ...requestTermsQuery(debtKey), enabled: mayAsk })
  const close = () => onAsk(undefined)
  const dialog =
    asking === 'QUESTION' ? (
      <AskDialog {...subject} onClose={close} />
    ) : (
      asking && <RequestDialog {...subject} kind={asking} onClose={close} />
    )
  // Where the electronic ID is asked for there is nothing to show, nor to ask.
  if (!threads || (threads.length === 0 && !mayAsk)) return dialog
  const isOffered = {
    QUESTION: true,
    MORE_TIME: terms?.moreTime,
    SAID_PAID: terms?.saidPaid,
    PLAN: terms?.plan,
  }
  // One of a kind waits at a time.
  const kinds = KINDS.filter(
    (kind) => isOffered[kind] && !threads.some((one) => WAITING.includes(one.status) && one.kind === kind),
  )
  return (
    <section className={card.card} aria-labelledby="talk-heading">
      <h2 id="talk-heading" className={card.heading}>
        {t('talk.title', { client })}
      </h2>
      {threads.map((thread) => (
        <Conversation
          key={thread.id}
          debtKey={debtKey}
          client={client}
          currency={subject.debt.currency}
          thread={thread}
        />
      ))}
      {mayAsk && (
        <p className={css.actions}>
          {kinds.map((kind) => (
            <Button key={kind} look="text" onClick={() => onAsk(kind)}>
              {t(ASK_TEXTS[kind])}
            </Button>
          ))}
        </p>
      )}
      {dialog}
    </section>
  )
}

/** In the order in which they are offered. */
const KINDS = ['QUESTION', 'MORE_TIME', 'PLAN', 'SAID_PAID'] as const
/** Somebody has to answer. */
const WAITING: readonly Thread['status'][] = ['OPEN', 'COUNTERED']

type State = { readonly tone: Tone; readonly icon: IconName; readonly text: MessageId }
const STATES: Readonly<Record<Thread['status'], State>> = {
  OPEN: { tone: 'info', icon: 'clock', text: 'talk.status.OPEN' },
  COUNTERED: { tone: 'warn', icon: 'clock', text: 'talk.status.COUNTERED' },
  ANSWERED: { tone: 'ok', icon: 'check', text: 'talk.status.ANSWERED' },
  ENDED: { tone: 'neutral', icon: 'check', text: 'talk.status.ENDED' },
}

type ThreadProps = { debtKey: DebtKey; client: string; currency: string; thread: Thread }

function Conversation({ debtKey, client, currency, thread }: ThreadProps) {
  const headingId = useId()
  const { kind, status, answerBy, counterUntil, messages, files } = thread
  const { tone, icon, text } = STATES[status]
  return (
    <article className={css.thread} aria-labelledby={headingId}>
      <h3 id={headingId} className={css.kind}>
        {t(KIND_TEXTS[kind])}
      </h3>
      <p>
        <Tag tone={tone} icon={icon}>
          {t(text)}
        </Tag>
      </p>
      <Request client={client} currency={currency} thread={thread} />
      {answerBy && <p className={css.who}>{t('talk.answers_by', { client, day: formatDay(answerBy) })}</p>}
      {counterUntil && (
        <p className={css.who}>
          {t('request.plan_answer_by', { day: formatDay(counterUntil) })}{' '}
          {thread.rests && t('request.plan_rests')}
        </p>
      )}
      {kind === 'PLAN' && WAITING.includes(status) && <PlanAnswer debtKey={debtKey} thread={thread} />}
      {messages.length > 0 && (
        <ol className={css.messages}>
          {messages.map(({ id, from, text: words, date }) => (
            <li key={id} className={css.message} data-from={from}>
              <p className={css.who}>
                {from === 'DEBTOR' ? t('talk.you') : client}, {formatDay(date)}
              </p>
              <p className={css.words}>{words}</p>
            </li>
          ))}
        </ol>
      )}
      <Files debtKey={debtKey} files={files} thread={thread.id} />
      {(status === 'OPEN' || (status === 'ANSWERED' && kind === 'QUESTION')) && (
        <WriteMore debtKey={debtKey} thread={thread} />
      )}
    </article>
  )
}

/** What is asked for, what was decided, and whether it rests until then. */
function Request({
  client,
  currency,
  thread: { kind, status, wish, outcome, rests },
}: Omit<ThreadProps, 'debtKey'>) {
  if (!wish || kind === 'QUESTION') return null
  const money = (amount: number | null) => formatMoney(minorOf(amount ?? 0), currency, currentLanguage())
  const how = wish.how ? t(HOW_TEXTS[wish.how]) : ''
  return (
    <>
      <p>{t(WISH_TEXTS[kind], { day: formatDay(wish.day), amount: money(wish.amount), how })}</p>
      {outcome && (
        <p className={css.outcome}>
          {t(outcomeText(kind, outcome.decision), {
            client,
            day: outcome.day ? formatDay(outcome.day) : '',
            amount: money(outcome.amount),
          })}
        </p>
      )}
      {rests && status === 'OPEN' && <p className={css.who}>{t('request.rests')}</p>}
    </>
  )
}

type FilesProps = { debtKey: DebtKey; thread: string; files: Thread['files'] }

/** The names open a file for a short time only, so each is asked for again. */
function Files({ debtKey, thread, files }: FilesProps) {
  const [isMissing, setMissing] = useState(false)
  const download = async (id: string) => {
    setMissing(false)
    try {
      const threads = await queries.fetchQuery({ ...conversationsQuery(debtKey), staleTime: 60_000 })
      const file = threads.find((one) => one.id === thread)?.files.find((one) => one.id === id)
      saveFile(await api.fetchFile(storedFile(file?.fileName ?? '')), file?.fileNameRaw ?? '')
    } catch {
      setMissing(true)
    }
  }
  if (files.length === 0) return null
  return (
    <>
      <ul aria-label={t('talk.files')}>
        {files.map(({ id, fileNameRaw, size }) => (
          <li key={id}>
            <button type="button" className={look.row} onClick={() => void download(id)}>
              <Icon name="download" size={20} />
              <span className={css.name}>{fileNameRaw}</span>
              <span className={css.who}>{fileSizeText(size)}</span>
            </button>
          </li>
        ))}
      </ul>
      {isMissing && <p role="alert">{t('files.missing')}</p>}
    </>
  )
}
