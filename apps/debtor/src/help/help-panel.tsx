import type { ConversationKind } from '@kvitt/domain/conversations/conversation.ts'
import type { ClientAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { Disclosure } from '@kvitt/ui/components/disclosure.tsx'
import { AnswerLink, type ArticleName } from '../shell/answer-link.tsx'
import { dialled } from '../shell/tel-href.ts'
import { TrustLink } from '../shell/trust-link.tsx'
import { t, type MessageId } from '../text.ts'
import css from './help-panel.module.css'

export type Topic = 'why' | 'content' | 'respite' | 'dispute' | 'address' | 'delivery' | 'other'

/** What can be asked of the creditor. */
export type AskKind = ConversationKind

/** `article`: what says more. */
type Texts = { title: MessageId; answer: MessageId; act?: MessageId; article: ArticleName }

/** What can still be asked of a debt that is closed. */
const OF_CLOSED: readonly string[] = ['content', 'address', 'delivery', 'other']

const TOPICS: Readonly<Record<Topic, Texts>> = {
  why: { title: 'help.why_reminder', answer: 'help.why_reminder_answer', article: 'why-reminder' },
  content: {
    title: 'help.content_wrong',
    answer: 'help.content_wrong_answer',
    act: 'talk.ask',
    article: 'wrong-amount',
  },
  respite: {
    title: 'help.respite',
    answer: 'help.respite_answer',
    act: 'request.more_time',
    article: 'more-time',
  },
  dispute: { title: 'help.dispute', answer: 'help.dispute_answer', act: 'dispute.title', article: 'dispute' },
  address: { title: 'help.wrong_address', answer: 'help.wrong_address_answer', article: 'wrong-address' },
  delivery: { title: 'help.other_delivery', answer: 'help.other_delivery_answer', article: 'other-delivery' },
  other: {
    title: 'help.other_question',
    answer: 'help.other_question_answer',
    act: 'talk.ask',
    article: 'other-question',
  },
}

/** What stands in the place of an invoice's texts. */
export type OtherTexts = Readonly<Partial<Record<Topic, Partial<Texts>>>>

const topicId = (topic: Topic) => `help-${topic}`

/** Opens one topic and brings it into view, with the focus on it. */
export function openHelpTopic(topic: Topic): void {
  const details = document.getElementById(topicId(topic))
  if (!(details instanceof HTMLDetailsElement)) return
  details.open = true
  details.querySelector('summary')?.focus({ preventScroll: true })
  details.scrollIntoView({ block: 'center' })
}

type TopicsProps = {
  isClosed: boolean
  client: ClientAnswer | undefined
  others?: OtherTexts | undefined
  /** Left out when there is nothing to dispute. */
  onDispute: (() => void) | undefined
  /** Left out when there is nothing to ask about. */
  onAsk: ((kind: AskKind) => void) | undefined
}

/** The questions of the specification, each with a short answer and where one is needed an action. */
export function HelpTopics({ isClosed, client, others, onDispute, onAsk }: TopicsProps) {
  const topics = (Object.keys(TOPICS) as Topic[]).filter((topic) => !isClosed || OF_CLOSED.includes(topic))
  const textsOf = (topic: Topic): Texts => ({ ...TOPICS[topic], ...others?.[topic] })
  const actionOf = (topic: Topic) => {
    const { act } = textsOf(topic)
    const press = topic === 'dispute' ? onDispute : !isClosed && onAsk
    return (
      act &&
      press && (
        <div className={css.action}>
          <Button look="secondary" onClick={() => press(topic === 'respite' ? 'MORE_TIME' : 'QUESTION')}>
            {t(act)}
          </Button>
        </div>
      )
    )
  }
  return topics.map((topic) => (
    <Disclosure key={topic} id={topicId(topic)} group="help" title={t(textsOf(topic).title)}>
      <p className={css.answer}>{t(textsOf(topic).answer)}</p>
      {topic === 'content' && client && <SupplierLines client={client} named />}
      <AnswerLink article={textsOf(topic).article} />
      {actionOf(topic)}
    </Disclosure>
  ))
}

/** Help on an invoice or a claim: the questions, and the way to a person. */
export function HelpPanel({ onContact, ...topics }: TopicsProps & { onContact: () => void }) {
  return (
    <section className={css.section} aria-labelledby="help-heading">
      <h2 id="help-heading" className={css.heading}>
        {t('help.title')}
      </h2>
      <div className={css.topics}>
        <HelpTopics {...topics} />
      </div>
      <div className={css.contact}>
        <Button look="secondary" icon="mail" onClick={onContact}>
          {t('help.contact_us')}
        </Button>
        <TrustLink about="trust.genuine" />
      </div>
    </section>
  )
}

/** The sender's address and how to reach it. */
export function SupplierLines({ client, named = false }: { client: ClientAnswer; named?: boolean }) {
  const { address, address2, zip, city } = client.addressInformation
  const { email, phone } = client.contactInformation
  const place = [zip, city].filter(Boolean).join(' ')
  return (
    <address className={css.supplier}>
      {named && <strong>{client.name}</strong>}
      {[address, address2, place].filter(Boolean).map((line) => (
        <span key={line}>{line}</span>
      ))}
      {/* A creditor's number is of a country that nobody told. */}
      {phone && <a href={`tel:${dialled(phone)}`}>{phone}</a>}
      {email && <a href={`mailto:${email}`}>{email}</a>}
    </address>
  )
}
