import { readConfig, StartRefusal, wantsTraces } from './config.ts'
import { startSandbox } from './sandbox.ts'

async function main(): Promise<void> {
  const sandbox = await startSandbox(readConfig())
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    void sandbox.stop().then(() => process.exit(0))
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  if (process.send) {
    process.once('disconnect', stop)
    process.send({ type: 'ready', port: sandbox.port })
  } else {
    process.stdout.write(
      `sandbox http://localhost:${sandbox.port}, bank https://localhost:${sandbox.apiPort}\n`,
    )
  }
}

main().catch((error: unknown) => {
  const sentence = error instanceof Error ? error.message : String(error)
  const trace = error instanceof Error && wantsTraces() ? `\n${error.stack}` : ''
  process.stderr.write(`${sentence}${trace}\n`)
  process.exit(error instanceof StartRefusal ? 2 : 1)
})
