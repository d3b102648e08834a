import { Icon } from '@kvitt/ui/components/icon.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { useInstance } from '../instance.ts'
import { t } from '../text.ts'
import css from './ad-block.module.css'

/** The links of the product's own company, on its own instance alone: the last thing on the page, and named. */
export default function AdBlock() {
  const links = useInstance()?.adLinks?.[currentLanguage()] ?? []
  if (links.length === 0) return null
  return (
    <aside className={css.ad} aria-label={t('ad.label')}>
      <p className={css.label}>{t('ad.label')}</p>
      <ul className={css.links}>
        {links.map(({ url, text }) => (
          <li key={url}>
            <a href={url} target="_blank" rel="noopener noreferrer external">
              {text}
              <Icon name="outside" size={16} />
              <span className="spoken">{t('ad.new_tab')}</span>
            </a>
          </li>
        ))}
      </ul>
    </aside>
  )
}
