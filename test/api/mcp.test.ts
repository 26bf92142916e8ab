import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestAccount, pluck } from '../support/api.ts'
import { account, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { type CallTool, connectMcp, createToolCaller, getMcpUrl } from '../support/mcp.ts'
import { createGuest, createSheet, readColumn } from '../support/resources.ts'

const FIELDS = [
  { key: 'name', type: 'string', constraints: [{ type: 'required' }] },
  { key: 'color', type: 'enum', config: { options: [{ value: 'red' }, { value: 'blue' }] } },
  { key: 'amount', type: 'number' },
]

let tool: CallTool
let sheetId: string
let ids: string[]

beforeAll(async () => {
  await createFreshSpace({ name: 'Agents' })
  tool = createToolCaller(await connectMcp(account.secretKey))
})
beforeEach(async () => {
  ;({ sheetId } = await createSheet(FIELDS))
  const rows = [
    { name: 'Ada', color: 'Red', amount: 1 },
    { name: 'Grace', color: 'blue', amount: 'two' },
    { name: null, color: 'Red', amount: 3 },
  ]
  ids = pluck((await must('POST', `/sheets/${sheetId}/records`, rows)).records, 'id')
})

describe('POST /mcp', () => {
  it.each([
    ['2026-07-28', undefined],
    ['2025-11-25', {}],
  ])('serves the protocol of %s', async (_version, options) => {
    const client = await connectMcp(account.secretKey, options)
    const { tools } = await client.listTools()
    expect(pluck(tools, 'name')).toEqual(expect.arrayContaining(['list_spaces', 'preview_edit', 'apply_change']))
    expect(client.getInstructions()).toContain('preview')
    const { content } = await client.callTool({ name: 'get_space', arguments: { spaceId } })
    const { data } = JSON.parse((content as { text: string }[])[0]!.text)
    expect(data).toMatchObject({ name: 'Agents' })
    expect(data).not.toHaveProperty('guestLink')
  })

  it('has tools that only read, and says so, except for three', async () => {
    const client = await connectMcp(account.secretKey)
    const { tools } = await client.listTools()
    const changing = tools.filter(({ annotations }) => !annotations?.readOnlyHint)
    expect(pluck(changing, 'name').sort()).toEqual(['apply_change', 'propose_change', 'upload_file'])
  })

  it('returns 401 with a challenge for an unknown token', async () => {
    const response = await fetch(getMcpUrl(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer sk_unknown' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })

  it('returns the errors of the API to the model', async () => {
    expect((await tool('get_sheet', { sheetId: 'us_sh_unknown' })).refused).toMatch(/us_sh_unknown/)
    expect((await tool('read_records', { sheetId, q: 'color eq' })).refused).toMatch(/q: /)
    expect((await tool('read_records', { sheetId, limit: 5 })).refused).toMatch(/no parameters limit/)
    expect((await tool('read_records')).refused).toMatch(/sheetId is required/)
    expect((await tool('preview_edit', { sheetId, edit: {} })).refused).toMatch(/edit/)
    expect((await tool('drop_table')).refused).toMatch(/no tool/)
  })
})

describe('tools that read', () => {
  it('return records with their errors by field', async () => {
    const { records } = await tool('read_records', { sheetId, filter: 'error', fields: ['name', 'color'], pageSize: 1 })
    expect(records).toEqual([
      { id: ids[0], valid: false, values: { name: 'Ada', color: 'Red' }, errors: { color: [expect.any(String)] } },
    ])
  })

  it('cut a long result after a record, and say so', async () => {
    const rows = Array.from({ length: 400 }, (_, index) => ({ name: 'x'.repeat(200), amount: index }))
    await must('POST', `/sheets/${sheetId}/records`, rows)
    const { records, cut } = await tool('read_records', { sheetId, pageSize: 400 })
    expect(records.length).toBeGreaterThan(100)
    expect(cut).toContain(`first ${records.length} of 400`)
  })
})

describe('a change', () => {
  const previewFix = async () => {
    const { data: groups } = await tool('find_errors', { sheetId, fieldKey: 'color' })
    return tool('preview_edit', { sheetId, edit: groups[0].fix })
  }

  it('is previewed, applied once, and undone', async () => {
    const preview = await previewFix()
    expect(preview).toMatchObject({ records: 2, changes: [{ before: 'Red', after: 'red', count: 2 }] })
    expect(await readColumn(sheetId, 'color')).toEqual(['Red', 'blue', 'Red'])

    const { commitId } = await tool('apply_change', { previewId: preview.previewId })
    expect(await readColumn(sheetId, 'color')).toEqual(['red', 'blue', 'red'])
    expect(await tool('apply_change', { previewId: preview.previewId })).toMatchObject({
      commitId,
      note: expect.stringContaining('already applied'),
    })

    const undo = await tool('preview_undo', { commitId })
    await tool('apply_change', { previewId: undo.previewId })
    expect(await readColumn(sheetId, 'color')).toEqual(['Red', 'blue', 'Red'])
  })

  it('is refused if the sheet changed since the preview', async () => {
    const edit = await previewFix()
    const update = await tool('preview_update_records', { sheetId, records: [{ id: ids[0], values: { amount: 7 } }] })
    const set = await tool('preview_set_values', { sheetId, values: { amount: 5 }, q: 'name eq "Ada"' })
    const removal = await tool('preview_delete_records', { sheetId, ids: [ids[2]] })
    await must('PUT', `/sheets/${sheetId}/records`, [{ id: ids[1], values: { amount: { value: 2 } } }])
    for (const { previewId } of [edit, update, set, removal])
      expect((await tool('apply_change', { previewId })).refused).toContain('changed since the preview')
    expect(await readColumn(sheetId, 'amount')).toEqual([1, 2, 3])
  })

  it('to single records shows the values before and after', async () => {
    const update = await tool('preview_update_records', { sheetId, records: [{ id: ids[1], values: { amount: 2 } }] })
    expect(update.records).toEqual([{ id: ids[1], values: { amount: { before: 'two', after: 2 } } }])
    await tool('apply_change', { previewId: update.previewId })
    expect(await readColumn(sheetId, 'amount')).toEqual([1, 2, 3])

    const removal = await tool('preview_delete_records', { sheetId, ids: [ids[2]] })
    expect(removal.deleted).toMatchObject([{ values: { name: null, color: 'Red' } }])
    await tool('apply_change', { previewId: removal.previewId })
    const addition = await tool('preview_add_records', { sheetId, records: [{ name: 'Alan', amount: 4 }] })
    await tool('apply_change', { previewId: addition.previewId })
    expect(await readColumn(sheetId, 'name')).toEqual(['Ada', 'Grace', 'Alan'])
  })

  it('to a selection shows the number of records', async () => {
    const set = await tool('preview_set_values', { sheetId, values: { color: 'blue' }, q: 'color eq "Red"' })
    expect(set).toMatchObject({ records: 2, before: [{ values: { color: 'Red' } }, { values: { color: 'Red' } }] })
    await tool('apply_change', { previewId: set.previewId })
    const replaced = await tool('preview_replace_text', { sheetId, fieldKey: 'name', find: 'ada', replace: 'Eda' })
    expect(replaced).toMatchObject({ cells: 1 })
    await tool('apply_change', { previewId: replaced.previewId })
    expect(await readColumn(sheetId, 'color')).toEqual(['blue', 'blue', 'blue'])
    expect(await readColumn(sheetId, 'name')).toEqual(['Eda', 'Grace', null])
  })

  it('that would change nothing has no preview to apply', async () => {
    const edit = { type: 'replace', fieldKey: 'name', replacements: [{ from: 'Nobody', to: 'X' }] }
    expect(await tool('preview_edit', { sheetId, edit })).toEqual({
      ...(await must('POST', `/sheets/${sheetId}/quality/preview-edit`, edit)),
      note: 'Nothing would change.',
    })
    expect((await tool('preview_set_values', { sheetId, values: { amount: 1 }, q: 'name eq "X"' })).previewId).toBe(
      undefined,
    )
  })

  it('names unknown records and fields', async () => {
    const values = { nam: 'Ada' }
    expect((await tool('preview_add_records', { sheetId, records: [values] })).refused).toContain('no fields nam')
    expect((await tool('preview_update_records', { sheetId, records: [{ id: ids[0], values }] })).refused).toContain(
      'no fields nam',
    )
    expect((await tool('preview_delete_records', { sheetId, ids: ['us_rc_x'] })).refused).toContain('us_rc_x')
  })
})

describe('a proposed change', () => {
  it('waits in a data clip until a person merges it', async () => {
    const { data: groups } = await tool('find_errors', { sheetId, fieldKey: 'color' })
    const { previewId } = await tool('preview_edit', { sheetId, edit: groups[0].fix })
    const proposal = await tool('propose_change', { previewId, name: 'Lower case', description: 'As in the options.' })
    expect(proposal).toMatchObject({ records: 2, updated: 2 })
    expect(await readColumn(sheetId, 'color')).toEqual(['Red', 'blue', 'Red'])
    expect((await tool('propose_change', { previewId, name: 'Again' })).dataClipId).toBe(proposal.dataClipId)

    const { dataClipId } = proposal
    const { summary } = await tool('list_proposed_changes', { dataClipId, includeSummary: true })
    expect(summary).toMatchObject({ changed: 2, byField: { color: 2 } })
    await must('POST', `/data-clips/${dataClipId}/merge`)
    expect(await readColumn(sheetId, 'color')).toEqual(['red', 'blue', 'red'])
    expect((await tool('get_data_clip', { dataClipId })).data.status).toBe('merged')
  })

  it('to single records changes their copies', async () => {
    const records = [
      { id: ids[2], values: { name: 'Alan' } },
      { id: ids[0], values: { amount: 10 } },
    ]
    const { previewId } = await tool('preview_update_records', { sheetId, records })
    const { dataClipId, sheetId: clipSheetId } = await tool('propose_change', { previewId, name: 'Names' })
    expect(await readColumn(clipSheetId, 'name')).toEqual(['Ada', 'Alan'])
    await must('POST', `/data-clips/${dataClipId}/merge`)
    expect(await readColumn(sheetId, 'name')).toEqual(['Ada', 'Grace', 'Alan'])
    expect(await readColumn(sheetId, 'amount')).toEqual([10, 'two', 3])
  })

  it('can set values of a selection', async () => {
    const { previewId } = await tool('preview_set_values', { sheetId, values: { amount: 0 }, filter: 'error' })
    const { dataClipId } = await tool('propose_change', { previewId, name: 'Zero' })
    await must('POST', `/data-clips/${dataClipId}/merge`)
    expect(await readColumn(sheetId, 'amount')).toEqual([0, 0, 0])
  })

  it('to records selected by ids leaves the others out', async () => {
    const edit = { type: 'replace', fieldKey: 'color', replacements: [{ from: 'Red', to: 'red' }] }
    const replaced = { sheetId, fieldKey: 'color', find: 'Red', replace: 'red' }
    for (const preview of [
      await tool('preview_edit', { sheetId, edit, ids: [ids[0]] }),
      await tool('preview_replace_text', { ...replaced, ids: [ids[0]] }),
    ]) {
      const { dataClipId, records } = await tool('propose_change', { previewId: preview.previewId, name: 'One' })
      expect(records).toBe(1)
      expect((await tool('list_proposed_changes', { dataClipId })).data).toMatchObject([{ sourceRecordId: ids[0] }])
    }
  })

  it('leaves no data clip when it fails', async () => {
    const { previewId } = await tool('preview_set_values', { sheetId, values: { amount: 0 } })
    await must('POST', `/sheets/${sheetId}/fields`, { key: 'more', type: 'string' })
    await must('DELETE', `/sheets/${sheetId}/fields/amount`)
    expect((await tool('propose_change', { previewId, name: 'Zero' })).refused).toMatch(/amount.*Nothing was proposed/s)
    expect((await tool('list_data_clips', { sheetId })).data).toEqual([])
  })

  it('cannot be a deletion', async () => {
    const { previewId } = await tool('preview_delete_records', { sheetId, ids: [ids[2]] })
    expect((await tool('propose_change', { previewId, name: 'Remove' })).refused).toContain('can be proposed')
  })
})

describe('an import', () => {
  const CSV = 'Name;Color;Amount;Since\nAda;Red;1,5;01/02/2021\nGrace;blue;2;03/04/2021\n'

  it('is uploaded, previewed with its question, executed and undone', async () => {
    const { sheetId: target } = await createSheet([...FIELDS, { key: 'since', type: 'date' }])
    const { sheets } = await tool('upload_file', { spaceId, name: 'people.csv', text: CSV })
    expect(sheets).toMatchObject([{ columns: ['Name', 'Color', 'Amount', 'Since'] }])
    const to = { sourceSheetId: sheets[0].sheetId, destinationSheetId: target }
    const { questions } = await tool('preview_import', to)
    expect(questions).toMatchObject([{ sourceField: 'Since', question: { about: 'day-month-order' } }])

    const readings = { Since: questions[0].question.alternatives.find(isDayFirst) }
    const imported = await tool('preview_import', { ...to, readings })
    expect(imported.refused).toBeUndefined()
    const { previewId, jobId, counts } = imported
    expect(counts).toMatchObject({ created: 2, valid: 2 })
    await tool('apply_change', { previewId })
    await expect.poll(async () => (await tool('get_job', { jobId })).data.status).toBe('completed')
    expect(await readColumn(target, 'since')).toEqual(['2021-02-01', '2021-04-03'])
    expect(await readColumn(target, 'amount')).toEqual([1.5, 2])
  })

  const isDayFirst = ({ orders }: { orders: Record<string, string> }) => orders['/'] === 'dmy'

  it('uses the mapping that the agent chose', async () => {
    const { sheets } = await tool('upload_file', { spaceId, name: 'people.csv', text: CSV })
    const mapping = [{ sourceField: 'Color', destinationField: 'name' }]
    const { columns, refused } = await tool('preview_import', {
      sourceSheetId: sheets[0].sheetId,
      destinationSheetId: sheetId,
      mapping,
    })
    expect(refused).toBeUndefined()
    expect(columns).toMatchObject([{ sourceFields: ['Color'], destinationField: 'name' }])
  })

  it('can have its own space and sheets', async () => {
    const space = await tool('preview_space', { name: 'Spring', environmentId: account.environmentId })
    const { id } = await tool('apply_change', { previewId: space.previewId })
    const sheets = [{ name: 'People', slug: 'people', fields: [{ key: 'email', type: 'string' }] }]
    const { previewId } = await tool('preview_workbook', { spaceId: id, name: 'Contacts', sheets })
    const workbook = await tool('apply_change', { previewId })
    expect((await must('GET', `/workbooks/${workbook.id}`)).sheets[0].config.fields).toMatchObject([{ key: 'email' }])
  })
})

describe('a preview', () => {
  it('belongs to its caller', async () => {
    const { previewId } = await tool('preview_set_values', { sheetId, values: { amount: 0 } })
    const stranger = await createTestAccount()
    const { refused } = await createToolCaller(await connectMcp(stranger.secretKey))('apply_change', { previewId })
    expect(refused).toBe((await tool('apply_change', { previewId: 'us_cp_x' })).refused.replace('us_cp_x', previewId))
    expect(await readColumn(sheetId, 'amount')).toEqual([1, 'two', 3])
  })

  it('has the permissions of its caller, such as a guest', async () => {
    const { id } = await createGuest([{ id: spaceId }])
    const { token } = await must('GET', `/guests/${id}/token`)
    const guestTool = createToolCaller(await connectMcp(token))
    expect((await guestTool('list_agent_runs', { environmentId: account.environmentId })).refused).toContain(
      'permission',
    )
    const { previewId } = await guestTool('preview_workbook', {
      spaceId,
      name: 'Mine',
      sheets: [{ name: 'A', fields: [{ key: 'a', type: 'string' }] }],
    })
    expect((await guestTool('apply_change', { previewId })).refused).toContain('workbooks:write')
    const set = await guestTool('preview_set_values', { sheetId, values: { amount: 0 } })
    await guestTool('apply_change', { previewId: set.previewId })
    expect(await readColumn(sheetId, 'amount')).toEqual([0, 0, 0])
  })
})
