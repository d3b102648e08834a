/** What the sandbox needs to know to start. `port` 0 means: any free port, for tests. */
export interface SandboxConfig {
  /** Plain http: page, control calls, the bank's sign page. The APIs listen one above, the mail server two. */
  port: number
  host: string
  dataDir: string
  /** The product's own port on loopback, asked for its business day. */
  productPort: number
}

/** A mistake that stops the start; the message is one sentence for the person at the terminal. */
export class StartRefusal extends Error {}

/**
 * Reads SANDBOX_PORT, HOST, DATA_DIR and PORT.
 * Throws StartRefusal with a sentence for the first setting that cannot be used.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): SandboxConfig {
  const port = readPort(env, 'SANDBOX_PORT', 8090)
  if (port > 65533)
    throw new StartRefusal('SANDBOX_PORT must leave the next two ports free: use 65533 or less.')
  return {
    port,
    host: env['HOST'] || '127.0.0.1',
    dataDir: env['DATA_DIR'] || './.data',
    productPort: readPort(env, 'PORT', 8080),
  }
}

/** Stack traces at the terminal are for whoever asked for them with LOG_LEVEL=debug. */
export function wantsTraces(): boolean {
  return process.env['LOG_LEVEL'] === 'debug'
}

function readPort(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65535) {
    throw new StartRefusal(`${name} must be a port number from 1 to 65535, not "${text}".`)
  }
  return port
}
