/** What the demo's own company says of its customer service, and where its advertisement leads. */
import type { AdLinks, ServiceTexts } from '@kvitt/domain/instances/service-texts.ts'

export const CAST_SERVICE_TEXTS: ServiceTexts = {
  sv: 'Vi svarar i telefon vardagar 9–16. E-post besvaras inom en arbetsdag. Ha referensnumret till hands.',
  en: 'We answer the phone on weekdays, 9 to 16. E-mail is answered within one working day. Have the reference number at hand.',
  nb: 'Vi svarer på telefon hverdager 9–16. E-post besvares innen én arbeidsdag. Ha referansenummeret klart.',
  da: 'Vi tager telefonen på hverdage kl. 9–16. E-mail besvares inden for én arbejdsdag. Hav referencenummeret ved hånden.',
  fi: 'Vastaamme puhelimeen arkisin klo 9–16. Sähköpostiin vastaamme yhden työpäivän kuluessa. Pidä viitenumero saatavilla.',
}

const linksOf = (business: string, overview: string) => [
  { text: business, url: 'https://kvitt.example/business' },
  { text: overview, url: 'https://kvitt.example/overview' },
]

export const CAST_AD_LINKS: AdLinks = {
  sv: linksOf('För företag: skicka fakturor med Kvitt', 'Samla alla dina fakturor på ett ställe'),
  en: linksOf('For companies: send invoices with Kvitt', 'Keep all your invoices in one place'),
  nb: linksOf('For bedrifter: send fakturaer med Kvitt', 'Samle alle fakturaene dine på ett sted'),
  da: linksOf('For virksomheder: send fakturaer med Kvitt', 'Saml alle dine fakturaer ét sted'),
  fi: linksOf('Yrityksille: lähetä laskut Kvittillä', 'Kokoa kaikki laskusi yhteen paikkaan'),
}
