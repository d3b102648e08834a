// `npm run place-payment -- [--line ID (--invoice N | --claim N | --send-back)]`: money in suspense finds its place.
import { runCommand } from './run-command.mjs'

await runCommand('place-payment-cli.js')
