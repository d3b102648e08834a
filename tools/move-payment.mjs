// `npm run move-payment -- --line ID [--invoice N | --claim N] --reason TEXT`: money that was booked on the wrong debt.
import { runCommand } from './run-command.mjs'

await runCommand('move-payment-cli.js')
