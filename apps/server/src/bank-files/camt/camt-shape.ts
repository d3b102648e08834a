/** The elements of camt.053 and camt.054 that we read. Everything else is checked to be XML and skipped. */
import { shape, TEXT, type Shape, type Vocabulary } from '../../imports/imports.ts'

/** From version 8 on a status has a code inside, and a party its kind. */
function documentOf(version: number): Shape {
  const isNew = version >= 8
  const name = { Nm: TEXT }
  const entry = {
    Amt: TEXT,
    CdtDbtInd: TEXT,
    RvslInd: TEXT,
    Sts: isNew ? { Cd: TEXT } : TEXT,
    BookgDt: { Dt: TEXT, DtTm: TEXT },
    ValDt: { Dt: TEXT, DtTm: TEXT },
    AcctSvcrRef: TEXT,
    NtryDtls: {
      TxDtls: {
        Refs: { AcctSvcrRef: TEXT, EndToEndId: TEXT, TxId: TEXT, UETR: TEXT },
        Amt: TEXT,
        AmtDtls: { TxAmt: { Amt: TEXT } },
        RltdPties: {
          Dbtr: isNew ? { Pty: name } : name,
          DbtrAcct: { Id: { IBAN: TEXT, Othr: { Id: TEXT, SchmeNm: { Cd: TEXT, Prtry: TEXT } } } },
        },
        RltdAgts: { DbtrAgt: { FinInstnId: { BIC: TEXT, BICFI: TEXT, PstlAdr: { Ctry: TEXT } } } },
        RmtInf: { Strd: { CdtrRefInf: { Ref: TEXT } }, Ustrd: TEXT },
      },
    },
  }
  const balance = {
    Tp: { CdOrPrtry: { Cd: TEXT } },
    Amt: TEXT,
    CdtDbtInd: TEXT,
    Dt: { Dt: TEXT, DtTm: TEXT },
  }
  const pages = { PgNb: TEXT, LastPgInd: TEXT }
  const report = {
    ElctrncSeqNb: TEXT,
    LglSeqNb: TEXT,
    FrToDt: { FrDtTm: TEXT, ToDtTm: TEXT },
    Id: TEXT,
    Acct: { Id: { IBAN: TEXT, Othr: { Id: TEXT } } },
    Bal: balance,
    Ntry: entry,
  }
  const header = { GrpHdr: { MsgPgntn: pages } }
  return shape({
    BkToCstmrStmt: { ...header, Stmt: { ...report, StmtPgntn: pages } },
    BkToCstmrDbtCdtNtfctn: { ...header, Ntfctn: { ...report, NtfctnPgntn: pages } },
  })
}

const VERSIONS = Array.from({ length: 12 }, (_, index) => index + 2)
const NAMESPACES = VERSIONS.flatMap((version) =>
  ['053', '054'].map((message) => ({
    name: `urn:iso:std:iso:20022:tech:xsd:camt.${message}.001.${String(version).padStart(2, '0')}`,
    version,
  })),
)

export const CAMT: Vocabulary = {
  documents: new Map(NAMESPACES.map(({ name, version }) => [`{${name}}Document`, documentOf(version)])),
  namespaces: new Set(NAMESPACES.map(({ name }) => name)),
  envelope: undefined,
  attachment: undefined,
  // The size of the file is the limit.
  mostElements: 10_000_000,
  wanted: 'a statement (camt.053) or notification (camt.054) of a bank.',
}
