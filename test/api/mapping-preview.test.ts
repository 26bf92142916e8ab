/** The preview of a mapping job, over HTTP: it equals what lands, or executing it lists what changed. */
import { FlatfileClient, FlatfileError } from '@flatfile/api'
import { beforeAll, describe, expect, it } from 'vitest'
import { waitForJob } from '../support/activity.ts'
import { createCaller, createTestAccount, getServer, pluck } from '../support/api.ts'
import { account, call, createFreshSpace, environmentId, must, spaceId } from '../support/fresh-account.ts'
import { buildMappingJob, createSheets, textField } from '../support/mapping-jobs.ts'
import {
  createJob,
  DESTINATION,
  execute,
  FIELDS,
  preview,
  ROWS,
  readLanded,
  toRecord,
} from '../support/mapping-previews.ts'
import { createGuestCaller, createSpace, readRecords } from '../support/resources.ts'

beforeAll(() => createFreshSpace({ name: 'Preview' }))

const readVersion = async (sheetId: string) =>
  (await must('GET', `/sheets/${sheetId}/commits`)).map(({ id }: { id: string }) => id)

describe('POST /jobs/{id}/preview', () => {
  it('tells what becomes of the values of each column, with examples', async () => {
    const { jobId } = await createJob()
    const { columns } = await preview(jobId)
    const one = (before: unknown, after = before) => ({ before, after })
    expect(columns).toEqual([
      {
        ...{ sourceFields: ['name'], destinationField: 'name', converted: 0, unchanged: 3, unreadable: 0, empty: 1 },
        examples: { converted: [], unchanged: [one('Ada'), one('Blaise')], unreadable: [] },
      },
      {
        ...{ sourceFields: ['born'], destinationField: 'born', converted: 2, unchanged: 0, unreadable: 1, empty: 1 },
        reading: { type: 'date', orders: { '/': 'dmy' } },
        examples: {
          converted: [one('10/12/1815', '1815-12-10'), one('19/06/1623', '1623-06-19')],
          unchanged: [],
          unreadable: [one('before the war')],
        },
      },
      {
        ...{ sourceFields: ['paid'], destinationField: 'paid', converted: 1, unchanged: 1, unreadable: 1, empty: 1 },
        reading: { type: 'number', decimalMark: ',' },
        examples: {
          converted: [{ before: '1.234,50', after: 1234.5 }],
          unchanged: [{ before: '7', after: 7 }],
          unreadable: [one('nine')],
        },
      },
      {
        ...{ sourceFields: ['plan'], destinationField: 'plan', converted: 1, unchanged: 1, unreadable: 1, empty: 1 },
        examples: { converted: [one('Professional', 'pro')], unchanged: [one('free')], unreadable: [one('gold')] },
      },
    ])
  })

  it('shows an open question, and the values that stay as they are until it is resolved', async () => {
    const { jobId } = await createJob([
      ['Ada', '01/02/2021', null, null],
      ['Blaise', '03/04/2021', null, null],
    ])
    const born = async () => (await preview(jobId)).columns[1]
    const asked = await born()
    expect(asked).toMatchObject({ converted: 0, unreadable: 2, question: { about: 'day-month-order' } })
    const { programId } = (await must('GET', `/jobs/${jobId}/plan`)).plan
    const config = {
      sourceField: 'destination!born',
      destinationField: 'born',
      reading: asked.question.alternatives[0],
    }
    await must('POST', `/mapping/${programId}/rules`, [{ name: 'Answer', type: 'read', config }])
    const answered = await born()
    expect(answered).toMatchObject({ converted: 2, unreadable: 0, reading: asked.question.alternatives[0] })
    expect(answered.question).toBeUndefined()
    expect(answered.examples.converted[0]).toEqual({ before: '01/02/2021', after: '2021-02-01' })
  })

  it('lists the source fields of a value computed from several', async () => {
    const rules = [
      { type: 'assign', config: { sourceField: 'name', destinationField: 'name' } },
      {
        type: 'concatenate',
        config: { sourceFields: ['destination!name', 'born', 'paid'], destinationField: 'plan', separator: ' ' },
      },
    ]
    const { jobId } = await createJob([['Ada', 'b', 'c', 'd']], { mappingRules: rules })
    expect((await preview(jobId)).columns[1]).toMatchObject({
      sourceFields: ['name', 'born', 'paid'],
      examples: { unreadable: [{ before: ['Ada', 'b', 'c'], after: 'Ada b c' }] },
    })
  })

  it('changes nothing', async () => {
    const { jobId, source, destination } = await createJob()
    const read = async () => [
      await must('GET', `/jobs/${jobId}`),
      await must('GET', `/jobs/${jobId}/plan`),
      await readVersion(source),
      await readVersion(destination),
    ]
    const before = await read()
    await preview(jobId)
    expect(await read()).toEqual(before)
  })

  it('shows the first hundred records and counts all', async () => {
    const rows = Array.from({ length: 150 }, (_, i) => [i === 149 ? 'Name 3' : `Name ${i}`, null, `${i}`, null])
    const { jobId, source, destination } = await createJob(rows.slice(0, 90))
    await must('POST', `/sheets/${source}/records`, rows.slice(90).map(toRecord))
    const seen = await preview(jobId)
    expect(seen.records).toHaveLength(100)
    expect(seen.records[3].values.name.messages).toMatchObject([{ source: 'unique-constraint' }])
    expect(seen).toMatchObject({
      counts: { created: 150, valid: 148, invalid: 2 },
      ...{ recordCount: 150, countedRecords: 150, isComplete: true },
    })
    expect((await execute(jobId, seen.token)).status).toBe(200)
    expect((await waitForJob(jobId)).result.counts).toEqual(seen.counts)
    expect((await readLanded(destination)).slice(0, 100)).toEqual(seen.records)
  })

  it('says how many records it has counted when its time is over', async () => {
    const { jobId, source } = await createJob()
    await must('POST', `/sheets/${source}/records`, [toRecord(['Grace'])])
    const [{ previewMapping }, { Jobs }, { resolveMappedSheets }] = await Promise.all([
      import('../../lib/jobs/mapping/preview.ts'),
      import('../../lib/entities/jobs.ts'),
      import('../../lib/jobs/mapping/mapped-sheets.ts'),
    ])
    const job = (await Jobs.get(jobId))!
    const seen = await previewMapping(job, await resolveMappedSheets(job, job), { seconds: 0 })
    expect(seen).toMatchObject({ isComplete: false, recordCount: 5, countedRecords: 4, counts: { created: 4 } })
    expect(seen.info).toBe('The first 4 of 5 records counted: a preview counts for 0 seconds.')
  })

  it('rejects jobs without a mapping, without a plan, and rules that do not fit', async () => {
    const sheets = await createSheets({ fields: FIELDS, destination: DESTINATION })
    const other = await must('POST', '/jobs', { type: 'workbook', operation: 'submit', source: sheets.workbookId })
    expect(await call('POST', `/jobs/${other.id}/preview`)).toMatchObject({
      status: 409,
      body: { errors: [{ message: 'Jobs with the operation workbook:submit have no preview.' }] },
    })
    const config = { trigger: 'immediate', predecessorIds: [other.id] }
    const waiting = await must('POST', '/jobs', buildMappingJob(sheets, {}, config))
    expect(await call('POST', `/jobs/${waiting.id}/preview`)).toMatchObject({
      status: 409,
      body: { errors: [{ message: 'The job has no plan yet: it gets one when it starts.' }] },
    })
    const { jobId } = await createJob()
    await must('PATCH', `/jobs/${jobId}/plan`, { fieldMapping: [] })
    const { programId } = (await must('GET', `/jobs/${jobId}/plan`)).plan
    for (const { id } of await must('GET', `/mapping/${programId}/rules`))
      await must('DELETE', `/mapping/${programId}/rules/${id}`)
    expect(await call('POST', `/jobs/${jobId}/preview`)).toMatchObject({
      status: 422,
      body: { errors: [{ message: 'No field of File is mapped to a field of Contacts. Map at least one.' }] },
    })
  })
})

describe('executing a preview', () => {
  const changes: [string, (sheets: Awaited<ReturnType<typeof createJob>>) => Promise<unknown>, string[]][] = [
    [
      'the plan',
      ({ jobId }) => must('PATCH', `/jobs/${jobId}/plan`, { fieldMapping: [] }),
      ['The plan changed since the preview'],
    ],
    [
      'its configuration',
      async ({ jobId }) => {
        const { config } = await must('GET', `/jobs/${jobId}`)
        await must('PATCH', `/jobs/${jobId}`, { config: { ...config, canRecompute: true } })
      },
      ['The plan changed since the preview'],
    ],
    [
      'a record of the source',
      ({ source }) => must('POST', `/sheets/${source}/records`, [toRecord(['New'])]),
      ['Records of File changed since the preview'],
    ],
    [
      'a record of the destination',
      ({ destination }) => must('POST', `/sheets/${destination}/records`, [toRecord(['New'])]),
      ['Records of Contacts changed since the preview'],
    ],
    [
      'the fields of the source',
      ({ source }) => must('POST', `/sheets/${source}/fields`, textField('more')),
      ['Fields of File changed since the preview'],
    ],
    [
      'the fields of the destination',
      ({ destination }) => must('POST', `/sheets/${destination}/fields`, textField('more')),
      ['Fields of Contacts changed since the preview'],
    ],
    [
      'records of both sheets and the plan',
      async ({ jobId, source, destination }) => {
        await must('PATCH', `/jobs/${jobId}/plan`, { fieldMapping: [] })
        for (const sheet of [source, destination]) await must('POST', `/sheets/${sheet}/records`, [toRecord(['New'])])
      },
      [
        'The plan changed since the preview',
        'Records of File changed since the preview',
        'Records of Contacts changed since the preview',
      ],
    ],
  ]
  it.each(changes)('is a 409 after a change of %s, until it is previewed again', async (_, change, messages) => {
    const job = await createJob()
    const { token } = await preview(job.jobId)
    await change(job)
    const { status, body } = await execute(job.jobId, token)
    expect([status, pluck(body.errors, 'message')]).toEqual([409, messages])
    expect((await must('GET', `/jobs/${job.jobId}`)).status).toBe('planning')
  })

  it('is a 409 after a change of a sheet that the destination refers to', async () => {
    const destination = [textField('name'), { key: 'plan', type: 'reference', config: { ref: 'owners', key: 'id' } }]
    const owners = { name: 'Owners', slug: 'owners', fields: [textField('id')] }
    const sheets = await createSheets({ fields: FIELDS, destination, rows: ROWS, others: [owners] })
    const [ownersId] = sheets.others
    await must('POST', `/sheets/${ownersId}/records`, [{ id: { value: 'free' } }])
    const { id: jobId } = await must('POST', '/jobs', buildMappingJob(sheets))
    const { token, records } = await preview(jobId)
    expect(records.map(({ valid }: { valid: boolean }) => valid)).toEqual([false, true, false, true])
    await must('POST', `/sheets/${ownersId}/records`, [{ id: { value: 'gold' } }])
    const { status, body } = await execute(jobId, token)
    expect([status, body.errors]).toEqual([
      409,
      [{ key: 'preview.linked', message: 'Records that Contacts refers to changed since the preview' }],
    ])
  })

  it('fails, and writes nothing, when a change comes after the response', async () => {
    const { runJob } = await import('../../lib/jobs/run/run-job.ts')
    const { jobId, destination } = await createJob()
    const { token } = await preview(jobId)
    await setReady(jobId, token)
    await must('POST', `/sheets/${destination}/records`, [toRecord(['New'])])
    expect(await runJob(jobId, { owner: 'test' })).toBe('performed')
    const failed = await must('GET', `/jobs/${jobId}`)
    expect([failed.status, failed.info]).toEqual(['failed', 'Records of Contacts changed since the preview'])
    expect(await readRecords(destination)).toHaveLength(1)
    expect((await call('POST', `/jobs/${jobId}/retry`, { preview: token })).status).toBe(409)
    const again = await preview(jobId)
    await must('POST', `/jobs/${jobId}/retry`, { preview: again.token })
    expect(await waitForJob(jobId)).toMatchObject({ status: 'completed', result: { counts: again.counts } })
    expect((await readLanded(destination)).slice(1)).toEqual(again.records)
  })

  it('reads the previewed version when the source changes while it runs', async () => {
    const { runJob } = await import('../../lib/jobs/run/run-job.ts')
    const { jobId, source, destination } = await createJob()
    const { token } = await preview(jobId)
    await setReady(jobId, token)
    const running = runJob(jobId, { owner: 'test' })
    await must('POST', `/sheets/${source}/records`, [toRecord(['New'])])
    await running
    const { status } = await must('GET', `/jobs/${jobId}`)
    expect(await readRecords(destination)).toHaveLength(status === 'completed' ? 4 : 0)
  })

  it('adds the records once when a run that has written them is repeated', async () => {
    const { jobId, destination } = await createJob()
    const { token, counts } = await preview(jobId)
    await execute(jobId, token)
    await waitForJob(jobId)
    await setReady(jobId, token)
    const { runJob } = await import('../../lib/jobs/run/run-job.ts')
    await runJob(jobId, { owner: 'test' })
    expect(await must('GET', `/jobs/${jobId}`)).toMatchObject({ status: 'completed', result: { counts } })
    expect(await readRecords(destination)).toHaveLength(4)
  })

  it('rejects a token of another job and a text that is not a token', async () => {
    const [one, other] = [await createJob(), await createJob()]
    const { token } = await preview(other.jobId)
    for (const wrong of [token, 'none', '', Buffer.from('{}').toString('base64url')])
      expect(await execute(one.jobId, wrong)).toMatchObject({
        status: 400,
        body: { errors: [{ key: 'preview', message: 'must be the token of a preview of this job' }] },
      })
    expect((await execute(one.jobId, 7)).status).toBe(400)
  })

  it('is a condition: without a token, the job executes whatever changed', async () => {
    const { jobId, source, destination } = await createJob()
    await preview(jobId)
    await must('POST', `/sheets/${source}/records`, [toRecord(['New'])])
    await must('POST', `/jobs/${jobId}/execute`)
    expect((await waitForJob(jobId)).status).toBe('completed')
    expect(await readRecords(destination)).toHaveLength(5)
  })
})

async function setReady(jobId: string, token: string): Promise<void> {
  const { Jobs } = await import('../../lib/entities/jobs.ts')
  const { begin } = await import('../../lib/tx.ts')
  const job = (await Jobs.get(jobId))!
  const tx = begin({ accountId: job.accountId, actorId: job.createdBy })
  const { finishedAt: _, ...rest } = job
  tx.write(Jobs.replace(job, { ...rest, status: 'ready', preview: token }))
  await tx.commit()
}

describe('the rights to a preview', () => {
  it('hides the job from another account like a missing one', async () => {
    const { jobId } = await createJob()
    const { token } = await preview(jobId)
    const stranger = createCaller((await createTestAccount()).secretKey)
    const missing = jobId.replace(/.$/, (last) => (last === 'Z' ? 'Y' : 'Z'))
    for (const path of ['preview', 'execute'] as const) {
      const [hidden, absent] = await Promise.all(
        [jobId, missing].map((id) => stranger('POST', `/jobs/${id}/${path}`, { preview: token })),
      )
      expect(hidden!.status).toBe(404)
      expect(JSON.stringify(hidden!.body)).toBe(JSON.stringify(absent!.body).replaceAll(missing, jobId))
    }
  })

  it('lets a guest of the space preview and execute the own job, and only preview that of others', async () => {
    const guest = await createGuestCaller({ id: spaceId })
    const own = await createJob(ROWS, {}, guest)
    const seen = await preview(own.jobId, guest)
    expect(seen.records).toHaveLength(4)
    expect((await execute(own.jobId, seen.token, guest)).status).toBe(200)
    const other = await createJob()
    const { token } = await preview(other.jobId, guest)
    expect((await execute(other.jobId, token, guest)).status).toBe(403)
  })

  it('hides the preview from a guest who must not see one of the sheets', async () => {
    const { id: space } = await createSpace()
    const sheets = await createSheets({ fields: FIELDS, destination: DESTINATION, rows: ROWS, in: space })
    const { id } = await must('POST', '/jobs', buildMappingJob(sheets))
    const wholeSpace = await createGuestCaller({ id: space })
    expect((await wholeSpace('POST', `/jobs/${id}/preview`)).status).toBe(200)
    const partial = await createGuestCaller({
      id: space,
      sheets: [{ id: sheets.destination }],
    })
    expect((await partial('POST', `/jobs/${id}/preview`)).status).toBe(404)
  })
})

describe('the public SDK', () => {
  it('plans and executes as before, with or without a preview in between', async () => {
    process.env.FLATFILE_API_URL = getServer().baseUrl
    const api = new FlatfileClient({ token: account.secretKey })
    const sheets = await createSheets({ fields: FIELDS, destination: DESTINATION, rows: ROWS })
    const { config } = buildMappingJob(sheets)
    const { data: job } = await api.jobs.create({
      ...{ type: 'workbook', operation: 'map', source: sheets.workbookId, managed: true, environmentId },
      config: config as never,
    })
    expect((await api.jobs.getExecutionPlan(job.id)).data.plan.fieldMapping).not.toHaveLength(0)
    const { records, counts } = await preview(job.id)
    expect(await api.jobs.execute(job.id)).toEqual({ data: { success: true } })
    await waitForJob(job.id)
    expect((await api.jobs.get(job.id)).data.status).toBe('complete')
    expect(counts.created).toBe(4)
    expect(await readLanded(sheets.destination)).toEqual(records)
    await expect(api.jobs.execute(job.id)).rejects.toBeInstanceOf(FlatfileError)
  })
})
