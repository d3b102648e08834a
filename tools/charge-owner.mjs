// `npm run charge-owner -- [--provider ALIAS] [--creditor N --from DAY --fees OWNER --interest OWNER --source TEXT --by NAME]`
import { runCommand } from './run-command.mjs'

await runCommand('charge-owner-cli.js')
