import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { Icon, type IconName } from '@kvitt/ui/components/icon.tsx'
import { useInstance } from '../instance.ts'
import { t } from '../text.ts'
import { AnswerLink } from './answer-link.tsx'
import { telHref } from './tel-href.ts'
import css from './trust-dialog.module.css'

type TrustProps = { about: 'trust.genuine' | 'trust.why'; onClose: () => void }

/** For whoever wonders about a letter or a message: how to check it, why it came, and who sent it. */
export default function TrustDialog({ about, onClose }: TrustProps) {
  const instance = useInstance()
  const provider = instance?.name ?? t('shell.portal_name')
  const lines =
    about === 'trust.genuine'
      ? [t('trust.compare'), t('trust.address', { host: location.host }), t('home.safety'), t('trust.call')]
      : [t('trust.why_text', { provider }), t('trust.why_late'), t('trust.unknown')]
  return (
    <Dialog title={t(about)} onClose={onClose}>
      <ul className={css.lines}>
        {lines.map((line) => (
          <li key={line}>
            {about === 'trust.genuine' && <Icon name="check" size={20} />}
            <span>{line}</span>
          </li>
        ))}
      </ul>
      <AnswerLink article={about === 'trust.genuine' ? 'genuine' : 'why-this'} />
      {instance && <Provider />}
    </Dialog>
  )
}

/** A number at the end is compared as one, and not broken at its hyphen. */
function withNumberWhole(text: string) {
  const start = text.lastIndexOf(' ') + 1
  return (
    <>
      {text.slice(0, start)}
      <span className={css.whole}>{text.slice(start)}</span>
    </>
  )
}

/** The same name and number as on the letter, and how to reach a person. */
function Provider() {
  const instance = useInstance()
  if (!instance) return null
  const { homepage, contactInformation } = instance
  const { phone, email } = contactInformation
  const facts: readonly (readonly [IconName, string, string?])[] = [
    ['hash', t('shell.identification_number', { number: instance.identificationNumber })],
    ['shield', location.host],
    ['phone', phone, telHref(phone)],
    ['mail', email, `mailto:${email}`],
    ...(homepage ? [['outside', new URL(homepage).host, homepage] as const] : []),
  ]
  return (
    <section className={css.who} aria-labelledby="trust-who">
      <h3 id="trust-who">{t('trust.who')}</h3>
      <p className={css.name}>{instance.name}</p>
      <ul>
        {facts.map(([icon, text, href]) => (
          <li key={icon}>
            <Icon name={icon} size={20} />
            {href ? <a href={href}>{text}</a> : <span>{withNumberWhole(text)}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
