import { ACCOUNT_FILES } from '@kvitt/domain/bank-files/told-days.ts'
import { ActDialog, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { Bar } from '@kvitt/office/frame/bar.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Chip } from '@kvitt/office/parts/chip.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountNumber, schemeName } from '../shell/account-number.ts'
import { Facts } from '../shell/facts.tsx'
import { useRight } from '../shell/me.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { accountsQuery, chooseFiles, confirmTold, reloadMoney, type BankAccount } from './bank-calls.ts'
import css from './bank.module.css'
import { HolderForm } from './holder-form.tsx'

/** How the bank's files of each account come, up to when it is told of, and what is missing. */
export default function AccountsPage() {
  usePageName(t('bank.accounts'))
  const found = useQuery(accountsQuery)
  useKeys({ Escape: () => goTo(hashOf({ view: 'payment-batches' })) })
  return (
    <>
      <Bar
        title={t('bank.accounts')}
        crumb={{ href: hashOf({ view: 'payment-batches' }), text: t('view.payment-batches') }}
      />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={3} />}
      {found.data?.accounts.map((account) => (
        <Account key={account.id} account={account} />
      ))}
    </>
  )
}

const spanText = ({ first, last }: BankAccount['missing'][number]): string =>
  first === last ? formatDay(first) : `${formatDay(first, 'short')} – ${formatDay(last, 'short')}`

function Account({ account }: { account: BankAccount }) {
  const { scheme, number, currency, receiverName, creditor, holder, files, since, toldTo, awaited, missing } =
    account
  const may = useRight('bank_files')
  const [form, setForm] = useState<'files' | 'told' | 'holder'>()
  const close = () => setForm(undefined)
  const isAsked = files !== null && files !== 'none'
  const name = `${schemeName(scheme)} ${accountNumber(scheme, number)}`
  return (
    <section className={css.part} aria-label={name}>
      <h2 className={css.head}>
        {name} {files === null && <Chip tone="outline">{t('bank.files.unset')}</Chip>}
        {missing.length > 0 && <Chip tone="bad">{t('bank.files.missing')}</Chip>}
      </h2>
      <Facts
        rows={[
          { id: 'whose', name: t('column.creditor'), value: creditor?.name ?? t('bank.accounts.own') },
          { id: 'receiver', name: t('proposal.name.receiverName'), value: receiverName },
          {
            id: 'holder',
            name: t('proposal.name.holder'),
            value: creditor && (holder === null ? t('bank.holder.unset') : t(`payee.holder.${holder}`)),
          },
          { id: 'currency', name: t('client.currency'), value: currency },
          {
            id: 'files',
            name: t('bank.files'),
            value: files === null ? t('bank.files.unset') : t(`bank.files.${files}`),
          },
          { id: 'since', name: t('bank.files.since'), value: since && formatDay(since) },
          { id: 'told', name: t('bank.files.told_to'), value: toldTo && formatDay(toldTo) },
          { id: 'awaited', name: t('bank.files.awaited'), value: awaited.map(spanText).join(', ') },
          { id: 'missing', name: t('bank.files.missing'), value: missing.map(spanText).join(', ') },
        ]}
      />
      {may && (
        <div className={css.acts}>
          <OfficeButton onClick={() => setForm('files')}>{t('bank.files.choose')}</OfficeButton>
          {creditor && <OfficeButton onClick={() => setForm('holder')}>{t('bank.holder')}</OfficeButton>}
          {isAsked && <OfficeButton onClick={() => setForm('told')}>{t('bank.files.confirm')}</OfficeButton>}
        </div>
      )}
      {form === 'holder' && <HolderForm account={account} onClose={close} onDone={close} />}
      {(form === 'files' || form === 'told') && (
        <ActDialog
          form={form === 'files' ? filesForm(account) : toldForm(account)}
          onCommit={({ files: chosen = '', to = '' }) =>
            form === 'files'
              ? chooseFiles(account.id, ACCOUNT_FILES.find((one) => one === chosen) ?? 'none')
              : confirmTold(account.id, to)
          }
          onClose={close}
          onDone={() => {
            close()
            reloadMoney()
          }}
        />
      )}
    </section>
  )
}

const filesForm = ({ files }: BankAccount): ActForm => ({
  title: t('bank.files.choose'),
  consequence: t('bank.files.choose.text'),
  fields: [
    {
      name: 'files',
      type: 'text',
      look: 'choice',
      label: t('bank.files'),
      mandatory: true,
      initial: files ?? 'daily_statement',
      choices: ACCOUNT_FILES.map((one) => ({
        value: one,
        text: t(`bank.files.${one}`),
        hint: t(`bank.files.${one}.text`),
      })),
    },
  ],
  commit: t('bank.files.choose'),
  done: t('bank.files.done'),
})

const toldForm = ({ since, missing, awaited }: BankAccount): ActForm => ({
  title: t('bank.files.confirm'),
  consequence: t('bank.files.confirm.text'),
  fields: [
    {
      name: 'to',
      type: 'text',
      look: 'date',
      label: t('bank.files.to'),
      mandatory: true,
      initial: (missing.at(-1) ?? awaited.at(-1))?.last ?? '',
      ...(since === null ? {} : { min: since }),
    },
  ],
  commit: t('bank.files.confirm'),
  done: t('bank.files.done'),
})
