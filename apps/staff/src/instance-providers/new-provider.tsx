import { ActDialog, type ActField, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { useState } from 'react'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { t } from '../text.ts'
import css from './instance-provider-page.module.css'
import { makeProvider, type Made } from './provider-calls.ts'

const COUNTRIES = ['SE', 'NO', 'DK', 'FI'] as const

function formOfNew(): ActForm {
  const line = (name: string, label: string, more: Partial<ActField> = {}): ActField => ({
    name,
    type: 'text',
    label,
    mandatory: true,
    ...more,
  })
  return {
    title: t('instance.new'),
    consequence: t('instance.new.text'),
    fields: [
      line('name', t('debtor.name')),
      line('identificationNumber', t('client.number')),
      line('urlAlias', t('instance.alias'), { hint: t('instance.alias.hint') }),
      line('urlDomain', t('instance.domain'), { hint: t('instance.domain.hint') }),
      line('countryCode', t('instance.country'), {
        look: 'choice',
        initial: 'SE',
        hint: t('instance.country.hint'),
        choices: COUNTRIES.map((value) => ({ value, text: t(`instance.country.${value}`) })),
      }),
      line('mode', t('instance.mode'), {
        look: 'choice',
        initial: 'test',
        choices: (['test', 'live'] as const).map((value) => ({ value, text: t(`instance.mode.${value}`) })),
      }),
      line('contactInformation.phone', t('debtor.phone'), { type: 'phone' }),
      line('contactInformation.email', t('debtor.email'), { type: 'email' }),
      line('brandInformation.debtorPortalPrimaryBrandColor', t('instance.colour'), {
        hint: t('provider.colour.hint'),
        initial: '#0b5c6b',
      }),
      line('manager.name', t('instance.manager_name')),
      line('manager.email', t('instance.manager_email'), { type: 'email' }),
    ],
    commit: t('instance.new.commit'),
    done: t('instance.new.done'),
  }
}

/** Makes another instance, and says where its first manager begins: whoever makes it does not see it. */
export function NewProvider() {
  const [isOpen, setOpen] = useState(false)
  const [made, setMade] = useState<Made>()
  return (
    <section className={css.section}>
      <h2>{t('instance.new')}</h2>
      <p className={css.quiet}>{t('instance.new.text')}</p>
      <div role="status">
        {made && (
          <MessageBox tone="ok">
            {t('instance.made', { name: made.name, email: made.email, address: made.adminPortal })}
          </MessageBox>
        )}
      </div>
      <div className={css.acts}>
        <OfficeButton icon="plus" onClick={() => setOpen(true)}>
          {t('instance.new')}
        </OfficeButton>
      </div>
      {isOpen && (
        <ActDialog
          form={formOfNew()}
          onCommit={async (values, key) => setMade(await makeProvider(values, key))}
          remedyFor={remedyFor}
          onClose={() => setOpen(false)}
          onDone={() => setOpen(false)}
        />
      )}
    </section>
  )
}
