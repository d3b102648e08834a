import { createPrivateKey, randomBytes, webcrypto, X509Certificate } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const FILES = [
  'ca.pem',
  'server.pem',
  'server-key.pem',
  'client.pem',
  'client-key.pem',
  'seal.pem',
  'seal-key.pem',
] as const
type CertificateFiles = Record<(typeof FILES)[number], string>

const KEY_KIND = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
/** Seals are made with RSA: the protocol knows no other. */
const SEAL_KIND = {
  name: 'RSASSA-PKCS1-v1_5',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: 'SHA-256',
}
const DAY_MS = 86_400_000
const LIFE_DAYS = 3652
const SPARE_DAYS = 7

/**
 * The sandbox's own certificate authority with a server certificate for loopback and a client
 * certificate and a seal for the product, as PEM files in `folder`. Made at the first start and again, all
 * together, when any of them is missing, broken or about to expire. The authority's key is thrown
 * away after use, so nobody can issue another client certificate later.
 */
export async function ensureCertificates(folder: string, nowMs: number): Promise<CertificateFiles> {
  const existing = readCertificates(folder)
  if (existing && areUsable(existing, nowMs)) return existing
  const made = await makeCertificates(nowMs)
  mkdirSync(dirname(folder), { recursive: true })
  const fresh = `${folder}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { mode: 0o700 })
  for (const name of FILES) {
    writeFileSync(join(fresh, name), made[name], { mode: name.endsWith('-key.pem') ? 0o600 : 0o644 })
  }
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
  return made
}

function readCertificates(folder: string): CertificateFiles | undefined {
  try {
    const pairs = FILES.map((name) => [name, readFileSync(join(folder, name), 'utf8')])
    return Object.fromEntries(pairs) as CertificateFiles
  } catch {
    return undefined
  }
}

function areUsable(files: CertificateFiles, nowMs: number): boolean {
  try {
    const authority = new X509Certificate(files['ca.pem'])
    return (['server', 'client', 'seal'] as const).every((who) => {
      const certificate = new X509Certificate(files[`${who}.pem`])
      return (
        certificate.verify(authority.publicKey) &&
        certificate.checkPrivateKey(createPrivateKey(files[`${who}-key.pem`])) &&
        Date.parse(certificate.validTo) > nowMs + SPARE_DAYS * DAY_MS
      )
    })
  } catch {
    return false
  }
}

async function makeCertificates(nowMs: number): Promise<CertificateFiles> {
  // Loaded only here: most starts find the certificates made. The second import needs the first one's polyfill.
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  const crypto = webcrypto
  const issue = {
    notBefore: new Date(nowMs - DAY_MS),
    notAfter: new Date(nowMs + LIFE_DAYS * DAY_MS),
    signingAlgorithm: KEY_KIND,
  }
  const newKeys = (kind: typeof KEY_KIND | typeof SEAL_KIND = KEY_KIND) =>
    crypto.subtle.generateKey(kind, true, ['sign', 'verify'])
  const serial = () => `01${randomBytes(15).toString('hex')}`

  const authorityKeys = await newKeys()
  const authority = await x509.X509CertificateGenerator.createSelfSigned(
    {
      ...issue,
      serialNumber: serial(),
      name: 'CN=Sandbox authority, O=Demobanken',
      keys: authorityKeys,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      ],
    },
    crypto,
  )
  const leaf = async (
    subject: string,
    extensions: InstanceType<typeof x509.Extension>[],
    kind: typeof KEY_KIND | typeof SEAL_KIND = KEY_KIND,
  ) => {
    const keys = await newKeys(kind)
    const certificate = await x509.X509CertificateGenerator.create(
      {
        ...issue,
        serialNumber: serial(),
        subject,
        issuer: authority.subject,
        publicKey: keys.publicKey,
        signingKey: authorityKeys.privateKey,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          ...extensions,
        ],
      },
      crypto,
    )
    const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
    return {
      certificate: `${certificate.toString('pem')}\n`,
      key: `${x509.PemConverter.encode(key, 'PRIVATE KEY')}\n`,
    }
  }
  const server = await leaf('CN=localhost, O=Demobanken', [
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    new x509.SubjectAlternativeNameExtension([
      { type: 'dns', value: 'localhost' },
      { type: 'ip', value: '127.0.0.1' },
      { type: 'ip', value: '::1' },
    ]),
  ])
  const client = await leaf('CN=Payment initiator, O=Sandbox client', [
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
  ])
  const seal = await leaf('CN=Payment initiator seal, O=Sandbox client', [], SEAL_KIND)
  return {
    'ca.pem': `${authority.toString('pem')}\n`,
    'server.pem': server.certificate,
    'server-key.pem': server.key,
    'client.pem': client.certificate,
    'client-key.pem': client.key,
    'seal.pem': seal.certificate,
    'seal-key.pem': seal.key,
  }
}
