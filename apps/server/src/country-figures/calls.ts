/** The calls about rates, fees and ceilings of the law, beside the use cases that answer them. */
import * as contract from '@kvitt/domain/country-figures/country-figure.contract.ts'
import type { Binding } from '../platform/http/call.ts'
import { presentProposal } from '../proposals/proposals.ts'
import { bind } from '../sign-in/bind.ts'
import { proposeFigure } from './country-figures.ts'
import { listFigures } from './list-figures.ts'

export const COUNTRY_FIGURE_BINDINGS: readonly Binding[] = [
  bind(contract.getCountryFigures, ({ context, principal }) => listFigures(context, principal)),
  bind(contract.proposeCountryFigure, async ({ context, principal, body }) =>
    presentProposal(context, principal, await proposeFigure(context, principal, body)),
  ),
]
