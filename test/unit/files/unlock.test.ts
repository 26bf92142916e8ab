import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openProtected } from '../../../lib/files/unlock/protection.ts'
import { MAX_UNLOCKED_BYTES } from '../../../schemas/files/shape.ts'
import { readWorkbookFile } from '../../support/corpus-workbooks.ts'
import {
  FILE_PASSWORD,
  findXlsMethod,
  patchProtected,
  protectOds,
  readProtected,
} from '../../support/protected-workbooks.ts'
import { createFileBytes, readTables } from '../../support/read-tables.ts'

const open = (bytes: Buffer) => openProtected(createFileBytes('a', bytes))
const decrypt = async (bytes: Buffer, password = FILE_PASSWORD) => (await open(bytes))(password)

const AGILE = 'agile-sha1-aes128.xlsx'
const STANDARD = 'standard-aes192.xlsx'
const LEGACY = ['libreoffice-rc4.xls', 'cryptoapi-rc4-128.xls', 'libreoffice-aes256.ods', 'argon2-gcm.ods']

describe('a workbook with a password', () => {
  it.each([
    'msoffcrypto-agile-sha512.xlsx',
    'agile-sha1-aes128.xlsx',
    'agile-sha256-aes192.xlsx',
    'agile-sha384-aes256.xlsx',
    'libreoffice-standard.xlsx',
    'standard-aes192.xlsx',
    'standard-aes256.xlsx',
    'libreoffice-rc4.xls',
    'cryptoapi-rc4-128.xls',
    'cryptoapi-rc4-40.xls',
    'libreoffice-aes256.ods',
    'argon2-gcm.ods',
  ])('is decrypted: %s', async (name) => {
    const [table] = await readTables(name, (await decrypt(readProtected(name)))!)
    expect(table).toMatchObject({
      columns: ['name', 'length'],
      rows: [
        ['Ada', '12.5'],
        ['Blæs', '9'],
        ['Łódź', '31'],
      ],
    })
  })

  it.each([AGILE, STANDARD, ...LEGACY])('stays closed for a wrong password: %s', async (name) => {
    for (const password of ['harbour e', 'harbour e\u0301', 'Harbour é', ' harbour é', 'x'.repeat(255)])
      expect(await decrypt(readProtected(name), password)).toBeUndefined()
  })

  it('is refused if a byte of its content has changed', async () => {
    const bytes = readProtected(AGILE)
    const at = bytes.length - 3000
    bytes[at] = bytes[at]! ^ 1
    await expect(decrypt(bytes)).rejects.toThrow('The encryption of the workbook is damaged.')
  })

  it.each([
    ['spinCount="10000"', 'spinCount="60e04"', /hashed 600,000 times; at most 500,000 are allowed/],
    ['spinCount="10000"', 'spinCount="-9999"', /damaged/],
    ['spinCount="10000"', 'spinCount="1.5  "', /damaged/],
    ['cipherAlgorithm="AES"', 'cipherAlgorithm="RC4"', /not supported: RC4/],
    ['hashAlgorithm="SHA1"', 'hashAlgorithm="MD50"', /not supported: MD50/],
    ['ChainingModeCBC', 'ChainingModeCFB', /not supported: ChainingModeCFB/],
    ['keyBits="128"', 'keyBits="999"', /not supported: AES-999/],
    ['saltValue="', 'saltvalue="', /damaged/],
    ['<dataIntegrity', '<dataintegrity', /damaged/],
    ['encryptedVerifierHashInput="', 'encryptedverifierhashinput="', /damaged/],
    ['<keyData', '<!DOCTYP', /DOCTYPE|XML/],
  ])('is refused within bounds: %s as %s', async (from, to, refusal) => {
    await expect(decrypt(patchProtected(AGILE, from, to))).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringMatching(refusal),
    })
  })

  it('is refused if its encryption has another version', async () => {
    const bytes = readProtected(STANDARD)
    const at = bytes.indexOf(Buffer.from([4, 0, 2, 0, 0x24, 0, 0, 0]))
    bytes[at + 2] = 3
    await expect(open(bytes)).rejects.toThrow('encrypted in a way that is not supported: 4.3')
  })

  it.each([AGILE, STANDARD])(
    'with any one byte of its header changed is read, refused or stays closed: %s',
    async (name) => {
      const intact = readProtected(name)
      const from = intact.indexOf(Buffer.from([4, 0, name === AGILE ? 4 : 2, 0]))
      for (let at = 0; at < 1400; at += 71) {
        const bytes = Buffer.from(intact)
        bytes[from + at] = bytes[from + at]! ^ 0x55
        const result = await decrypt(bytes).catch((error) => error.code)
        expect(result === undefined || result === 'unprocessable' || Buffer.isBuffer(result), `byte ${at}`).toBe(true)
      }
    },
    120_000,
  )

  it.each<[string, number[], RegExp]>([
    ['XOR', [0, 0], /not supported: XOR/],
    ['another method', [7, 0], /not supported: 7/],
    ['another version', [1, 0, 9, 0], /not supported: 9\.1/],
  ])('in XLS is refused with %s', async (_, change, refusal) => {
    const bytes = readProtected('libreoffice-rc4.xls')
    bytes.set(change, findXlsMethod(bytes))
    await expect(open(bytes)).rejects.toMatchObject({ code: 'unprocessable', message: expect.stringMatching(refusal) })
  })

  it.each<[string, string, string, RegExp]>([
    ['Blowfish', 'aes256-cbc', 'blowfish', /not supported: blowfish/],
    ['another checksum', 'sha256-1k', 'crc32', /not supported: crc32/],
    ['an OpenPGP key', 'PBKDF2', 'PGP', /not supported: PGP/],
    ['too many rounds', 'count="1000"', 'count="600000"', /hashed 600,000 times; at most 500,000/],
    ['rounds that are no number', 'count="1000"', 'count="1e3"', /damaged/],
    ['a short salt', 'm:salt="', 'm:salt="AQ==" m:other="', /damaged/],
    ['a short initialization vector', 'vector="', 'vector="AQ==" m:other="', /damaged/],
    [
      'memory of gigabytes',
      'PBKDF2"',
      'urn:x:argon2id" l:argon2-iterations="3" l:argon2-memory="9999999" l:argon2-lanes="4"',
      /not supported: Argon2id 3, 9999999, 4/,
    ],
  ])('in ODS is refused with %s', async (_, from, to, refusal) => {
    const bytes = protectOds(Buffer.from('<x/>'), (manifest) => manifest.replace(from, to))
    await expect(open(bytes)).rejects.toMatchObject({ code: 'unprocessable', message: expect.stringMatching(refusal) })
  })

  it('in ODS is refused if its entries are hashed too often together', async () => {
    const bytes = protectOds(Buffer.from('<x/>'), (manifest) => {
      const [entry = ''] = /<m:file-entry.*<\/m:file-entry>/.exec(manifest) ?? []
      return manifest.replace(entry, entry.replace('count="1000"', 'count="500000"').repeat(41))
    })
    await expect(open(bytes)).rejects.toThrow('hashed 20,500,000 times')
  })

  it('in ODS is refused if it unpacks to more than the maximum', async () => {
    await expect(decrypt(protectOds(Buffer.alloc(MAX_UNLOCKED_BYTES + 1)))).rejects.toThrow(
      'The archive unpacks to more than 419,430,400 bytes',
    )
  })

  it('in ODS is refused if its compressed content is damaged', async () => {
    const bytes = protectOds(Buffer.alloc(0), undefined, deflateRawSync(randomBytes(5000)).subarray(0, 4000))
    await expect(decrypt(bytes)).rejects.toThrow('The encryption of the workbook is damaged.')
  })

  it.each(LEGACY)(
    'with any one byte changed is read, refused or stays closed: %s',
    async (name) => {
      const intact = readProtected(name)
      for (let at = 600; at < intact.length; at += 701) {
        const bytes = Buffer.from(intact)
        bytes[at] = bytes[at]! ^ 0x55
        const result = await decrypt(bytes).catch((error) => error.code)
        const isRefused = result === 'unprocessable' || result === 'conflict'
        expect(result === undefined || isRefused || Buffer.isBuffer(result), `byte ${at}`).toBe(true)
      }
    },
    120_000,
  )

  it.each([
    ['an old workbook without a password', 'libreoffice-people.xls'],
    ['an ODS file without a password', 'libreoffice-people.ods'],
    ['a workbook without a password', 'exceljs.xlsx'],
  ])('is told apart from %s', async (_, name) => {
    await expect(open(readWorkbookFile(name))).rejects.toThrow('not a workbook that is protected by a password')
  })
})
