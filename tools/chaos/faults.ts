/** What goes wrong, and what is put right again: each for a cluster that is whole, and whole again when it is over. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster, HostName } from '../cluster/cluster.ts'
import { NODES, type Node } from '../cluster/layout.ts'

export type Fault = {
  readonly name: string
  /** Planned: nobody may notice. */
  readonly isPlanned?: true
  play(cluster: Cluster): Promise<void>
}

/** Longer than a leader may be silent, and the choice of another. */
const AWAY_MS = 45_000

async function leaderOf({ databases }: Cluster): Promise<Node> {
  for (let tries = 0; tries < 60; tries++, await sleep(500)) {
    const leader = await databases.leader()
    if (leader) return leader
  }
  throw new Error('no host of the database takes writes')
}

/** Waits until one writes and both others follow. Throws after two minutes: the fault has left something behind. */
export async function untilWhole({ databases }: Cluster): Promise<void> {
  for (const until = performance.now() + 120_000; (await databases.healthy()).following < 2; await sleep(500))
    if (performance.now() > until) throw new Error('the databases are not whole again after two minutes')
}

const onLeader =
  (act: (cluster: Cluster, leader: Node) => Promise<void>) =>
  async (cluster: Cluster): Promise<void> =>
    act(cluster, await leaderOf(cluster))

function hostFaults(name: HostName): readonly Fault[] {
  return [
    {
      name: `kill -9 of ${name}`,
      async play(cluster) {
        cluster.kill(name)
        await sleep(10_000)
        await cluster.start(name)
      },
    },
    {
      name: `freeze and thaw of ${name}`,
      async play(cluster) {
        cluster.freeze(name)
        await sleep(20_000)
        cluster.thaw(name)
        await sleep(5_000)
      },
    },
  ]
}

async function restart(cluster: Cluster, name: HostName): Promise<void> {
  const status = await cluster.stop(name)
  if (status !== 0) throw new Error(`${name} ended with status ${status}`)
  await cluster.start(name)
}

const etcdLost = (count: 1 | 2): Fault => ({
  name: count === 1 ? 'a member of etcd lost' : 'the quorum of etcd lost',
  async play({ databases }) {
    const lost = NODES.slice(0, count)
    for (const member of lost) databases.killEtcd(member)
    await sleep(AWAY_MS)
    for (const member of lost) databases.startEtcd(member)
    await sleep(10_000)
  },
})

export const FAULTS: readonly Fault[] = [
  {
    name: 'kill -9 of the leader',
    play: onLeader(async ({ databases }, leader) => {
      databases.kill(leader)
      await sleep(AWAY_MS)
      databases.start(leader)
    }),
  },
  {
    name: 'freeze and thaw of the leader',
    play: onLeader(async ({ databases }, leader) => {
      databases.freeze(leader)
      await sleep(AWAY_MS)
      databases.thaw(leader)
    }),
  },
  {
    name: 'partition of the leader',
    play: onLeader(async ({ databases }, leader) => {
      databases.partition(leader)
      await sleep(AWAY_MS)
      databases.heal()
    }),
  },
  etcdLost(1),
  etcdLost(2),
  ...hostFaults('api1'),
  ...hostFaults('jobs'),
  {
    name: 'planned switchover',
    isPlanned: true,
    play: onLeader(async ({ databases }, leader) => {
      const next = NODES.find((node) => node !== leader) ?? leader
      const said = await databases.switchover(leader, next)
      if (!/Successfully/.test(said)) throw new Error(`patronictl: ${said}`)
      await sleep(10_000)
    }),
  },
  {
    name: 'rolling restart of the hosts that answer',
    isPlanned: true,
    async play(cluster) {
      for (const name of ['api1', 'api2'] as const) await restart(cluster, name)
      await sleep(3_000)
    },
  },
]
