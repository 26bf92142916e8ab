import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createTestAccount, getServer, pluck, waitUntil } from '../support/api.ts'
import { call, createFreshSpace, must } from '../support/fresh-account.ts'
import {
  CONTACTS,
  createProgram,
  createSheets,
  DESTINATION,
  FILE,
  getAssignedFields,
  listProgramEvents,
  type ProgramRule,
  SOURCE,
  textField,
} from '../support/mapping-jobs.ts'
import { useOwnPlatform } from '../support/own-platform.ts'

useOwnPlatform()
beforeAll(() => createFreshSpace())

describe('a program', () => {
  it('that is not saved is suggested and discarded', async () => {
    const before = (await call('GET', '/mapping')).body.pagination.totalCount
    const program = await createProgram({ save: false })
    expect(program).not.toHaveProperty('id')
    expect(getAssignedFields(program.rules)).toEqual([
      ['Vorname', 'first_name'],
      ['Nachname', 'last_name'],
      ['E-Mail', 'email'],
      ['Betrag', 'amount'],
    ])
    for (const rule of program.rules) expect(rule).not.toHaveProperty('id')
    expect((await call('GET', '/mapping')).body.pagination.totalCount).toBe(before)
  })

  it('emits events with space, workbook and sheet, which are empty when it has no sheet', async () => {
    const listLocations = async (programId: string) =>
      (await listProgramEvents(programId)).map(({ context }) => [context.spaceId, context.workbookId, context.sheetId])
    const { id } = await createProgram({})
    expect(await listLocations(id)).toEqual([['', '', '']])
    const pair = await createSheets()
    const workbook = await must('GET', `/workbooks/${pair.workbookId}`)
    const both = await must('POST', '/mapping', {
      save: true,
      sourceSheetId: pair.source,
      destinationSheetId: pair.destination,
    })
    expect(await listLocations(both.id)).toEqual([[workbook.spaceId, pair.workbookId, pair.destination]])
    const { data: from } = (
      await call('POST', '/mapping', { save: true, sourceSheetId: pair.source, destination: DESTINATION })
    ).body
    expect(await listLocations(from.id)).toEqual([[workbook.spaceId, pair.workbookId, pair.source]])
  })

  it('suggests nothing below the confidence the destination requires', async () => {
    const suggestAt = async (mappingConfidenceThreshold: number) =>
      getAssignedFields(
        (await createProgram({ save: false, destination: { ...DESTINATION, mappingConfidenceThreshold } })).rules,
      )
    expect(await suggestAt(0.95)).toEqual([['E-Mail', 'email']])
    expect(await suggestAt(0.99)).toEqual([])
  })

  it('is created, read, changed and deleted, with events', async () => {
    const program = await createProgram({
      namespace: 'crm',
      rules: [{ name: 'Fixed', type: 'constant', config: { destinationField: 'reference', value: 'R1' } }],
    })
    expect(program).toMatchObject({
      namespace: 'crm',
      sourceKeys: FILE.map(({ key }) => key),
      destinationKeys: CONTACTS.map(({ key }) => key),
      summary: { totalRuleCount: 5, addedRuleCount: 5, deletedRuleCount: 0 },
      createdBy: expect.any(String),
    })
    expect(await must('GET', `/mapping/${program.id}`)).toEqual(program)
    const renamed = await must('PATCH', `/mapping/${program.id}`, {
      source: SOURCE,
      destination: DESTINATION,
      namespace: 'erp',
    })
    expect(renamed).toMatchObject({ namespace: 'erp', rules: program.rules })
    expect(pluck(await listProgramEvents(program.id), 'topic')).toEqual(['program:created', 'program:updated'])
    await must('DELETE', `/mapping/${program.id}`)
    expect((await call('GET', `/mapping/${program.id}`)).status).toBe(404)
  })

  it('is listed by every filter', async () => {
    const other = await createTestAccount()
    const by = createCaller(other.secretKey)
    const made = []
    for (const more of [
      { namespace: 'a' },
      { familyId: 'family' },
      { source: { name: 'F', fields: [textField('E-Mail'), textField('x,y')] } },
    ])
      made.push(
        (await by('POST', '/mapping', { source: SOURCE, destination: DESTINATION, save: true, ...more })).body.data,
      )
    const ids = made.map(({ id }) => id)
    const listed = async (query: string) =>
      (await by('GET', `/mapping?${query}`)).body.data.map(({ id }: { id: string }) => ids.indexOf(id))
    expect(await listed('')).toEqual([2, 1, 0])
    expect(await listed('sortDirection=asc')).toEqual([0, 1, 2])
    expect(await listed('namespace=a')).toEqual([0])
    expect(await listed('familyId=family')).toEqual([1])
    expect(await listed('sourceKeys=Vorname,E-Mail')).toEqual([1, 0])
    expect(await listed('sourceKeys=x,y')).toEqual([2])
    expect(await listed('destinationKeys=email')).toEqual([2, 1, 0])
    expect(await listed('destinationKeys=nothing')).toEqual([])
    expect(await listed(`createdBy=${made[0].createdBy}&modifiedBy=${made[0].createdBy}`)).toEqual([2, 1, 0])
    expect(await listed('createdBy=us_usr_nobody')).toEqual([])
    expect(await listed(`createdBefore=${made[1].createdAt}`)).toEqual([0])
    expect(await listed(`createdAfter=${made[1].createdAt}&modifiedAfter=${made[1].createdAt}`)).toEqual([2, 1])
    expect(await listed('jobId=us_jb_none')).toEqual([])
    const page = (await by('GET', '/mapping?pageSize=2&pageNumber=2')).body
    expect([page.data.length, page.pagination]).toEqual([1, { currentPage: 2, pageCount: 2, totalCount: 3 }])
    await must('DELETE', `/mapping/${ids[0]}`, undefined, by)
    expect(await listed('')).toEqual([2, 1])
  })

  it('has rules that are added, changed and removed, all or none, with every problem reported', async () => {
    const { id, rules } = await createProgram()
    const path = `/mapping/${id}/rules`
    const join = {
      name: 'All',
      type: 'concatenate',
      config: { sourceFields: ['Vorname', 'Nachname'], destinationField: 'reference', separator: ' ' },
    }
    const [added] = await must('POST', path, [join])
    expect(added).toMatchObject({ ...join, id: expect.stringMatching(/^us_mr_/) })
    expect(await must('GET', `${path}/${added.id}`)).toEqual(added)
    expect(await must('PATCH', `${path}/${added.id}`, { ...join, name: 'Both' })).toMatchObject({
      id: added.id,
      name: 'Both',
    })
    expect((await must('PATCH', path, [{ ...added, name: 'Renamed' }]))[0]).toMatchObject({ name: 'Renamed' })
    expect(await must('GET', path)).toHaveLength(rules.length + 1)
    const bad = { name: 'Bad', type: 'assign', config: { sourceField: 'none', destinationField: 'nowhere' } }
    const getErrorKeys = (answer: { body: { errors: { key: string }[] } }) => answer.body.errors.map(({ key }) => key)
    const posted = await call('POST', path, [join, bad, { ...bad, type: 'magic' }])
    expect([posted.status, getErrorKeys(posted)]).toEqual([
      400,
      ['1.config.sourceField', '1.config.destinationField', '2.type'],
    ])
    const patched = await call('PATCH', `${path}/${added.id}`, bad)
    expect([patched.status, getErrorKeys(patched)]).toEqual([400, ['config.sourceField', 'config.destinationField']])
    expect(
      getErrorKeys(
        await call('PATCH', path, [
          { id: added.id, name: 'Lost' },
          { ...bad, id: rules[0].id },
        ]),
      ),
    ).toEqual(['1.config.sourceField', '1.config.destinationField'])
    expect((await call('PATCH', path, [{ id: added.id, name: 'Lost' }, { id: 'us_mr_none' }])).status).toBe(404)
    expect((await call('DELETE', path, { ruleIds: [added.id, 'us_mr_none'] })).status).toBe(404)
    expect((await must('GET', `${path}/${added.id}`)).name).toBe('Renamed')
    await must('DELETE', path, { ruleIds: [added.id, rules[0].id] })
    await must('DELETE', `${path}/${rules[1].id}`)
    expect((await must('GET', path)).map((rule: ProgramRule) => rule.id)).toEqual(
      rules.slice(2).map((rule: ProgramRule) => rule.id),
    )
    expect((await call('GET', `${path}/${added.id}`)).status).toBe(404)
    const other = await createProgram()
    expect((await call('GET', `/mapping/${other.id}/rules/${rules[2].id}`)).status).toBe(404)
  })

  it('has its suggestions recomputed when its fields change; rules set by clients stay while they fit', async () => {
    const own = [
      { name: 'Mine', type: 'constant', config: { destinationField: 'reference', value: 1 } },
      {
        name: 'Lost',
        type: 'transform',
        config: { sourceField: 'Alles', destinationField: 'reference', transform: 'trim' },
      },
    ]
    const { id, rules } = await createProgram({ rules: own })
    const source = { name: 'File', fields: ['First', 'Nachname', 'Mail'].map((key) => textField(key)) }
    const after = await must('PATCH', `/mapping/${id}`, { source, destination: DESTINATION })
    expect(getAssignedFields(after.rules)).toEqual([
      ['First', 'first_name'],
      ['Nachname', 'last_name'],
      ['Mail', 'email'],
    ])
    const getRuleId = (list: ProgramRule[], to: string) => list.find(({ config }) => config.destinationField === to)!.id
    expect(getRuleId(after.rules, 'last_name')).toBe(getRuleId(rules, 'last_name'))
    expect(after.rules.filter(({ type }: ProgramRule) => type !== 'assign')).toMatchObject([{ name: 'Mine' }])
    expect(after).toMatchObject({ summary: { totalRuleCount: 4, addedRuleCount: 2, deletedRuleCount: 4 } })
    expect(after).not.toHaveProperty('recomputingAt')
    expect(pluck(await listProgramEvents(id), 'topic')).toEqual([
      'program:created',
      'program:updated',
      'program:recomputing',
      'program:recomputed',
    ])
  })

  it('is recomputed by the schedule when its request died halfway', async () => {
    const { id } = await createProgram()
    getServer()
    const { Programs } = await import('../../lib/entities/programs.ts')
    const { startRecomputing } = await import('../../lib/mapping/programs.ts')
    const { begin } = await import('../../lib/tx.ts')
    const before = (await Programs.get(id))!
    const tx = begin({ accountId: before.accountId, actorId: before.createdBy })
    startRecomputing(tx, before, { ...before, source: { name: 'File', fields: [textField('Mail')] as never } })
    await tx.commit()
    expect((await must('GET', `/mapping/${id}`)).recomputingAt).toBeDefined()
    const { handler } = await import('../../functions/system/jobs-due.ts')
    const runScheduleIn = (minutes: number) =>
      handler(
        { time: new Date(Date.now() + minutes * 60_000).toISOString() },
        { getRemainingTimeInMillis: () => 300_000 },
      )
    await runScheduleIn(0)
    expect((await must('GET', `/mapping/${id}`)).recomputingAt).toBeDefined()
    expect((await runScheduleIn(2)).programs).toBeGreaterThanOrEqual(1)
    const after = await must('GET', `/mapping/${id}`)
    expect(getAssignedFields(after.rules)).toEqual([['Mail', 'email']])
    await runScheduleIn(4)
    expect(
      (await listProgramEvents(id)).filter(({ topic }: { topic: string }) => topic === 'program:recomputed'),
    ).toHaveLength(1)
  })

  it('between sheets compares their values, belongs to the destination, and is deleted with its space', async () => {
    const space = await must('POST', '/spaces', { name: 'Short-lived' })
    const { source, destination, workbookId } = await createSheets({
      in: space.id,
      fields: ['A', 'B', 'C', 'D', 'E'].map((key) => textField(key)),
    })
    const by = { sourceSheetId: source, destinationSheetId: destination, save: true }
    expect(
      (await call('POST', '/mapping', { sourceSheetId: 'us_sh_none', destinationSheetId: destination })).status,
    ).toBe(404)
    expect((await call('POST', '/mapping', { destinationSheetId: destination })).body.errors[0].key).toBe('source')
    const elsewhere = await createSheets()
    expect((await call('POST', '/mapping', { ...by, destinationSheetId: elsewhere.destination })).status).toBe(400)
    const program = await must('POST', '/mapping', { ...by, source: undefined })
    expect(program).toMatchObject({ spaceId: space.id, workbookId, sheetId: destination, sourceSheetId: source })
    const [created] = await listProgramEvents(program.id)
    expect(created!.context).toMatchObject({
      spaceId: space.id,
      workbookId,
      sheetId: destination,
      programId: program.id,
    })
    await must('DELETE', `/spaces/${space.id}`)
    await waitUntil(async () => (await call('GET', `/mapping/${program.id}`)).status === 404)
  })
})
