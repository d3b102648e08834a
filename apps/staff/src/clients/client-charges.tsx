import { NOT_AGREED } from '@kvitt/domain/ledger/charge-owner.ts'
import { dayText } from '@kvitt/office/parts/day-words.ts'
import { hashOf } from '@kvitt/office/place.ts'
import { momentText } from '@kvitt/office/parts/moment-text.ts'
import { Facts } from '../shell/facts.tsx'
import { useRight } from '../shell/me.ts'
import { t } from '../text.ts'
import { chargeOwnerForm, feeOf, noReminderFeeForm, ownerOf, reminderFeeForm } from './charge-forms.ts'
import { ClientAct } from './client-act.tsx'
import { proposeChargeOwner, proposeReminderFee, type ClientDetail } from './client-calls.ts'
import css from './clients.module.css'

/** What debtors are charged beside the invoices: whether a reminder fee is agreed, and whose fees and interest are. */
export function ClientCharges({ client, today }: { client: ClientDetail; today: string }) {
  const may = useRight('creditors')
  const { id, reminderFee, chargeOwners, feeNeedsAgreement, openProposals } = client
  const waits = (kind: OpenKind) => openProposals.find((one) => one.kind === kind)
  const now = chargeOwners.find(({ from }) => from <= today)
  const later = chargeOwners.filter(({ from }) => from > today)
  const holding = now ?? NOT_AGREED
  return (
    <section className={css.part}>
      <h3>{t('client.charges')}</h3>
      <Facts
        rows={[
          {
            id: 'fee',
            name: t('settings.reminder_fee'),
            value: !feeNeedsAgreement
              ? t('client.fee.by_law')
              : reminderFee
                ? t('client.fee.since', {
                    day: dayText(reminderFee.agreedOn, today),
                    source: reminderFee.source,
                  })
                : t('client.fee.none'),
          },
          { id: 'fees', name: t('client.owners.fees'), value: t(`client.owner.${holding.fees}`) },
          { id: 'interest', name: t('client.owners.interest'), value: t(`client.owner.${holding.interest}`) },
          { id: 'source', name: t('client.source'), value: now?.source ?? '' },
          { id: 'entered', name: t('client.entered'), value: now ? enteredText(now) : '' },
        ].filter(({ value }) => value !== '')}
      />
      {later.map((owner) => (
        <section key={`${owner.from} ${owner.enteredAt}`} className={css.terms}>
          <h4>{t('client.from_day', { day: dayText(owner.from, today) })}</h4>
          <Facts
            rows={[
              { id: 'fees', name: t('client.owners.fees'), value: t(`client.owner.${owner.fees}`) },
              {
                id: 'interest',
                name: t('client.owners.interest'),
                value: t(`client.owner.${owner.interest}`),
              },
              { id: 'source', name: t('client.source'), value: owner.source },
              { id: 'entered', name: t('client.entered'), value: enteredText(owner) },
            ]}
          />
        </section>
      ))}
      <Waiting proposal={waits('reminder_fee')} />
      <Waiting proposal={waits('charge_owner')} />
      <Waiting proposal={waits('agreement')} />
      {may && (
        <div className={css.acts}>
          {feeNeedsAgreement && !waits('reminder_fee') && (
            <ClientAct
              label={t(reminderFee ? 'client.fee.change' : 'client.fee.propose')}
              formFor={() => reminderFeeForm(reminderFee, today)}
              onCommit={(values) => proposeReminderFee(id, feeOf(values))}
            />
          )}
          {feeNeedsAgreement && reminderFee && !waits('reminder_fee') && (
            <ClientAct
              label={t('client.fee.end')}
              formFor={noReminderFeeForm}
              onCommit={() => proposeReminderFee(id, { agreedOn: null })}
            />
          )}
          {!waits('charge_owner') && (
            <ClientAct
              label={t('client.owners.propose')}
              formFor={() => chargeOwnerForm(now, today)}
              onCommit={(values) => proposeChargeOwner(id, ownerOf(values))}
            />
          )}
        </div>
      )}
    </section>
  )
}

type OpenProposal = ClientDetail['openProposals'][number]
type OpenKind = OpenProposal['kind']

/** What has been proposed, and where another person decides it. */
function Waiting({ proposal }: { proposal: OpenProposal | undefined }) {
  if (!proposal) return null
  return (
    <p>
      {t(`proposal.kind.${proposal.kind}`)}: {t('client.propose.done')}.{' '}
      <a href={hashOf({ view: 'proposals', id: proposal.id })}>{t('todo.open_proposal')}</a>
    </p>
  )
}

const enteredText = ({ enteredBy, enteredAt }: ClientDetail['chargeOwners'][number]): string =>
  `${enteredBy}, ${momentText(enteredAt)}`
