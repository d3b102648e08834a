import { canDisputeClaim } from '@kvitt/domain/claims/claim.ts'
import type { ClientAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { canDispute } from '@kvitt/domain/invoices/invoice.ts'
import { groupInFours } from '@kvitt/domain/references.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { CopyButton } from '@kvitt/ui/values/copy-value.tsx'
import { Icon, type IconName } from '@kvitt/ui/components/icon.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { goTo } from '@kvitt/ui/routes.ts'
import { usePageTitle } from '@kvitt/ui/shell/page-title.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { invoiceQuery } from '../calls.ts'
import { claimQuery, clientQuery } from '../debts/part-calls.ts'
import { useInstance } from '../instance.ts'
import { latePage } from '../late-page.tsx'
import { isSignedIn, type DebtKey } from '../session.ts'
import { Bar } from '../shell/bar.tsx'
import { CreditorPlate } from '../debts/creditor-plate.tsx'
import { debtOfClaim, debtOfInvoice } from '../debts/debt.ts'
import { Footer } from '../shell/footer.tsx'
import { LateDialogFailed } from '../shell/late-part-failed.tsx'
import { telHref } from '../shell/tel-href.ts'
import { TrustLink } from '../shell/trust-link.tsx'
import { t, type MessageId } from '../text.ts'
import { withMoreWords } from '../words.ts'
import { claimOf } from '../sign-in/open-session.ts'
import { homeHash } from '../views.ts'
import css from './customer-service-page.module.css'
import { CLAIM_TOPICS } from './claim-topics.ts'
import { HelpTopics, openHelpTopic, SupplierLines, type AskKind, type Topic } from './help-panel.tsx'

const DisputeDialog = latePage(() => withMoreWords(import('./dispute-dialog.tsx')), {
  failed: LateDialogFailed,
})

const Said = latePage(() => withMoreWords(import('./said.tsx')))

const NONE: DebtKey = { reference: '', zip: '' }

/** What the pair is of: the lookup of an invoice tells also of the claim that the invoice is part of. */
function useSubject(key: DebtKey | undefined) {
  const asksInvoice = key !== undefined && key.claimNumber === undefined
  const invoice = useQuery({ ...invoiceQuery(key ?? NONE), enabled: asksInvoice })
  const claimKey = asksInvoice ? invoice.data && claimOf(invoice.data, key) : key
  const claim = useQuery({ ...claimQuery(claimKey ?? NONE), enabled: claimKey !== undefined })
  const debtKey = claimKey ?? (invoice.data && key)
  const client = useQuery({ ...clientQuery(debtKey ?? NONE), enabled: debtKey !== undefined })
  const error = invoice.error ?? claim.error ?? client.error
  const found = { client: client.data, error }
  if (claimKey) {
    const debt = claim.data && debtOfClaim(claimKey, claim.data)
    const isDisputable = debt && canDisputeClaim(claim.data.status, debt.balanceMinor)
    const subject = debt && { debt, about: claim.data }
    return { ...found, others: CLAIM_TOPICS, dispute: isDisputable && subject, subject } as const
  }
  const debt = key && invoice.data && debtOfInvoice(key, invoice.data)
  const isDisputable = debt && canDispute(invoice.data.statuses.main, debt.balanceMinor)
  const subject = debt && { debt, about: invoice.data }
  return { ...found, others: undefined, dispute: isDisputable && subject, subject } as const
}

/** Three ways out first, then questions, and the people to talk to (specification section 2). */
export default function CustomerServicePage({ debtKey: key }: { debtKey: DebtKey | undefined }) {
  const instance = useInstance()
  const said = instance?.serviceTexts?.[currentLanguage()]
  const { client, dispute, subject, others, error } = useSubject(key)
  const [isDisputing, setDisputing] = useState(false)
  const [asking, setAsking] = useState<AskKind>()
  const [disputeFailure, setDisputeFailure] = useState<string>()
  usePageTitle(t('nav.customer_service'), instance?.name)

  const isRefused = error instanceof ApiRefusal && error.status < 500 && !isSignedIn()
  useEffect(() => {
    // A pair that opens nothing is no reason to be here.
    if (isRefused) goTo(homeHash(), { replace: true, state: { loginFailed: true } })
  }, [isRefused])

  const onDispute = dispute ? () => setDisputing(true) : undefined
  const onAsk = subject && setAsking
  const logo = client?.logotypeDocumentFileName ?? null
  return (
    <>
      <Bar signedIn place="customer-service" />
      <main className={`page ${css.page}`} tabIndex={-1}>
        <div className={css.top}>
          <h1 tabIndex={-1}>{t('nav.customer_service')}</h1>
          <p className={css.lead}>{t('service.lead')}</p>
          {said !== undefined && <p className={css.said}>{said}</p>}
        </div>
        <div className={css.left}>
          {disputeFailure && onDispute && (
            <MessageBox tone="bad">
              <p>{disputeFailure}</p>
            </MessageBox>
          )}
          <WaysOut onDispute={onDispute} />
          {subject && <Said {...subject} logo={logo} asking={asking} onAsk={setAsking} />}
          <section className={css.questions} aria-labelledby="questions-heading">
            <h2 id="questions-heading">{t('service.questions')}</h2>
            <div className={css.card}>
              <HelpTopics
                isClosed={false}
                client={client}
                others={others}
                onDispute={onDispute}
                onAsk={onAsk}
              />
            </div>
          </section>
        </div>
        <div className={css.right}>
          <ContactCard />
          {key && <ReferenceCard reference={key.reference} />}
          {client && <SenderCard client={client} />}
        </div>
      </main>
      <Footer />
      {isDisputing && dispute && (
        <DisputeDialog
          {...dispute}
          logo={logo}
          onClose={() => setDisputing(false)}
          onFailed={setDisputeFailure}
        />
      )}
    </>
  )
}

type Way = { icon: IconName; title: MessageId; text: MessageId; topic: Topic }

const WAYS: readonly Way[] = [
  { icon: 'parts', title: 'payment.cannot_pay', text: 'service.cannot_pay', topic: 'respite' },
  { icon: 'flag', title: 'service.wrong', text: 'service.wrong_text', topic: 'dispute' },
  { icon: 'tick', title: 'service.paid', text: 'wrong.text', topic: 'why' },
]

function WaysOut({ onDispute }: { onDispute: (() => void) | undefined }) {
  return (
    <ul className={css.card}>
      {WAYS.map(({ icon, title, text, topic }) => (
        <li key={topic}>
          <button
            type="button"
            className={css.way}
            onClick={() => (topic === 'dispute' && onDispute ? onDispute() : openHelpTopic(topic))}
          >
            <Icon name={icon} />
            <span>
              <span className={css.name}>{t(title)}</span>
              <span className={css.text}>{t(text)}</span>
            </span>
            <Icon name="chevron-right" size={20} />
          </button>
        </li>
      ))}
    </ul>
  )
}

function ContactCard() {
  const instance = useInstance()
  if (!instance) return null
  const { phone, email } = instance.contactInformation
  return (
    <section className={css.contact} aria-labelledby="contact-heading">
      <h2 id="contact-heading">{t('help.contact_us')}</h2>
      <p>
        {instance.name}, {instance.identificationNumber}
      </p>
      <p>
        <a className={css.phone} href={telHref(phone)}>
          {phone}
        </a>
      </p>
      <p className={css.mail}>
        <Icon name="mail" size={20} />
        <a href={`mailto:${email}`}>{email}</a>
      </p>
      <TrustLink about="trust.genuine" />
    </section>
  )
}

function SenderCard({ client }: { client: ClientAnswer }) {
  return (
    <section className={`${css.card} ${css.padded}`} aria-labelledby="sender-heading">
      <div className={css.who}>
        <CreditorPlate name={client.name} logo={client.logotypeDocumentFileName} />
        <div>
          <h2 id="sender-heading" className={css.small}>
            {t('service.sender')}
          </h2>
          <p className={css.name}>{client.name}</p>
        </div>
      </div>
      <SupplierLines client={client} />
    </section>
  )
}

function ReferenceCard({ reference }: { reference: string }) {
  return (
    <section className={`${css.card} ${css.padded}`} aria-labelledby="reference-heading">
      <h2 id="reference-heading" className={css.name}>
        {t('contact.quote')}
      </h2>
      <p className={css.reference}>
        <span>{groupInFours(reference)}</span>
        <CopyButton value={reference} label={t('contact.quote')} />
      </p>
    </section>
  )
}
