// `npm run credentials -- [--provider ALIAS] [settings]`: what a provider shows its counterparties, see --help
import { runCommand } from './run-command.mjs'

await runCommand('credentials-cli.js')
