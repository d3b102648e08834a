/** The connections of a process, as whoever watches over it sees them. */
import { Gauge, type Registry } from 'prom-client'
import type { Connection, Pooled } from '../database/database.ts'

/** By what they are for: `requests`, and `jobs` of what nobody waits for. */
export type Pools = Readonly<Record<string, Pooled & Connection>>

/** Lets `registry` tell of `pools`. */
export function measurePools(registry: Registry, pools: Pools): void {
  const connections = new Gauge({
    name: 'kvitt_database_connections',
    help: 'Connections to the database that are in use or idle, and how many wait for one (waiting)',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, { connections: count }] of Object.entries(pools))
        for (const [state, value] of Object.entries(count())) connections.set({ pool, state }, value)
    },
  })
  const most = new Gauge({
    name: 'kvitt_database_connections_most',
    help: 'Connections to the database that this process may have',
    labelNames: ['pool'],
    registers: [registry],
    collect() {
      for (const [pool, { mostConnections }] of Object.entries(pools)) most.set({ pool }, mostConnections)
    },
  })
}
