import { useId } from 'react'
import { Flag } from '../components/flag.tsx'
import { Icon } from '../components/icon.tsx'
import { COUNTRIES, rememberLanguage, type Language } from '../language/languages.ts'
import { currentLanguage, say } from '../language/speak.ts'
import { readHash, writeHash } from '../routes.ts'
import css from './language-switch.module.css'

/** Stores the language, writes it into the path and loads the page again (specification section 2). */
function chooseLanguage(language: Language): void {
  rememberLanguage(language)
  const { segments, query } = readHash(location.hash)
  history.replaceState(history.state, '', writeHash(language, segments, Object.fromEntries(query)))
  location.reload()
}

/** The languages, each in its own words; the list closes with Esc or a press outside. */
export function LanguageSwitch() {
  const id = useId()
  const chosen = COUNTRIES.find((c) => c.language === currentLanguage()) ?? COUNTRIES[0]
  if (!chosen) return null
  return (
    <div className={css.switch}>
      <button type="button" className={css.button} popoverTarget={id}>
        <Flag country={chosen.code} />
        <span className="spoken">{`${say('nav.select_language')}: `}</span>
        <span className={css.name} lang={chosen.language}>
          {chosen.name}
        </span>
        <span className={css.code} aria-hidden="true">
          {chosen.language.toUpperCase()}
        </span>
        <span className={css.arrow}>
          <Icon name="chevron-down" size={20} />
        </span>
      </button>
      <ul className={css.list} id={id} popover="auto" aria-label={say('nav.select_language')}>
        {COUNTRIES.map(({ code, language, name }) => (
          <li key={code}>
            <button
              type="button"
              className={css.choice}
              lang={language}
              aria-current={language === chosen.language ? 'true' : undefined}
              onClick={() => chooseLanguage(language)}
            >
              <Flag country={code} />
              <span className={css.choiceName}>{name}</span>
              {language === chosen.language && <Icon name="check" size={20} />}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
