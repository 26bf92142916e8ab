/** Mapping, deleting records and extracting, over HTTP and under repeated delivery. */
import { beforeAll, describe, expect, it } from 'vitest'
import { findEvents, waitForJob } from '../support/activity.ts'
import { getServer, pluck, waitUntil } from '../support/api.ts'
import { account, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { readRecords } from '../support/resources.ts'

beforeAll(() => createFreshSpace({ name: 'Mapping' }))

const text = (key: string, more: object = {}) => ({ key, type: 'string', ...more })
const FILE_FIELDS = [
  text('Vorname'),
  text('Nachname'),
  text('E-Mail'),
  text('Land'),
  text('Alter'),
  text('Tags'),
  text('Intern'),
]
const CONTACT_FIELDS = [
  text('first_name'),
  text('last_name'),
  text('email', { constraints: [{ type: 'required' }] }),
  {
    key: 'country',
    type: 'enum',
    config: {
      options: [
        { value: 'DE', label: 'Germany' },
        { value: 'FR', label: 'France' },
      ],
    },
  },
  { key: 'age', type: 'number' },
  { key: 'labels', type: 'string-list', alternativeNames: ['Tags'] },
  text('loyalty_tier'),
]
const ROWS = [
  ['Ada', 'Lovelace', 'ada@example.com', 'Deutschland', '36', 'vip; new', 'x'],
  ['Blaise', 'Pascal', 'blaise@example.com', 'france', '39', 'vip', 'y'],
  ['Carl', 'Gauß', null, 'Atlantis', 'n/a', null, null],
]

interface Sheets {
  workbookId: string
  source: string
  destination: string
}

async function newSheets(rows: readonly (readonly unknown[])[] = ROWS): Promise<Sheets> {
  const config = {
    spaceId,
    name: 'Import',
    sheets: [
      { name: 'File', slug: 'file', fields: FILE_FIELDS },
      { name: 'Contacts', slug: 'contacts', fields: CONTACT_FIELDS },
    ],
  }
  const workbook = await must('POST', '/workbooks', config)
  const [source, destination] = pluck(workbook.sheets, 'id')
  const records = rows.map((row) =>
    Object.fromEntries(FILE_FIELDS.map(({ key }, index) => [key, { value: row[index] }])),
  )
  if (records.length > 0) expect((await call('POST', `/sheets/${source}/records`, records)).status).toBe(200)
  return { workbookId: workbook.id, source, destination }
}

const mapping = ({ workbookId, source, destination }: Sheets, more: object = {}) => ({
  type: 'workbook',
  operation: 'map',
  source: workbookId,
  managed: true,
  destination: workbookId,
  config: { sourceSheetId: source, destinationSheetId: destination },
  ...more,
})

const getJob = (jobId: string) => must('GET', `/jobs/${jobId}`)

const recordsOf = (sheetId: string) => readRecords(sheetId)
const valuesOf = async (sheetId: string, ...keys: string[]) =>
  (await recordsOf(sheetId)).map(({ values }: { values: Record<string, { value: unknown }> }) =>
    keys.map((key) => values[key]!.value),
  )

const findInSpace = (domain: string, context: object) => findEvents(`spaceId=${spaceId}&domain=${domain}`, context)

describe('a mapping', () => {
  it('is planned when created, waits, and copies the records when executed', async () => {
    const sheets = await newSheets()
    const job = await must('POST', '/jobs', mapping(sheets))
    expect(job.status).toBe('planning')
    const announced = await findInSpace('job', { jobId: job.id })
    expect(announced.map(({ topic, payload }) => [topic, payload.job])).toEqual([
      ['job:created', 'workbook:map'],
      ['job:updated', 'workbook:map'],
    ])
    expect(announced[1]!.payload.status).toBe('planning')

    const { plan } = await must('GET', `/jobs/${job.id}/plan`)
    const arrows = plan.fieldMapping.map(
      (edge: { sourceField: { key: string }; destinationField: { key: string } }) => [
        edge.sourceField.key,
        edge.destinationField.key,
      ],
    )
    expect(arrows).toEqual([
      ['Vorname', 'first_name'],
      ['Nachname', 'last_name'],
      ['E-Mail', 'email'],
      ['Land', 'country'],
      ['Alter', 'age'],
      ['Tags', 'labels'],
    ])
    for (const { metadata } of plan.fieldMapping)
      expect(['absolute', 'strong', 'moderate', 'weak']).toContain(metadata.certainty)
    expect(plan.fieldMapping[3].enumDetails).toEqual({
      mapping: [
        { sourceValue: 'Deutschland', destinationValue: 'DE' },
        { sourceValue: 'france', destinationValue: 'FR' },
      ],
      unusedSourceValues: ['Atlantis'],
      unusedDestinationValues: [],
    })
    expect(plan.unmappedSourceFields).toMatchObject([{ sourceField: { key: 'Intern' }, preview: ['x', 'y'] }])
    expect(plan.unmappedDestinationFields).toMatchObject([
      { destinationField: { key: 'loyalty_tier', type: 'string' } },
    ])
    expect(await recordsOf(sheets.destination)).toEqual([])

    await call('POST', `/jobs/${job.id}/execute`)
    const done = await waitForJob(job.id)
    expect(done).toMatchObject({
      status: 'completed',
      progress: 100,
      info: 'Mapped 3 records',
      outcome: { heading: 'Data mapped', next: { type: 'id', id: sheets.workbookId } },
    })
    expect(
      await valuesOf(
        sheets.destination,
        'first_name',
        'last_name',
        'email',
        'country',
        'age',
        'labels',
        'loyalty_tier',
      ),
    ).toEqual([
      ['Ada', 'Lovelace', 'ada@example.com', 'DE', 36, ['vip', 'new'], null],
      ['Blaise', 'Pascal', 'blaise@example.com', 'FR', 39, ['vip'], null],
      ['Carl', 'Gauß', null, 'Atlantis', null, null, null],
    ])
    const invalid = (await recordsOf(sheets.destination))[2]
    expect(invalid.valid).toBe(false)
    expect(invalid.values.country.messages[0].source).toBe('invalid-option')

    const topics = (await findInSpace('job', { jobId: job.id })).map(({ topic }) => topic)
    expect(topics.slice(0, 4)).toEqual(['job:created', 'job:updated', 'job:ready', 'job:updated'])
    expect(topics.at(-1)).toBe('job:completed')
    expect(topics.filter((topic) => topic === 'job:ready')).toHaveLength(1)
    const commits = await waitUntil(async () => {
      const found = await findInSpace('commit', { sheetId: sheets.destination })
      return found.length > 0 && found
    })
    expect(commits.map(({ topic }) => topic)).toEqual(['commit:created'])
    expect((await must('GET', `/jobs/${job.id}/plan`)).plan.fieldMapping).toHaveLength(6)
  })

  it('follows the plan as the client changed it', async () => {
    const sheets = await newSheets()
    const job = await must('POST', '/jobs', mapping(sheets))
    const fieldMapping = [
      {
        sourceField: text('Intern'),
        destinationField: text('loyalty_tier'),
        enumDetails: { mapping: [{ sourceValue: 'x', destinationValue: 'gold' }] },
      },
    ]
    expect(
      (await call('PATCH', `/jobs/${job.id}/plan`, { fieldMapping, fileId: 'us_fl_any', jobId: job.id })).status,
    ).toBe(200)
    await call('POST', `/jobs/${job.id}/execute`)
    await waitForJob(job.id)
    expect(await valuesOf(sheets.destination, 'first_name', 'loyalty_tier')).toEqual([
      [null, 'gold'],
      [null, 'y'],
      [null, null],
    ])
  })

  it('that is immediate is planned and run in one step', async () => {
    const sheets = await newSheets()
    const job = await must('POST', '/jobs', mapping(sheets, { managed: undefined, trigger: 'immediate' }))
    expect(job.status).toBe('ready')
    expect((await waitForJob(job.id)).status).toBe('completed')
    expect(await recordsOf(sheets.destination)).toHaveLength(3)
    expect((await must('GET', `/jobs/${job.id}/plan`)).plan.fieldMapping).not.toHaveLength(0)
  })

  it('writes many records in one commit', async () => {
    const rows = Array.from({ length: 5000 }, (_, index) => [
      `First ${index}`,
      `Last ${index}`,
      `p${index}@example.com`,
      'FR',
      String(index),
      null,
      null,
    ])
    const sheets = await newSheets(rows)
    const job = await must('POST', '/jobs', mapping(sheets, { trigger: 'immediate' }))
    expect((await waitForJob(job.id)).info).toBe('Mapped 5,000 records')
    const page = await must(
      'GET',
      `/sheets/${sheets.destination}/records?pageSize=1&pageNumber=5000&includeLength=true`,
    )
    expect(page.counts.total).toBe(5000)
    expect(page.records[0].values.email.value).toBe('p4999@example.com')
  })

  it('completes without records if the sheet has none', async () => {
    const job = await must('POST', '/jobs', mapping(await newSheets([]), { trigger: 'immediate' }))
    expect(await waitForJob(job.id)).toMatchObject({ status: 'completed', info: 'Mapped 0 records' })
  })

  it('fails with the reason, and can be retried once it is resolved', async () => {
    const sheets = await newSheets()
    await call('POST', `/sheets/${sheets.destination}/lock`)
    const job = await must('POST', '/jobs', mapping(sheets, { trigger: 'immediate' }))
    const failed = await waitForJob(job.id)
    expect(failed).toMatchObject({ status: 'failed', outcome: { next: { type: 'retry' } } })
    expect(failed.info).toContain('is locked')
    expect((await findInSpace('job', { jobId: job.id })).at(-1)).toMatchObject({
      topic: 'job:failed',
      payload: { info: failed.info },
    })
    await call('POST', `/sheets/${sheets.destination}/unlock`)
    await call('POST', `/jobs/${job.id}/retry`)
    expect((await waitForJob(job.id)).status).toBe('completed')
    expect(await recordsOf(sheets.destination)).toHaveLength(3)
  })

  it('can only connect two different sheets in its space', async () => {
    const sheets = await newSheets([])
    const other = (await must('POST', '/spaces', { name: 'Other' })).id
    const elsewhere = await must('POST', '/workbooks', {
      spaceId: other,
      name: 'W',
      sheets: [{ name: 'S', slug: 's', fields: [text('a')] }],
    })
    const mapTo = (destination: string) =>
      mapping(sheets, { config: { sourceSheetId: sheets.source, destinationSheetId: destination } })
    expect((await call('POST', '/jobs', mapTo(elsewhere.sheets[0].id))).status).toBe(404)
    expect((await call('POST', '/jobs', mapTo(sheets.source))).body.errors[0].key).toBe('config.destinationSheetId')
    expect(pluck((await call('POST', '/jobs', mapping(sheets, { config: {} }))).body.errors, 'key')).toEqual([
      'config.sourceSheetId',
      'config.destinationSheetId',
    ])
  })

  it('is left to listeners when it is their own operation of that name', async () => {
    const { workbookId } = await newSheets([])
    const job = await must('POST', '/jobs', {
      type: 'workbook',
      operation: 'map',
      source: workbookId,
      trigger: 'immediate',
    })
    expect(await runAgain(job.id)).toBe('left')
    expect((await getJob(job.id)).status).toBe('ready')
  })
})

async function runAgain(jobId: string, options: { leaseMs?: number } = {}): Promise<string> {
  const { runJob } = await import('../../lib/jobs/run/run-job.ts')
  return runJob(jobId, { owner: `test-${Math.random()}`, ...options })
}

async function put(jobId: string, state: { status: 'ready' | 'executing'; leaseMs?: number }): Promise<void> {
  const { Jobs } = await import('../../lib/entities/jobs.ts')
  const { begin } = await import('../../lib/tx.ts')
  const job = (await Jobs.get(jobId))!
  const tx = begin({ accountId: job.accountId, actorId: job.createdBy })
  const { finishedAt: _, ...rest } = job
  const lease = { owner: 'dead', until: new Date(Date.now() + (state.leaseMs ?? 0)).toISOString() }
  const held = state.status === 'executing' ? { startedAt: tx.now, lease } : {}
  tx.write(Jobs.replace(job, { ...rest, status: state.status, ...held }))
  await tx.commit()
}
const simulateDeath = (jobId: string, leaseMs: number) => put(jobId, { status: 'executing', leaseMs })

describe('a job delivered more than once', () => {
  it('is performed by only one run', async () => {
    const sheets = await newSheets()
    const job = await must('POST', '/jobs', mapping(sheets))
    await put(job.id, { status: 'ready' })
    const results = await Promise.all([1, 2, 3, 4].map(() => runAgain(job.id)))
    expect(results.sort()).toEqual(['left', 'left', 'left', 'performed'])
    expect((await getJob(job.id)).status).toBe('completed')
    expect(await recordsOf(sheets.destination)).toHaveLength(3)
    const topics = (await findInSpace('job', { jobId: job.id })).map(({ topic }) => topic)
    expect(topics.filter((topic) => topic === 'job:completed')).toHaveLength(1)
  })

  it('is not changed once it has ended', async () => {
    const job = await must('POST', '/jobs', mapping(await newSheets(), { trigger: 'immediate' }))
    const done = await waitForJob(job.id)
    expect(await runAgain(job.id)).toBe('left')
    expect(await getJob(job.id)).toEqual(done)
  })

  it('is left to a run that is still alive', async () => {
    const job = await must('POST', '/jobs', mapping(await newSheets()))
    await simulateDeath(job.id, 1000)
    let over = false
    const waiting = runAgain(job.id).finally(() => {
      over = true
    })
    while (!over) await simulateDeath(job.id, 1000)
    expect(await waiting).toBe('left')
    expect((await getJob(job.id)).status).toBe('executing')
  })

  it('writes again when it is retried after completion', async () => {
    const sheets = await newSheets()
    const job = await must('POST', '/jobs', mapping(sheets, { trigger: 'immediate' }))
    await waitForJob(job.id)
    await call('POST', `/jobs/${job.id}/retry`)
    await waitForJob(job.id)
    expect(await recordsOf(sheets.destination)).toHaveLength(6)
  })
})

describe('a job canceled while it runs', () => {
  it('stays canceled, and emits no completion', async () => {
    const rows = Array.from({ length: 3000 }, (_, index) => [
      `First ${index}`,
      'Last',
      'a@example.com',
      'FR',
      '1',
      null,
      null,
    ])
    const sheets = await newSheets(rows)
    const job = await must('POST', '/jobs', mapping(sheets))
    await put(job.id, { status: 'ready' })
    const running = runAgain(job.id)
    await waitUntil(async () => (await getJob(job.id)).status !== 'ready')
    const canceled = (await call('POST', `/jobs/${job.id}/cancel`)).status === 200
    await running
    expect((await getJob(job.id)).status).toBe(canceled ? 'canceled' : 'completed')
    const topics = (await findInSpace('job', { jobId: job.id })).map(({ topic }) => topic)
    expect(topics.includes('job:completed')).toBe(!canceled)
  })

  it('writes nothing when it is canceled before it finishes', async () => {
    const { map } = await import('../../lib/jobs/operations/workbook-map.ts')
    const { Jobs } = await import('../../lib/entities/jobs.ts')
    const sheets = await newSheets()
    const created = await must('POST', '/jobs', mapping(sheets))
    const job = (await Jobs.get(created.id))!
    const stop = async () => {
      throw new Error('stop')
    }
    const run = {
      job,
      actor: { accountId: job.accountId, actorId: job.createdBy },
      op: job.id,
      startedAt: job.createdAt,
    }
    const stopped = { progress: stop, assertHeld: stop, remember: stop }
    await expect(map.run({ ...run, ...stopped })).rejects.toThrow('stop')
    expect(await recordsOf(sheets.destination)).toEqual([])
  })
})

describe('extracting a file', () => {
  async function upload(name: string, content: string): Promise<string> {
    const form = new FormData()
    form.append('spaceId', spaceId)
    form.append('environmentId', account.environmentId)
    form.append('file', new Blob([content]), name)
    const headers = { authorization: `Bearer ${account.secretKey}` }
    const response = await fetch(`${getServer().baseUrl}/v1/files`, { method: 'POST', headers, body: form })
    return ((await response.json()) as { data: { id: string } }).data.id
  }
  const extraction = async (fileId: string, operation = 'extract') =>
    await must('POST', '/jobs', { type: 'file', operation, source: fileId, trigger: 'immediate' })

  it("is left to listeners for another format or a plugin's operation", async () => {
    const workbook = await extraction(await upload('tracks.gpx', '<gpx/>'))
    const plugin = await extraction(await upload('notes.txt', 'a,b'), 'extract-plugin-text')
    for (const { id } of [workbook, plugin]) {
      expect(await runAgain(id)).toBe('left')
      expect((await getJob(id)).status).toBe('ready')
    }
  })
})
