/** Addresses that lead elsewhere than they seem to (threats redirect.matrix, redirect.external). */

/** The portal's own host in the tests of addresses. */
const HOST = 'nordklar.portal.test'
const EVIL = 'evil.example'

/** Ways to write an address that leads elsewhere, or that parsers disagree about. */
const WRITTEN = [
  '', ' ', '/', '//evil.example', '///evil.example', '\\\\evil.example', '/\\evil.example', 'evil.example', 'https:evil.example',
  'https:/evil.example', 'https://evil.example', 'https://evil.example/nordklar.portal.test', 'https://nordklar.portal.test.evil.example/',
  'https://nordklar.portal.test@evil.example/', 'https://user:pass@nordklar.portal.test/', 'https://nordklar.portal.test:8443/',
  'https://fjellklar.portal.test/', 'https://portal.test/', 'https://xnordklar.portal.test/', 'https://NORDKLAR.portal.test%2eevil.example/',
  'https://nordklar.portal.test\\@evil.example/', 'https://nordklar.portal.test\t.evil.example/', 'https://nordklar.portal.test\n/',
  'https://nordklar.portal.test/\r\nSet-Cookie: a=b', 'javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'java\tscript:alert(1)', 'data:text/html,x',
  'vbscript:x', 'file:///etc/passwd', 'ftp://nordklar.portal.test/', 'ws://nordklar.portal.test/', 'blob:https://nordklar.portal.test/x',
  'https://nordklar.portal.test\u0000/', 'https://n\u00f6rdklar.portal.test/', 'https://nordklar.portal.test\u3002evil.example/',
  'https://\u202enordklar.portal.test/', 'https://[::1]/', 'https://127.0.0.1/', 'https://2130706433/', 'http://', 'https://', 'https:///x',
  'https://nordklar.portal.test /', '<https://nordklar.portal.test/>', 'https://nordklar.portal.test/<script>', 'https://nordklar.portal.test/"onload=',
] // biome-ignore format: a list of addresses

/** What may stand between a scheme and another host so that it looks like ours, and what stands for a slash. */
const BEFORE = ['', `${HOST}@`, `${HOST}%40`, `user:${HOST}@`, `${HOST}\\@`, `${HOST}%09.`, `${HOST}%00.`, `${HOST}%2f@`, `${HOST}%5c@`, `${HOST}.`] // biome-ignore format: a list
const SLASHES = ['//', '///', '/\\', '\\/', '/%09/', '/%2f', '%2f%2f', '\\\\']

/** Where a payer may never be sent back to. */
export const HOSTILE_ADDRESSES: readonly string[] = [
  ...WRITTEN,
  ...SLASHES.flatMap((slashes) => BEFORE.map((before) => `https:${slashes}${before}${EVIL}/`)),
]

/** Links that no bank gives, when the bank is bank.example or on this machine. */
export const HOSTILE_LINKS: readonly string[] = [
  'http://bank.example/sign', 'https://evil.example/', 'https://bank.example.evil.example/', 'https://bank.example@evil.example/',
  'https://user@bank.example/', 'https://user:pass@bank.example/', 'https://:pass@bank.example/', 'javascript:alert(1)',
  'JaVaScRiPt:alert(1)', 'java\tscript:alert(1)', 'javascript://bank.example/%0aalert(1)', 'data:text/html,x', 'vbscript:x',
  'file:///etc/passwd', 'blob:https://bank.example/x', 'about:blank', 'ftp://bank.example/', 'ws://bank.example/', 'intent://bank.example/#Intent;end',
  'bank.example', '//bank.example/sign', '/sign', '', ' ', 'swish://x', 'bankid:///?autostarttoken=x', 'https://', 'https:///', 'https://xbank.example/',
  'https://bank.example\\@evil.example/', 'https://evil.example\\@bank.example/', 'https://evil.example#@bank.example/', 'https://evil.example?@bank.example/',
  'https://bank.example%2eevil.example/', 'https://b\u00e4nk.example/', 'https://bank\u3002example.evil.example/', 'http://localhost.evil.example/',
  'https://127.0.0.2/', 'https://[::ffff:7f00:1]/', 'http://0.0.0.0/',
] // biome-ignore format: a list of links
