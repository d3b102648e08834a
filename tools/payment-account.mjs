// `npm run payment-account -- [...]`: the accounts that a provider itself is paid to.
import { runCommand } from './run-command.mjs'

await runCommand('payment-account-cli.js')
