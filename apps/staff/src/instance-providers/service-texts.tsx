import { MOST_AD_LINKS, SERVICE_LANGUAGES, readLink } from '@kvitt/domain/instances/service-texts.ts'
import { OfficeField } from '@kvitt/office/form/office-field.tsx'
import type { Fields } from '@kvitt/office/form/use-fields.ts'
import { t } from '../text.ts'
import css from './service-texts.module.css'
import page from './instance-provider-page.module.css'

type TextsProps = { fields: Fields; hasAd: boolean }

/** What debtors read of the customer service, in each language, as it will stand; and the advertisement of the product's own company. */
export function ServiceTexts({ fields, hasAd }: TextsProps) {
  return (
    <>
      <section className={page.section} id="texts">
        <h2>{t('service_text.title')}</h2>
        <p className={page.quiet}>{t('service_text.intro')}</p>
        {SERVICE_LANGUAGES.map((language) => {
          const name = `serviceTexts.${language}`
          const text = fields.values[name]?.trim() ?? ''
          return (
            <div key={language} className={css.language}>
              <OfficeField {...fields.propsOf(name)} look="area" label={t(`texts.${language}`)} />
              {text !== '' && (
                <figure className={css.preview} lang={language}>
                  <figcaption>{t('service_text.preview')}</figcaption>
                  <p className={css.said}>{text}</p>
                </figure>
              )}
            </div>
          )
        })}
      </section>
      {hasAd && <AdLinks fields={fields} />}
    </>
  )
}

const NUMBERS = Array.from({ length: MOST_AD_LINKS }, (_, n) => n)

function AdLinks({ fields }: { fields: Fields }) {
  return (
    <section className={page.section}>
      <h2>{t('ad_link.title')}</h2>
      <p className={page.quiet}>{t('ad_link.intro')}</p>
      {SERVICE_LANGUAGES.map((language) => (
        <fieldset key={language} className={css.links}>
          <legend>{t(`texts.${language}`)}</legend>
          <div className={page.grid}>
            {NUMBERS.flatMap((n) => [
              <OfficeField
                key={`${n} text`}
                {...fields.propsOf(`adLinks.${language}.${n}.text`)}
                label={t('ad_link.text', { n: n + 1 })}
              />,
              <OfficeField
                key={`${n} url`}
                {...fields.propsOf(`adLinks.${language}.${n}.url`)}
                label={t('ad_link.url', { n: n + 1 })}
                hint={t('ad_link.url.hint')}
              />,
            ])}
          </div>
          <AdPreview fields={fields} language={language} />
        </fieldset>
      ))}
    </section>
  )
}

/** The links as a debtor sees them: what is not whole is not there. */
function AdPreview({ fields, language }: { fields: Fields; language: string }) {
  const links = NUMBERS.map((n) => ({
    text: fields.values[`adLinks.${language}.${n}.text`]?.trim() ?? '',
    url: readLink(fields.values[`adLinks.${language}.${n}.url`]?.trim() ?? ''),
  })).filter(({ text, url }) => text !== '' && url !== undefined)
  if (links.length === 0) return null
  return (
    <figure className={css.preview} lang={language}>
      <figcaption>{t('service_text.preview')}</figcaption>
      <p className={css.shown}>
        {links.map(({ text, url }) => (
          <a key={url} href={url} target="_blank" rel="noopener noreferrer external">
            {text}
          </a>
        ))}
      </p>
    </figure>
  )
}
