// `npm run refund-payment -- --payment ID [--amount A | --whole] [--again]`: sends money back to whoever paid.
import { runCommand } from './run-command.mjs'

await runCommand('refund-payment-cli.js')
