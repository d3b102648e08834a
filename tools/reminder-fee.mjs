// `npm run reminder-fee -- [--provider ALIAS] [--creditor N (--agreed-on DAY --source TEXT | --not-agreed) --by NAME]`
import { runCommand } from './run-command.mjs'

await runCommand('reminder-fee-cli.js')
