import { COUNTRIES, rememberLanguage, type Language } from '@kvitt/ui/language/languages.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { hashOf, readPlace } from '../place.ts'
import css from './language-list.module.css'

/** Stores the language and loads the page again, where it stands. */
function chooseLanguage(language: Language): void {
  rememberLanguage(language)
  const place = readPlace(location.hash)
  history.replaceState(history.state, '', place.view === '' ? location.href : hashOf(place, place.query))
  location.reload()
}

/** The languages, each in its own words. */
export function LanguageList() {
  return (
    <ul className={css.list}>
      {COUNTRIES.map(({ language, name }) => (
        <li key={language}>
          <button
            type="button"
            className={css.choice}
            lang={language}
            aria-current={language === currentLanguage() ? 'true' : undefined}
            onClick={() => chooseLanguage(language)}
          >
            {name}
          </button>
        </li>
      ))}
    </ul>
  )
}
