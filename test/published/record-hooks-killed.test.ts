/** Record hooks of deployed agents correct each row of an import in parts, also if the platform is killed (-9). */
import { expect, it } from 'vitest'
import { toFileRows } from '../../bench/jobs-killed.ts'
import { buildCsv, FIELDS } from '../../bench/records-data.ts'
import { bundleRecordHook, OWN_HOOK, PUBLIC_HOOK } from '../support/bundle-hook.ts'
import {
  createClient,
  createSheet,
  jobs,
  readSheetRows,
  runJob,
  uploadAndExtract,
  waitForResult,
} from '../support/large-jobs.ts'
import { useKillablePlatform } from '../support/own-platform.ts'
import { IS_LONG_RUN } from '../support/runs.ts'

const ROWS = 1_000_000
const RECORDS_PER_EVENT = ROWS / 100
const KILLED_AT = [0.2, 0.6]

const SHEET_SLUG = 'rows'
const CALLBACK = `(record) => {
  record.set('city', String(record.get('city')).toUpperCase())
  record.set('phone', 'called')
}`

const { local, killAndRestart } = useKillablePlatform()
const client = () => createClient(local())

it.runIf(IS_LONG_RUN).each([
  ['the public plugin', PUBLIC_HOOK],
  ['@wharf/record-hook', OWN_HOOK],
])(
  `%s corrects each of ${ROWS.toLocaleString('en')} rows once in parts, despite kills`,
  async (_, plugin) => {
    const file = buildCsv(ROWS)
    const { id: spaceId } = await client().post('/spaces', { name: 'Hooks' })
    const source = await uploadAndExtract(client(), spaceId, file)
    const sheet = await createSheet(client(), spaceId, FIELDS)
    const agent = await client().post(`/agents?environmentId=${local().environments[0]!.id}`, {
      ...{ slug: 'hook', topics: ['commit:created'], recordsPerEvent: RECORDS_PER_EVENT, ignoreOwnCommits: true },
      source: await bundleRecordHook(plugin, CALLBACK, SHEET_SLUG),
    })
    await runJob(client(), jobs.map(source, sheet))

    const query = new URLSearchParams({ q: 'phone eq "called"', pageSize: '1', includeLength: 'true' })
    const countDone = async (): Promise<number> =>
      (await client().get(`/sheets/${sheet.sheetId}/records?${query}`)).counts.total
    const waitForShare = (share: number) =>
      waitForResult(`${share} of the rows`, async () => ((await countDone()) >= ROWS * share ? true : undefined))
    for (const share of KILLED_AT) {
      await waitForShare(share)
      await killAndRestart()
    }
    expect(await countDone()).toBeLessThan(ROWS)
    await waitForShare(1)

    const expected = toFileRows(file)
    let count = 0
    for await (const { customer_id, city, phone, email } of readSheetRows(local(), sheet)) {
      const row = expected.next().value!
      const wanted = { customer_id: row.customer_id, email: row.email, city: row.city!.toUpperCase(), phone: 'called' }
      if (JSON.stringify({ customer_id, email: email ?? '', city, phone }) !== JSON.stringify(wanted))
        expect({ customer_id, email: email ?? '', city, phone }).toEqual(wanted)
      count++
    }
    expect(count).toBe(ROWS)
    await client().delete(`/agents/${agent.id}`)
  },
  1_800_000,
)
