// `npm run cluster`: the reference cluster of deploy/cluster on loopback, with the demo, until Ctrl-C.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { forgetCluster, startCluster } from './cluster/cluster.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(process.cwd(), '.data/cluster') },
    port: { type: 'string', default: '18900' },
    fresh: { type: 'boolean', default: false },
  },
})

try {
  if (values.fresh) forgetCluster(values.data)
  const cluster = await startCluster({
    folder: values.data,
    base: Number(values.port),
    isDemo: true,
    log: (line) => console.log(line),
  })
  const stop = async (): Promise<void> => {
    console.log('Ending everything')
    await cluster.stopAll()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void stop())
  console.log(
    `The database that writes is db${await cluster.databases.leader()}; logs are in ${join(values.data, 'logs')}`,
  )
  console.log(`ready ${cluster.address} sandbox ${cluster.sandbox}`)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
