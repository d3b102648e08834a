/**
 * How an answer to a dispute begins, by decision, in the language of the debtor's country: whoever decides sends it as it stands
 * or writes their own. It is a letter's text and not the page's, so it does not follow the language of the page.
 */
import type { DisputeDecision } from '@kvitt/domain/disputes/office-dispute.ts'
import type { Language } from '@kvitt/ui/language/languages.ts'

const LANGUAGES: Readonly<Record<string, Language>> = { SE: 'sv', NO: 'nb', DK: 'da', FI: 'fi' }

const TEXTS: Readonly<Record<Language, Readonly<Record<DisputeDecision, string>>>> = {
  sv: {
    UPHOLD: 'Du har rätt. Vi har krediterat hela beloppet, och du är inte skyldig något mer för det.',
    UPHOLD_PART: 'Du har delvis rätt. Vi har dragit av en del, och resten ska betalas inom 14 dagar.',
    REJECT: 'Vi har gått igenom saken, och kravet är riktigt. Det ska betalas inom 14 dagar.',
  },
  nb: {
    UPHOLD: 'Du har rett. Vi har kreditert hele beløpet, og du skylder ikke mer for det.',
    UPHOLD_PART: 'Du har delvis rett. Vi har trukket fra en del, og resten skal betales innen 14 dager.',
    REJECT: 'Vi har gått gjennom saken, og kravet er riktig. Det skal betales innen 14 dager.',
  },
  da: {
    UPHOLD: 'Du har ret. Vi har krediteret hele beløbet, og du skylder ikke mere for det.',
    UPHOLD_PART: 'Du har delvis ret. Vi har trukket en del fra, og resten skal betales inden 14 dage.',
    REJECT: 'Vi har gennemgået sagen, og kravet er rigtigt. Det skal betales inden 14 dage.',
  },
  fi: {
    UPHOLD: 'Olet oikeassa. Olemme hyvittäneet koko summan, etkä ole siitä enää velkaa.',
    UPHOLD_PART:
      'Olet osittain oikeassa. Olemme hyvittäneet osan, ja loput on maksettava 14 päivän kuluessa.',
    REJECT: 'Olemme selvittäneet asian, ja vaatimus on oikea. Se on maksettava 14 päivän kuluessa.',
  },
  en: {
    UPHOLD: 'You are right. We have credited the whole amount, and you owe nothing more for it.',
    UPHOLD_PART: 'You are partly right. We have taken off a part, and the rest is due within 14 days.',
    REJECT: 'We have looked into it, and the claim is correct. It is due within 14 days.',
  },
}

/** The beginning of an answer to a debtor in `country` (two letters). */
export function answerText(decision: DisputeDecision, country: string): string {
  return TEXTS[LANGUAGES[country] ?? 'en'][decision]
}
