import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { HOSTILE } from '../../support/hostile-files.ts'
import { readTables, readWithoutKeeping } from '../../support/read-tables.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

describe('hostile file', () => {
  it.each(HOSTILE)('$name is rejected: $refusal', async ({ name, bytes, options, refusal }) => {
    const content = bytes()
    collectGarbage()
    const before = process.memoryUsage.rss()
    await expect(readWithoutKeeping(name, content, options)).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringMatching(refusal),
    })
    expect(process.memoryUsage.rss() - before).toBeLessThan(300 * 1024 * 1024)
  })
})

it('names with a meaning in JavaScript are data in every format', async () => {
  const names = ['__proto__', 'constructor', 'hasOwnProperty']
  const record = `{${names.map((name) => `"${name}":"x"`).join(',')}}`
  const files: [string, string][] = [
    ['a.csv', `${names.join(',')}\nx,x,x\n`],
    ['a.json', `[${record}]`],
    ['a.jsonl', `${record}\n`],
    ['a.xml', `<r><i>${names.map((name) => `<${name}>x</${name}>`).join('')}</i><i/></r>`],
  ]
  for (const [name, text] of files) {
    const [table] = await readTables(name, Buffer.from(text))
    expect(table).toMatchObject({ columns: ['__proto__ 2', 'constructor', 'hasOwnProperty'], rows: [['x', 'x', 'x']] })
  }
  expect(({} as { x?: unknown }).x).toBeUndefined()
})

it('large but legitimate files are read', async () => {
  const rows = 20_000
  const text = `id,text\n${Array.from({ length: rows }, (_, row) => `${row},${Math.sin(row)}`).join('\n')}\n`
  const [table] = await readTables('large.csv.gz', gzipSync(text))
  expect(table!.rows).toHaveLength(rows)
})
