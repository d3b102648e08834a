/** The locales that the country selector offers (specification section 9). */
import type { LocaleAnswer } from '@kvitt/domain/instances/instance.contract.ts'
import type { Searchable } from '@kvitt/domain/search.ts'
import type { Listed } from '../platform/http/paging.ts'
import { orderList, searchList, type SearchBody, type SearchQuery } from '../platform/http/search.ts'

const NO_BREAK_SPACE = '\u00a0'

function locale(
  countryCode: string,
  languageCode: string,
  [code, symbol]: readonly [string, string],
  [thousandSeparator, dateFormat]: readonly [string, string],
): LocaleAnswer {
  return {
    id: `${languageCode}-${countryCode}`,
    countryCode,
    languageCode,
    currency: { code, symbol, precision: 2, thousandSeparator, decimalSeparator: ',' },
    dateFormat,
  }
}

export const LOCALES: readonly LocaleAnswer[] = [
  locale('SE', 'sv', ['SEK', 'kr'], [NO_BREAK_SPACE, 'YYYY-MM-DD']),
  locale('NO', 'nb', ['NOK', 'kr'], [NO_BREAK_SPACE, 'DD.MM.YYYY']),
  locale('EU', 'en', ['EUR', '€'], [NO_BREAK_SPACE, 'DD/MM/YYYY']),
  locale('DK', 'da', ['DKK', 'kr.'], ['.', 'DD.MM.YYYY']),
  locale('FI', 'fi', ['EUR', '€'], [NO_BREAK_SPACE, 'D.M.YYYY']),
]

const SEARCHABLE: Searchable = {
  targets: ['languageCode', 'countryCode', 'id'],
  filters: ['id', 'languageCode', 'countryCode', 'currency.code'],
}

export function searchLocales(query: SearchQuery, body: SearchBody): Listed<LocaleAnswer> {
  return searchList(orderList(LOCALES, SEARCHABLE, query), SEARCHABLE, query, body)
}
