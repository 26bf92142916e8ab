import { describe, expect, it } from 'vitest'
import { openProtected } from '../../../lib/files/unlock/protection.ts'
import { readWorkbookFile } from '../../support/corpus-workbooks.ts'
import { FILE_PASSWORD, patchProtected, readProtected } from '../../support/protected-workbooks.ts'
import { createFileBytes, readTables } from '../../support/read-tables.ts'

const open = (bytes: Buffer) => openProtected(createFileBytes('a.xlsx', bytes))
const decrypt = async (bytes: Buffer, password = FILE_PASSWORD) => (await open(bytes))(password)

const AGILE = 'agile-sha1-aes128.xlsx'
const STANDARD = 'standard-aes192.xlsx'

describe('a workbook with a password', () => {
  it.each([
    'msoffcrypto-agile-sha512.xlsx',
    'agile-sha1-aes128.xlsx',
    'agile-sha256-aes192.xlsx',
    'agile-sha384-aes256.xlsx',
    'libreoffice-standard.xlsx',
    'standard-aes192.xlsx',
    'standard-aes256.xlsx',
  ])('is decrypted: %s', async (name) => {
    const [table] = await readTables('berths.xlsx', (await decrypt(readProtected(name)))!)
    expect(table).toMatchObject({
      name: 'Berths',
      columns: ['name', 'length'],
      rows: [
        ['Ada', '12.5'],
        ['Blæs', '9'],
        ['Łódź', '31'],
      ],
    })
  })

  it.each([AGILE, STANDARD])('stays closed for a wrong password: %s', async (name) => {
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

  it.each([
    ['an old workbook', 'libreoffice-people.xls'],
    ['a workbook without a password', 'exceljs.xlsx'],
  ])('is told apart from %s', async (_, name) => {
    await expect(open(readWorkbookFile(name))).rejects.toThrow('not a workbook that is protected by a password')
  })
})
