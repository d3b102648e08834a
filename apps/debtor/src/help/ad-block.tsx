import { Icon } from '@kvitt/ui/components/icon.tsx'
import { t } from '../text.ts'
import css from './ad-block.module.css'

const BUSINESS = 'https://kvitt.example/business'
const OVERVIEW = 'https://kvitt.example/overview'

/** Two links of the product's own company, on its own instance alone: the last thing on the page, and named. */
export default function AdBlock() {
  return (
    <aside className={css.ad} aria-label={t('ad.label')}>
      <p className={css.label}>{t('ad.label')}</p>
      <ul className={css.links}>
        {[
          { href: BUSINESS, text: t('ad.business') },
          { href: OVERVIEW, text: t('ad.overview') },
        ].map(({ href, text }) => (
          <li key={href}>
            <a href={href} target="_blank" rel="noopener noreferrer external">
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
