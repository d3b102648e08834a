/** Whether the stores beside the database can be reached, as each process sees them. */
import { Gauge } from 'prom-client'
import type { Context } from '../context.ts'
import { openStore } from '../platform/store/open-store.ts'
import { askWithin } from './asked-now-and-then.ts'

export function measureStores({ config, journal }: Context): Gauge[] {
  const stores = Object.entries(config.stores).flatMap(([files, place]) =>
    place === undefined ? [] : [{ files, ask: askWithin(() => openStore(place).has('asked')) }],
  )
  const up = new Gauge({
    name: 'kvitt_store_up',
    help: '1 where the store of these files answers this process, else 0',
    labelNames: ['files'],
    aggregator: 'min',
    registers: [],
    async collect() {
      const asked = stores.map(async ({ files, ask }) => this.set({ files }, (await ask()).isUp ? 1 : 0))
      await Promise.all(asked)
    },
  })
  const waiting = new Gauge({
    name: 'kvitt_journal_lines_waiting',
    help: 'Lines of the journal of payments that this process has not been able to write yet',
    aggregator: 'sum',
    registers: [],
    collect() {
      this.set(journal.waiting())
    },
  })
  return [up, waiting]
}
