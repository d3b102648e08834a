// `npm run record-refund -- [--about A [--creditor | --left]]`: what is owed back goes by the bank, or the creditor has sent it.
import { runCommand } from './run-command.mjs'

await runCommand('record-refund-cli.js')
