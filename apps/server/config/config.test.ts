import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { whatIsMissing } from './config-missing.ts'
import { isLoopback } from '../src/platform/http/loopback.ts'

const FILE = import.meta.filename

test('nothing set is a working product on this machine', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    sandboxPort: 8090,
    demo: 'auto',
    workers: 1,
    logLevel: 'warn',
  })
  expect(config.bank).toMatchObject({
    baseUrl: 'https://localhost:8091',
    linkHosts: ['localhost', '127.0.0.1'],
  })
  expect(config.bank?.caFile).toMatch(/\.data[/\\]sandbox[/\\]certificates[/\\]ca\.pem$/)
})

test('a real Swish takes money for the default provider alone, or for those that are named', () => {
  const file = import.meta.filename
  const real = {
    PUBLIC_URL: 'https://pay.example',
    SWISH_BASE_URL: 'https://cpc.example/swish-cpcapi',
    SWISH_PAYEE_ALIAS: '1231181189',
    SWISH_CA_FILE: file,
    SWISH_CERTIFICATE_FILE: file,
    SWISH_KEY_FILE: file,
  }
  expect(readConfig(real).swish?.numbers).toMatchObject([{ payeeAlias: '1231181189', providers: 'default' }])
  const named = readConfig({ ...real, SWISH_PROVIDERS: 'Nordklar, fjellklar' })
  expect(named.swish?.numbers).toMatchObject([{ providers: ['nordklar', 'fjellklar'] }])
  const own = {
    SWISH_PAYEE_ALIAS_FJELL_KLAR: '1239876543',
    SWISH_CERTIFICATE_FILE_FJELL_KLAR: file,
    SWISH_KEY_FILE_FJELL_KLAR: file,
  }
  expect(readConfig({ ...real, ...own }).swish?.numbers).toEqual([
    { payeeAlias: '1239876543', providers: ['fjell-klar'], certificateFile: file, keyFile: file },
    { payeeAlias: '1231181189', providers: 'default', certificateFile: file, keyFile: file },
  ])
  const { SWISH_KEY_FILE_FJELL_KLAR: _, ...half } = own
  expect(() => readConfig({ ...real, ...half })).toThrow('SWISH_KEY_FILE_FJELL_KLAR is missing')
  expect(() => readConfig({ ...real, ...own, SWISH_PAYEE_ALIAS_FJELL_KLAR: '12' })).toThrow('digits only')
  expect(() => readConfig({ ...real, ...own, SWISH_KEY_FILE_FJELL_KLAR: '/no/such' })).toThrow(
    'does not exist',
  )
  expect(() => readConfig({ ...real, SWISH_PAYEE_FJELL: '1' })).toThrow('is not a setting')
})

test('BankID is asked in the name of the provider that has a certificate of its own', () => {
  const file = import.meta.filename
  const real = {
    BANKID_BASE_URL: 'https://appapi2.example/rp/v6.0',
    BANKID_CA_FILE: file,
    BANKID_CERTIFICATE_FILE: file,
    BANKID_KEY_FILE: file,
  }
  const files = { certificateFile: file, keyFile: file }
  expect(readConfig(real).bankId).toMatchObject({ shared: files, own: new Map() })
  const own = { BANKID_CERTIFICATE_FILE_FJELL_KLAR: file, BANKID_KEY_FILE_FJELL_KLAR: file }
  expect(readConfig({ ...real, ...own }).bankId?.own).toEqual(new Map([['fjell-klar', files]]))
  const { BANKID_KEY_FILE_FJELL_KLAR: _, ...half } = own
  expect(() => readConfig({ ...real, ...half })).toThrow('BANKID_KEY_FILE_FJELL_KLAR is missing')
  expect(() => readConfig({ ...real, ...own, BANKID_KEY_FILE_FJELL_KLAR: '/no/such' })).toThrow(
    'does not exist',
  )
  expect(() => readConfig({ ...real, BANKID_NAME_FJELL: 'x' })).toThrow('is not a setting')
})

test('a real bank alone brings no Swish and no mail server along', () => {
  const file = import.meta.filename
  const config = readConfig({
    BANK_BASE_URL: 'https://bank.example',
    BANK_CA_FILE: file,
    BANK_CERTIFICATE_FILE: file,
    BANK_KEY_FILE: file,
  })
  const { smtp, sms, digitalMailbox, accessPoint } = config.mail
  expect([config.swish, smtp, sms, digitalMailbox, accessPoint]).toEqual(Array(5).fill(undefined))
  const demo = readConfig({})
  expect(demo.swish).toMatchObject({
    baseUrl: 'https://localhost:8091/swish-cpcapi',
    numbers: [{ payeeAlias: '1234679304', providers: 'all' }],
  })
  expect(demo.mail.smtp?.url).toBe('smtp://localhost:8092')
  expect(demo.mail.digitalMailbox).toMatchObject({ baseUrl: 'https://localhost:8091', client: 'sandbox' })
  expect(demo.mail.accessPoint).toMatchObject({
    baseUrl: 'https://localhost:8091',
    sender: '0007:5599990016',
  })
})

test('without the demo no issuer is inward', () => {
  const ISSUER_INWARD_ORIGINS = 'https://login.internal'
  expect(() => readConfig({ DEMO: 'off', ISSUER_INWARD_ORIGINS })).toThrow(/ISSUER_INWARD_ORIGINS/)
  expect(readConfig({ ISSUER_INWARD_ORIGINS }).issuerInwardOrigins).toEqual([ISSUER_INWARD_ORIGINS])
  expect(readConfig({ DEMO: 'off' }).issuerInwardOrigins).toEqual([])
})

test('without the demo nothing stands in for what is not named, and a sentence says so', () => {
  const config = readConfig({ DEMO: 'off' })
  const { smtp, sms, digitalMailbox, accessPoint } = config.mail
  const parts = [
    config.bank,
    config.swish,
    config.bankId,
    smtp,
    sms,
    digitalMailbox,
    accessPoint,
    config.stores.letters,
  ]
  expect(parts).toEqual(parts.map(() => undefined))
  expect(whatIsMissing(config)).toEqual([
    'Not offered, as nothing is set for it: payments through the bank (BANK_BASE_URL), Swish (SWISH_BASE_URL), BankID (BANKID_BASE_URL). Debtors can always pay by transfer.',
    'Kept unsent, as nothing is set for it: e-mail (SMTP_URL), SMS (SMS_URL), letters on paper (PRINT_QUEUE_DIR).',
  ])
  const named = readConfig({
    DEMO: 'off',
    PRINT_QUEUE_DIR: 'letters',
    SMTP_URL: 'smtp://m.example',
    MAIL_FROM: 'a@b.se',
  })
  expect(whatIsMissing(named)[1]).toBe('Kept unsent, as nothing is set for it: SMS (SMS_URL).')
  expect(whatIsMissing(readConfig({}))).toEqual([])
})

test('a real operator of mailboxes needs no certificates of ours', () => {
  const { mail } = readConfig({
    DIGITAL_MAILBOX_URL: 'https://client:s%40cret@sender.api.kivra.com/',
    DIGITAL_MAILBOX_TENANT: '13443459078e31ba',
    ELECTRONIC_INVOICE_URL: 'https://ap.example/peppol/',
    ELECTRONIC_INVOICE_TOKEN: 'token',
    ELECTRONIC_INVOICE_SENDER: '0192:999990029',
    DIGITAL_MAILBOX_TENANT_FJELL_KLAR: '0f0f',
    ELECTRONIC_INVOICE_SENDER_FJELL_KLAR: '0007:5599990016',
  })
  expect(mail.digitalMailbox).toEqual({
    baseUrl: 'https://sender.api.kivra.com',
    client: 'client',
    secret: 's@cret',
    tenant: '13443459078e31ba',
    tenants: new Map([['fjell-klar', '0f0f']]),
    caFile: undefined,
    certificateFile: undefined,
    keyFile: undefined,
  })
  expect(mail.accessPoint?.baseUrl).toBe('https://ap.example/peppol')
  expect(mail.accessPoint?.senders).toEqual(new Map([['fjell-klar', '0007:5599990016']]))
  expect(() => readConfig({ DIGITAL_MAILBOX_TENANT_FJELL: 'å' })).toThrow(
    'DIGITAL_MAILBOX_TENANT_FJELL is "å"',
  )
})

describe('a mistake is a sentence', () => {
  test.each([
    [{ PORT: 'http' }, 'PORT is "http"; it must be a whole number from 0 to 65535.'],
    [{ PORT: '8091' }, 'PORT 8091 is one of the sandbox'],
    [{ PORT: '70000' }, 'PORT is "70000"'],
    [{ WORKERS: '0' }, 'WORKERS is "0"; it must be a whole number from 1 to 64.'],
    [{ ROLE: 'web' }, 'ROLE is "web"; it must be one of all, api, jobs.'],
    [
      { ROLE: 'jobs' },
      'ROLE=jobs leaves half of the work to other processes, which cannot reach an embedded database. Set DATABASE_URL, or leave ROLE out.',
    ],
    [{ DEMO: 'maybe' }, 'DEMO is "maybe"; it must be one of auto, on, off.'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud"'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must begin with postgres://'],
    [{ PUBLIC_URL: 'pay.example.com' }, 'PUBLIC_URL is "pay.example.com"; it must be a web address'],
    [{ BANK_BASE_URL: 'https://bank.example' }, 'BANK_CA_FILE is missing; it is needed with BANK_BASE_URL.'],
    [{ BANK_CA_FILE: 'no-such-file.pem' }, 'BANK_CA_FILE names no-such-file.pem, which does not exist.'],
    [{ SWISH_BASE_URL: 'https://cpc.example/swish-cpcapi' }, 'PUBLIC_URL must begin with https:// for Swish'],
    [
      { SWISH_BASE_URL: 'https://localhost:1/swish-cpcapi' },
      'SWISH_PAYEE_ALIAS is ""; it must be your Swish number',
    ],
    [
      { SWISH_BASE_URL: 'https://localhost:1/swish-cpcapi', SWISH_PAYEE_ALIAS: '1234679304' },
      'SWISH_CA_FILE is missing; it is needed with SWISH_BASE_URL.',
    ],
    [{ SWISH_PROVIDERS: 'nordklar, a b' }, 'SWISH_PROVIDERS has "a b"; it must be first parts of addresses'],
    [{ SWISH_PAYEE_ALIAS: '123-4567' }, 'SWISH_PAYEE_ALIAS is "123-4567"'],
    [{ SMTP_URL: 'mail.example.com' }, 'SMTP_URL must begin with smtp:// or smtps://'],
    [{ SMTP_URL: 'smtp://mail.example.com' }, 'MAIL_FROM is ""; it must be the address'],
    [{ MAIL_FROM: 'Kvitt <a@b.se>' }, 'MAIL_FROM is "Kvitt <a@b.se>"'],
    [{ SMTP_CA_FILE: 'no-such-file.pem' }, 'SMTP_CA_FILE names no-such-file.pem, which does not exist.'],
    [{ SMS_URL: 'http://user:password@sms.example' }, 'SMS_URL must be an https address'],
    [{ SMS_URL: 'https://sms.example' }, 'SMS_URL must be an https address with user and password'],
    [{ DIGITAL_MAILBOX_URL: 'http://a:b@localhost' }, 'DIGITAL_MAILBOX_URL must be an https address'],
    [{ DIGITAL_MAILBOX_URL: 'https://kivra.example' }, 'DIGITAL_MAILBOX_URL has no client and secret in it'],
    [{ DIGITAL_MAILBOX_URL: 'https://a:b@kivra.example' }, 'DIGITAL_MAILBOX_TENANT is ""'],
    [
      {
        DIGITAL_MAILBOX_URL: 'https://a:b@k.example',
        DIGITAL_MAILBOX_TENANT: '1234',
        DIGITAL_MAILBOX_KEY_FILE: FILE,
      },
      'DIGITAL_MAILBOX_CERTIFICATE_FILE and DIGITAL_MAILBOX_KEY_FILE belong together',
    ],
    [
      { DIGITAL_MAILBOX_CA_FILE: 'none.pem' },
      'DIGITAL_MAILBOX_CA_FILE names none.pem, which does not exist.',
    ],
    [{ ELECTRONIC_INVOICE_URL: 'ap.example' }, 'ELECTRONIC_INVOICE_URL must be an https address'],
    [{ ELECTRONIC_INVOICE_URL: 'https://ap.example' }, 'ELECTRONIC_INVOICE_TOKEN is missing'],
    [
      { ELECTRONIC_INVOICE_URL: 'https://ap.example', ELECTRONIC_INVOICE_TOKEN: 'x' },
      'ELECTRONIC_INVOICE_SENDER is ""; it must be your address in Peppol',
    ],
    [{ ELECTRONIC_INVOICE_SENDR: '0007:1' }, 'ELECTRONIC_INVOICE_SENDR is not a setting of Kvitt.'],
    [{ BANK_SEAL_KEY_FILE: 'seal.pem' }, 'BANK_SEAL_CERTIFICATE_FILE and BANK_SEAL_KEY_FILE belong together'],
    [
      { BANK_SEAL_KEY_FILE: 'no-such-file.pem', BANK_SEAL_CERTIFICATE_FILE: 'no-such-file.pem' },
      'The seal file no-such-file.pem does not exist.',
    ],
    [{ TRUSTED_PROXIES: '10.0.0.0/8, nginx' }, 'TRUSTED_PROXIES has "nginx"'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES has "10.0.0.0/33"'],
    [{ TRUSTED_PROXIES: '0.0.0.0/0' }, 'TRUSTED_PROXIES has "0.0.0.0/0"'],
    [{ TRUSTED_PROXIES: '127.0.0.1/0' }, 'TRUSTED_PROXIES has "127.0.0.1/0"'],
    [{ TRUSTED_PROXIES: '::1/129' }, 'TRUSTED_PROXIES has "::1/129"'],
    [{ TRUSTED_PROXIES: '10.0.0.0/8/8' }, 'TRUSTED_PROXIES has "10.0.0.0/8/8"'],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN must be 32 characters or more'],
    [{ METRICS_TOKEN: `${'x'.repeat(40)} y` }, 'METRICS_TOKEN must be 32 characters or more'],
    [{ BANK_BASEURL: 'https://bank.example' }, 'BANK_BASEURL is not a setting of Kvitt.'],
  ])('%j', (env, sentence) => {
    expect(() => readConfig(env as Record<string, string>)).toThrow(sentence)
  })
})

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['127.0.0.1.evil.example', false],
  ['192.168.0.1', false],
])('%s is this machine: %s', (host, isThis) => {
  expect(isLoopback(host)).toBe(isThis)
})

test('the folder of bank files has to be there, and be a folder', () => {
  const read = (folder: string) => readConfig({ BANK_FILES_DIR: folder }).bankFilesDir
  expect(read(import.meta.dirname)).toBe(import.meta.dirname)
  expect(read('')).toBeUndefined()
  for (const wrong of ['/nowhere/at/all', import.meta.filename])
    expect(() => read(wrong)).toThrow(/^BANK_FILES_DIR is ".*"; it must be a folder/)
})

test('a pooler stands before a database that is named, and a process holds as many connections as it is told', () => {
  const DATABASE_URL = 'postgres://kvitt_app@db.example/kvitt'
  expect(readConfig({ DATABASE_URL })).toMatchObject({
    databasePooler: 'none',
    databaseConnections: { requests: 14, jobs: 6 },
  })
  const set = { DATABASE_POOLER: 'transaction', DATABASE_CONNECTIONS: '40', DATABASE_JOB_CONNECTIONS: '8' }
  expect(readConfig({ DATABASE_URL, ...set })).toMatchObject({
    databasePooler: 'transaction',
    databaseConnections: { requests: 40, jobs: 8 },
  })
  expect(() => readConfig({ DATABASE_POOLER: 'transaction' })).toThrow(/DATABASE_URL.*is missing/)
  expect(() => readConfig({ DATABASE_URL, DATABASE_POOLER: 'statement' })).toThrow(/DATABASE_POOLER/)
  expect(() => readConfig({ DATABASE_URL, DATABASE_CONNECTIONS: '1' })).toThrow(/from 2 to 500/)
})

describe('where the files beside the database are', () => {
  const bucket = {
    STORE_ENDPOINT: 'https://s3.example.com/',
    STORE_REGION: 'eu-north-1',
    STORE_BUCKET: 'kvitt-files',
    STORE_ACCESS_KEY: 'key',
    STORE_SECRET_KEY: 'secret',
  }

  test('folders in the data folder, else a bucket; what has a folder of its own stays there', () => {
    expect(readConfig({ DATA_DIR: '/d' }).stores).toEqual({
      letters: { folder: '/d/print-queue' },
      anchors: { folder: '/d/audit-anchors' },
      journal: { folder: '/d/payment-journal' },
    })
    const { letters, anchors, journal } = readConfig({
      ...bucket,
      DEMO: 'off',
      PAYMENT_JOURNAL_DIR: '/j',
    }).stores
    expect(letters).toEqual({
      prefix: 'print-queue',
      bucket: {
        endpoint: 'https://s3.example.com',
        region: 'eu-north-1',
        bucket: 'kvitt-files',
        accessKey: 'key',
        secretKey: 'secret',
        isPathStyle: true,
      },
    })
    expect([anchors, journal]).toMatchObject([{ prefix: 'audit-anchors' }, { folder: '/j' }])
  })

  test.each<[Record<string, string>, RegExp]>([
    [{ STORE_BUCKET: 'kvitt-files' }, /^STORE_ENDPOINT is missing; it is needed with STORE_BUCKET\.$/],
    [
      { ...bucket, STORE_SECRET_KEY: '' },
      /^STORE_SECRET_KEY is missing; it is needed with STORE_ENDPOINT\.$/,
    ],
    [{ ...bucket, STORE_ENDPOINT: 'http://s3.example.com' }, /^STORE_ENDPOINT is .*must begin with https/],
    [{ ...bucket, STORE_ENDPOINT: 'https://k:s@s3.example.com' }, /^STORE_ENDPOINT is an address alone/],
    [{ ...bucket, STORE_BUCKET: 'a/b' }, /^STORE_BUCKET is "a\/b"; it must be the name of a bucket/],
    [{ ...bucket, STORE_PATH_STYLE: 'no' }, /^STORE_PATH_STYLE is "no"; it must be one of on, off\.$/],
  ])('a mistake is a sentence: %o', (settings, sentence) => {
    expect(() => readConfig(settings)).toThrow(sentence)
  })
})
