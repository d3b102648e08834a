/**
 * Runs in the head of the page, before anything else is loaded: what a sign-in has brought along in the address is taken out of
 * it, so that it stands in no history, no report and no picture of the screen (D-14). main.tsx finds it on `globalThis`.
 */
import { takeArrival, type Arrival } from './take-arrival.ts'

const { arrival, address } = takeArrival(location.pathname, location.search, location.hash)
if (address !== undefined) history.replaceState(null, '', address)
;(globalThis as { kvittArrival?: Arrival }).kvittArrival = arrival
