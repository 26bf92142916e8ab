import * as SheetJS from '@e965/xlsx'
import { beforeAll, describe, expect, it } from 'vitest'
import { findEvents, waitForFileJob } from '../support/activity.ts'
import type { SeenEvent } from '../support/api.ts'
import { pluck } from '../support/api.ts'
import { readWorkbookFile } from '../support/corpus-workbooks.ts'
import { account, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { uploadFile } from '../support/upload.ts'

beforeAll(() => createFreshSpace({ name: 'Extraction' }))

const upload = (name: string, content: string | Buffer) => uploadFile(account, spaceId, name, content)

const jobsOf = async (fileId: string) => await must('GET', `/jobs?fileId=${fileId}`)
const fileOf = async (id: string) => await must('GET', `/files/${id}`)

async function tableOf(fileId: string): Promise<{ keys: string[]; rows: unknown[][] }> {
  const { workbookId } = await fileOf(fileId)
  const workbook = await must('GET', `/workbooks/${workbookId}`)
  const keys = pluck(workbook.sheets[0].config.fields, 'key')
  const { records } = await must('GET', `/sheets/${workbook.sheets[0].id}/records`)
  return {
    keys,
    rows: records.map(({ values }: { values: Record<string, { value: unknown }> }) =>
      keys.map((key: string) => values[key]!.value),
    ),
  }
}

describe('an HTML page', () => {
  it.each(['page.html', 'export.xls'])('becomes a sheet for each table: %s', async (name) => {
    const fileId = await upload(
      name,
      '<html><script>1</script><table><tr><th>Name<th>Age<tr><td rowspan=2>Ada<td>36<tr><td>37</table></html>',
    )
    expect(await waitForFileJob(fileId)).toMatchObject({ status: 'completed' })
    expect(await tableOf(fileId)).toEqual({
      keys: ['Name', 'Age'],
      rows: [
        ['Ada', '36'],
        [null, '37'],
      ],
    })
  })

  it('without a table is refused with the reason', async () => {
    const fileId = await upload('page.htm', '<html><p>Hello</p></html>')
    expect(await waitForFileJob(fileId)).toMatchObject({ status: 'failed' })
    expect(await fileOf(fileId)).toMatchObject({ statusReason: 'page.htm: The page has no table.' })
  })
})

describe('a workbook', () => {
  it.each(['xls', 'ods'])('has the same records as %s and as XLSX', async (ext) => {
    const [old, current] = await Promise.all(
      [`libreoffice.${ext}`, 'exceljs.xlsx'].map(async (name) => {
        const fileId = await upload(name, readWorkbookFile(name))
        expect(await waitForFileJob(fileId)).toMatchObject({ status: 'completed' })
        return tableOf(fileId)
      }),
    )
    expect(old!.rows).toHaveLength(3)
    expect(old).toEqual(current)
  })

  it('has a sheet for each of several tables, and says so', async () => {
    const book = SheetJS.utils.book_new()
    const rows = [
      ['Order', 'Total'],
      [1, 10],
      [2, 20],
      [],
      ['Name', 'E-mail'],
      ['Ada', 'a@b.example'],
      ['Bo', 'b@b.example'],
    ]
    SheetJS.utils.book_append_sheet(book, SheetJS.utils.aoa_to_sheet(rows), 'Report')
    const fileId = await upload('report.xlsx', SheetJS.write(book, { type: 'buffer', bookType: 'xlsx' }))
    const job = await waitForFileJob(fileId)
    expect(job).toMatchObject({ status: 'completed' })
    expect(job.info).toContain('(several tables on one sheet became separate sheets: Report)')
    const { tables } = await must('GET', `/files/${fileId}/preview`)
    expect(pluck(tables, 'headerRow')).toEqual([1, 5])
    const { sheets } = await must('GET', `/workbooks/${(await fileOf(fileId)).workbookId}`)
    expect(pluck(sheets, 'name')).toEqual(['Report', 'Report (2)'])
    const { records } = await must('GET', `/sheets/${sheets[1].id}/records`)
    expect(records).toHaveLength(2)
    const config = { options: { splitSheets: false } }
    await must('POST', '/jobs', { type: 'file', operation: 'extract', source: fileId, trigger: 'immediate', config })
    expect(await waitForFileJob(fileId, 2)).toMatchObject({ status: 'completed' })
    const whole = await must('GET', `/workbooks/${(await fileOf(fileId)).workbookId}`)
    expect(pluck(whole.sheets, 'name')).toEqual(['Report'])
  })

  it('has a preview in an old format too', async () => {
    const fileId = await upload('people.xls', readWorkbookFile('libreoffice-people.xls'))
    const { kind, tables } = await must('GET', `/files/${fileId}/preview`)
    expect([kind, ...pluck(tables, 'name')]).toEqual(['workbook', 'People', 'Secret'])
  })
})

describe('a CSV file', () => {
  it('has the header as written for labels, and unique names for keys', async () => {
    const fileId = await upload('headers.csv', ' Name ,Amount,Amount,\nAda,1,2,3\n')
    await waitForFileJob(fileId)
    const { workbookId } = await fileOf(fileId)
    const { sheets } = await must('GET', `/workbooks/${workbookId}`)
    expect(pluck(sheets[0].config.fields, 'label')).toEqual([' Name ', 'Amount', 'Amount', 'column 4'])
    expect(pluck(sheets[0].config.fields, 'key')).toEqual(['Name', 'Amount', 'Amount 2', 'column 4'])
  })

  it('with lines in two encodings has each as it was written, and again when it is read again', async () => {
    const bytes = Buffer.concat([Buffer.from('name\nZoë\nŁukasz\n'), Buffer.from('Jürgen\n', 'latin1')])
    const fileId = await upload('mixed.csv', bytes)
    const job = await waitForFileJob(fileId)
    expect(job.info).toContain('(1 line was read as windows-1252, the others as UTF-8)')
    expect((await tableOf(fileId)).rows).toEqual([['Zoë'], ['Łukasz'], ['Jürgen']])
    const { tables } = await must('GET', `/files/${fileId}/preview`)
    expect(pluck(tables[0].rows, 'cells').flat()).toEqual(['name', 'Zoë', 'Łukasz', 'Jürgen'])
    await must('POST', '/jobs', { type: 'file', operation: 'extract', source: fileId, trigger: 'immediate' })
    expect(await waitForFileJob(fileId, 2)).toMatchObject({ status: 'completed' })
  })

  it('without a delimiter has the columns that are aligned, also in its preview', async () => {
    const lines = ['Order  Name    Total', ...Array.from({ length: 9 }, (_, row) => `    ${row}  Ada      10.${row}0`)]
    const fileId = await upload('aligned.txt', `${lines.join('\n')}\n`)
    expect(await waitForFileJob(fileId)).toMatchObject({ status: 'completed' })
    const { keys, rows } = await tableOf(fileId)
    expect([keys, rows[8]]).toEqual([
      ['Order', 'Name', 'Total'],
      ['8', 'Ada', '10.80'],
    ])
    const { kind, tables } = await must('GET', `/files/${fileId}/preview`)
    expect([kind, tables[0].width, tables[0].rows[1].cells]).toEqual(['text', 3, ['0', 'Ada', '10.00']])
    const config = { options: { delimiter: ';' } }
    await must('POST', '/jobs', { type: 'file', operation: 'extract', source: fileId, trigger: 'immediate', config })
    expect(await waitForFileJob(fileId, 2)).toMatchObject({ status: 'completed' })
    expect((await tableOf(fileId)).keys).toEqual(['Order Name Total'])
  })

  it('is read with the quote and escape that a job specifies', async () => {
    const fileId = await upload('escapes.csv', 'id,note\n1,|a, \\|b\\||\n2,c\n')
    await waitForFileJob(fileId)
    const options = { quote: '|', escape: '\\' }
    const config = { driver: 'csv', options }
    const job = { type: 'file', operation: 'extract', source: fileId, trigger: 'immediate' }
    expect((await call('POST', '/jobs', { ...job, config: { options: { quote: '||' } } })).status).toBe(400)
    await must('POST', '/jobs', { ...job, config })
    expect(await waitForFileJob(fileId, 2)).toMatchObject({ status: 'completed' })
    expect(await tableOf(fileId)).toEqual({
      keys: ['id', 'note'],
      rows: [
        ['1', 'a, |b|'],
        ['2', 'c'],
      ],
    })
  })

  it('keeps its rows apart although a quote is never closed', async () => {
    const fileId = await upload('quotes.csv', 'id,note,more\n1,"a, b","\n2,"c,"d, e"\n')
    await waitForFileJob(fileId)
    expect(await tableOf(fileId)).toEqual({
      keys: ['id', 'note', 'more'],
      rows: [
        ['1', 'a, b', '"'],
        ['2', '"c', 'd, e'],
      ],
    })
  })

  it('becomes a workbook with a sheet, with an event for each step', async () => {
    const fileId = await upload('people.csv', 'Name,Größe\n"Ada, Countess",165\nBob,\n')
    const job = await waitForFileJob(fileId)
    expect(job).toMatchObject({
      type: 'file',
      operation: 'extract',
      source: fileId,
      status: 'completed',
      progress: 100,
    })
    const timings = Object.entries(job.timings)
    expect(timings.map(([name]) => name).sort()).toEqual(['computing', 'events', 'reading', 'waiting', 'writing'])
    for (const [, milliseconds] of timings) expect(Number.isInteger(milliseconds)).toBe(true)
    expect(await tableOf(fileId)).toEqual({
      keys: ['Name', 'Größe'],
      rows: [
        ['Ada, Countess', '165'],
        ['Bob', null],
      ],
    })
    const { workbookId, status } = await fileOf(fileId)
    expect(status).toBe('complete')
    const workbook = await must('GET', `/workbooks/${workbookId}`)
    expect(workbook).toMatchObject({
      name: '[file] people.csv',
      labels: ['file'],
      treatments: ['EXTRACTED_FROM_SOURCE'],
      sheets: [{ name: 'people' }],
    })
    const events = (await must('GET', `/events?spaceId=${spaceId}&pageSize=1000`)).filter(
      ({ context }: { context: { fileId?: string } }) => context.fileId === fileId,
    )
    expect(pluck(events, 'topic')).toEqual(
      expect.arrayContaining(['file:created', 'job:created', 'job:ready', 'file:updated', 'job:completed']),
    )
    const ended = events.find(({ topic }: { topic: string }) => topic === 'job:completed')
    expect(ended.context).toMatchObject({ spaceId, workbookId })
    expect(events.filter(({ topic }: { topic: string }) => topic === 'file:updated').at(-1).payload).toEqual({
      status: 'complete',
      workbookId,
    })
    const [begun, ...reports] = events.filter(({ topic }: { topic: string }) => topic === 'job:updated')
    expect(begun.payload.status).toBe('executing')
    expect(reports.length).toBeLessThanOrEqual((Date.parse(job.finishedAt) - Date.parse(job.startedAt)) / 1500)
  })

  it('in Latin-1 with semicolons and a title is read correctly', async () => {
    const fileId = await upload(
      'mitglieder.csv',
      Buffer.from('Mitglieder;;\r\n\r\nName;Ort;Beitrag\r\nMüller;Köln;12,50\r\n', 'latin1'),
    )
    await waitForFileJob(fileId)
    expect(await tableOf(fileId)).toEqual({ keys: ['Name', 'Ort', 'Beitrag'], rows: [['Müller', 'Köln', '12,50']] })
    expect((await fileOf(fileId)).encoding).toBe('windows-1252')
  })

  it('with wider rows further down loses no cells', async () => {
    const narrow = Array.from({ length: 30_000 }, (_, row) => `${row},abcdefgh`).join('\n')
    const fileId = await upload('ragged.csv', `id,text\n${narrow}\nlast,wide,extra,more\n`)
    await waitForFileJob(fileId)
    const { keys, rows } = await tableOf(fileId)
    expect(keys).toEqual(['id', 'text', 'column 3', 'column 4'])
    const workbook = await must('GET', `/workbooks/${(await fileOf(fileId)).workbookId}`)
    const last = await must(
      'GET',
      `/sheets/${workbook.sheets[0].id}/records?pageSize=1&pageNumber=30001&includeLength=true`,
    )
    expect(last.counts.total).toBe(30_001)
    expect(last.records[0].values['column 4'].value).toBe('more')
    expect(rows[0]).toEqual(['0', 'abcdefgh', null, null])
  })

  it('that is not valid fails its job with the reason', async () => {
    const fileId = await upload('picture.csv', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]))
    const job = await waitForFileJob(fileId)
    expect(job.status).toBe('failed')
    expect(job.outcome.message).toBe(job.info)
    expect(JSON.stringify(job)).toContain('picture.csv: The file is a PNG image, not delimited text.')
    expect((await fileOf(fileId)).status).toBe('failed')
  })
})

async function listTopics(fileId: string): Promise<string[]> {
  const { workbookId } = await fileOf(fileId)
  const events = await findEvents(`spaceId=${spaceId}`)
  const about = ({ context }: SeenEvent) =>
    context.fileId === fileId || (workbookId && context.workbookId === workbookId)
  return pluck(events.filter(about), 'topic')
}

describe('an extraction', () => {
  it('emits the workbook before its records, and the file once both are there', async () => {
    const fileId = await upload('order.csv', 'a,b\n1,2\n')
    await waitForFileJob(fileId)
    const topics = await listTopics(fileId)
    const steps = [
      'file:created',
      'file:updated',
      'workbook:created',
      'sheet:created',
      'records:created',
      'commit:created',
      'job:completed',
    ]
    expect(topics.filter((topic) => steps.includes(topic))).toEqual([
      ...steps.slice(0, -1),
      'file:updated',
      steps.at(-1),
    ])
  })

  it('records in the sheet which row was the header', async () => {
    const fileId = await upload('titled.csv', 'Members of 2026,,\n,,\nname,city,age\nAda,London,36\n')
    await waitForFileJob(fileId)
    const workbook = await must('GET', `/workbooks/${(await fileOf(fileId)).workbookId}`)
    expect(workbook.sheets[0].metadata).toEqual({ rowHeaders: [3] })
  })

  it('detects the encoding of a file whose first non-ASCII characters come late', async () => {
    const ascii = Array.from({ length: 30_000 }, (_, row) => `${row},abcdefgh`).join('\n')
    const fileId = await upload('late.csv', Buffer.from(`id,text\n${ascii}\nlast,Köln\n`, 'latin1'))
    const job = await waitForFileJob(fileId)
    expect(job.info).toBe('Extracted 30,001 rows')
    const file = await fileOf(fileId)
    expect(file.encoding).toBe('windows-1252')
    const [sheet] = (await must('GET', `/workbooks/${file.workbookId}`)).sheets
    const found = (await must('GET', `/sheets/${sheet.id}/records?searchValue=last`)).records
    expect(found.map(({ values }: { values: { text: { value: string } } }) => values.text.value)).toEqual(['Köln'])
  })

  it('makes a sheet without rows from a file with only a header', async () => {
    const fileId = await upload('header.csv', 'a,b\r\n')
    expect((await waitForFileJob(fileId)).info).toBe('Extracted 0 rows')
    expect(await tableOf(fileId)).toEqual({ keys: ['a', 'b'], rows: [] })
  })

  it('treats names with a meaning in JavaScript as data', async () => {
    const fileId = await upload('hostile.csv', '__proto__,constructor,toString,\nx,y,z,w\n')
    await waitForFileJob(fileId)
    expect(await tableOf(fileId)).toEqual({
      keys: ['__proto__ 2', 'constructor', 'toString', 'column 4'],
      rows: [['x', 'y', 'z', 'w']],
    })
  })

  it.each([
    ['empty.csv', Buffer.from('\n \n'), 'The file is empty or contains only whitespace.'],
    ['wide.csv', Buffer.from(`${'x,'.repeat(600)}x\n`), 'The table has 601 columns; a sheet has at most 500.'],
    [
      'broken.csv',
      Buffer.concat([Buffer.from('né,b\n'.repeat(30)), Buffer.from([0xff]), Buffer.from(',b\n')]),
      'In row 31 byte 180 is not valid UTF-8. Save the file as UTF-8 and try again.',
    ],
  ])('fails with the reason and leaves no workbook: %s', async (name, bytes, message) => {
    const before = (await must('GET', `/workbooks?spaceId=${spaceId}`)).length
    const fileId = await upload(name, bytes)
    const job = await waitForFileJob(fileId)
    expect(job).toMatchObject({ status: 'failed', info: `${name}: ${message}` })
    const file = await fileOf(fileId)
    expect(file.status).toBe('failed')
    expect(file.workbookId).toBeUndefined()
    expect(await must('GET', `/workbooks?spaceId=${spaceId}`)).toHaveLength(before)
    expect(await listTopics(fileId)).toContain('file:updated')
  })
})

describe('an extraction run', () => {
  const rows = 25_000
  const text = `id,text\n${Array.from({ length: rows }, (_, row) => `${row},é`).join('\n')}\n`

  async function newExtraction(onProgress: (fraction: number) => Promise<void> = async () => {}) {
    const { Files } = await import('../../lib/entities/files.ts')
    const { newId } = await import('../../lib/core/ids.ts')
    const { extractFile } = await import('../../lib/files/extract/index.ts')
    const file = (await Files.get(await upload('rows.data', text)))!
    const input = { file, actor: { accountId: account.accountId, actorId: account.userId }, jobId: newId('job') }
    return {
      ...input,
      run: (tell = onProgress) => extractFile({ ...input, onProgress: tell }),
    }
  }
  const countRecords = async (sheetId: string) =>
    (await must('GET', `/sheets/${sheetId}/records?pageSize=1&includeLength=true`)).counts.total

  it('that is repeated adds and emits nothing', async () => {
    const { run, file } = await newExtraction()
    const first = await run()
    expect(first.rows).toBe(rows)
    const told = await listTopics(file.id)
    expect(await run()).toEqual(first)
    expect(await countRecords(first.sheetIds[0]!)).toBe(rows)
    expect(await listTopics(file.id)).toEqual(told)
  })

  it('killed at any moment leaves nothing visible, and the next one creates everything once', async () => {
    const { run, file } = await newExtraction()
    const fractions: number[] = []
    for (const last of [0, 1]) {
      const stopping = run(async (fraction) => {
        fractions.push(fraction)
        if (fraction >= last) throw new Error('stopped')
      })
      await expect(stopping).rejects.toThrow('stopped')
      expect((await fileOf(file.id)).workbookId).toBeUndefined()
      expect((await fileOf(file.id)).status).toBe('complete')
      const { data } = (await call('GET', `/workbooks?spaceId=${spaceId}`)).body
      expect(data.filter(({ name }: { name: string }) => name === '[file] rows.data')).toHaveLength(1)
    }
    expect(fractions.at(-1)).toBe(1)
    const { rows: read, sheetIds } = await run()
    expect(read).toBe(rows)
    expect(await countRecords(sheetIds[0]!)).toBe(rows)
  })
})

it('happens once, however often its event is delivered', async () => {
  const fileId = await upload('once.csv', 'a\n1\n')
  await waitForFileJob(fileId)
  const { handler } = await import('../../functions/system/file-created.ts')
  const event = (await must('GET', `/events?spaceId=${spaceId}&topic=file:created&pageSize=100`)).find(
    ({ context }: { context: { fileId: string } }) => context.fileId === fileId,
  )
  await handler({ detail: event } as never)
  expect(await jobsOf(fileId)).toHaveLength(1)
})

it('leaves other file types to listeners', async () => {
  const fileId = await upload('people.pdf', '%PDF-')
  const csv = await upload('after.csv', 'a\n1\n')
  await waitForFileJob(csv)
  expect(await jobsOf(fileId)).toEqual([])
})
