import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { Panel } from '@kvitt/office/frame/panel.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { dayText } from '@kvitt/office/parts/day-words.ts'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { momentText } from '@kvitt/office/parts/moment-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { useQuery } from '@tanstack/react-query'
import { CourtInstructions } from '../debts/court-instructions.tsx'
import { Facts } from '../shell/facts.tsx'
import { useRight } from '../shell/me.ts'
import { PayeeAccountsOf } from '../shell/payee-accounts.tsx'
import { t } from '../text.ts'
import { agreementForm } from './agreement-form.ts'
import { ClientAct } from './client-act.tsx'
import { ClientCharges } from './client-charges.tsx'
import {
  changeContact,
  clientQuery,
  proposeAgreement,
  proposeFirstUser,
  type Agreement,
  type ClientDetail,
} from './client-calls.ts'
import { contactForm, managerForm } from './client-forms.ts'
import css from './clients.module.css'

type ClientPanelProps = { id: string; today: string; onClose: () => void }

/** One creditor, and all that was agreed with it. */
export function ClientPanel({ id, today, onClose }: ClientPanelProps) {
  const found = useQuery(clientQuery(id))
  const may = useRight('creditors')
  const client = found.data
  if (!client) {
    return (
      <Panel kind={t('column.creditor')} title={t('column.creditor')} onClose={onClose}>
        {found.isError ? (
          <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <ListWaiting rows={4} />
        )}
      </Panel>
    )
  }
  return (
    <Panel kind={t('column.creditor')} title={client.name} onClose={onClose}>
      <Contact client={client} />
      {may && <Manager client={client} />}
      <PayeeAccountsOf creditor={id} />
      <ClientCharges client={client} today={today} />
      <section className={css.part}>
        <h3>{t('settings.court')}</h3>
        <CourtInstructions
          instructions={client.courtInstructions}
          today={today as CalendarDate}
          may={may}
          creditor={id}
        />
      </section>
      <section className={css.part}>
        <h3>{t('client.agreements')}</h3>
        {client.agreements.length === 0 ? (
          <p className={css.none}>{t('client.nothing_agreed')}</p>
        ) : (
          client.agreements.map((agreement) => (
            <Terms
              key={`${agreement.from} ${agreement.enteredAt}`}
              agreement={agreement}
              today={today}
              isNow={agreement.enteredAt === client.agreement?.enteredAt}
            />
          ))
        )}
        {may && !client.openProposals.some(({ kind }) => kind === 'agreement') && (
          <ClientAct
            label={t('client.propose')}
            formFor={() => agreementForm(client.agreements[0], today)}
            onCommit={(values) => proposeAgreement(id, values)}
          />
        )}
      </section>
    </Panel>
  )
}

function Contact({ client }: { client: ClientDetail }) {
  const may = useRight('creditors')
  const { identificationNumber, countryCode, email, phone, address, address2, zip, city } = client
  const place = [zip, city].filter(Boolean).join(' ')
  return (
    <section className={css.first}>
      <Facts
        rows={[
          { id: 'number', name: t('client.number'), value: identificationNumber },
          { id: 'country', name: t('client.country'), value: countryCode },
          { id: 'email', name: t('debtor.email'), value: email },
          { id: 'phone', name: t('debtor.phone'), value: phone },
          {
            id: 'address',
            name: t('debtor.address'),
            value: [address, address2, place].filter(Boolean).join(', '),
          },
        ]}
      />
      {may && (
        <ClientAct
          label={t('client.contact.change')}
          formFor={() => contactForm(client)}
          onCommit={(values) => changeContact(client, values)}
        />
      )}
    </section>
  )
}

/** Who can invite the others of the creditor. */
function Manager({ client: { id, hasManager } }: { client: ClientDetail }) {
  return (
    <section className={css.part}>
      <h3>{t('client.manager')}</h3>
      <p className={css.none}>{t(hasManager ? 'client.manager.has' : 'client.manager.none')}</p>
      {!hasManager && (
        <ClientAct
          label={t('client.manager.propose')}
          formFor={managerForm}
          onCommit={(values) => proposeFirstUser(id, values)}
        />
      )}
    </section>
  )
}

const percent = (value: number): string =>
  new Intl.NumberFormat(currentLanguage(), { style: 'percent', maximumFractionDigits: 2 }).format(value / 100)

/** What holds from a day on. */
function Terms({ agreement, today, isNow }: { agreement: Agreement; today: string; isNow: boolean }) {
  const { currency, period, source, enteredAt, enteredBy, from } = agreement
  const money = (amount: number) => <Figure minor={minorOf(amount)} currency={currency} />
  return (
    <section className={css.terms}>
      <h4>
        {t('client.from_day', { day: dayText(from, today) })}
        {isNow && <span className={css.now}> · {t('client.holds')}</span>}
      </h4>
      <Facts
        rows={[
          {
            id: 'invoices',
            name: t('client.invoiceCommissionPercent'),
            value: percent(agreement.invoiceCommissionPercent),
          },
          {
            id: 'claims',
            name: t('client.claimCommissionPercent'),
            value: percent(agreement.claimCommissionPercent),
          },
          { id: 'payment', name: t('client.paymentPrice'), value: money(agreement.paymentPrice) },
          { id: 'case', name: t('client.casePrice'), value: money(agreement.casePrice) },
          { id: 'vat', name: t('client.vatPercent'), value: percent(agreement.vatPercent) },
          { id: 'period', name: t('client.period'), value: t(`client.period.${period}`) },
          { id: 'smallest', name: t('client.smallestPayout'), value: money(agreement.smallestPayout) },
          { id: 'currency', name: t('client.currency'), value: currency },
          { id: 'source', name: t('client.source'), value: source },
          {
            id: 'entered',
            name: t('client.entered'),
            value: `${enteredBy}, ${momentText(enteredAt)}`,
          },
        ]}
      />
    </section>
  )
}
