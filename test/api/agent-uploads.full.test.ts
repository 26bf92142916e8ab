/** Bundles too large for a request are uploaded to the bucket and deployed from there. */
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { emitEvent, waitForRun } from '../support/activity.ts'
import { createCaller, createTestAccount } from '../support/api.ts'
import { call, createFreshAccount, environmentId, must } from '../support/fresh-account.ts'

const MEGABYTE = 1024 * 1024

beforeAll(createFreshAccount)

const startUpload = async () => await must('POST', `/agents/uploads?environmentId=${environmentId}`)
const deploy = (body: object) =>
  call('POST', `/agents?environmentId=${environmentId}`, { slug: 'large', topics: ['large:called'], ...body })
async function uploaded(body: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const { uploadId, url, method } = await startUpload()
  expect((await fetch(url, { method, body })).status).toBe(200)
  return uploadId
}
const incompressibleText = (bytes: number): string => {
  const words: string[] = []
  for (let seed = 1, length = 0; length < bytes; length += 8) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0
    words.push((seed >>> 0).toString(16).padStart(8, '0'))
  }
  return words.join('')
}

it('deploys a bundle of many megabytes from its upload, gzipped or not', async () => {
  const source = `const data = '${incompressibleText(9 * MEGABYTE)}'; exports.routeEvent = async () => console.log('has', data.length)`
  const sourceMap = JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: '' })
  const before = Date.now()
  const { expiresAt } = await startUpload()
  expect(Date.parse(expiresAt) - before).toBeGreaterThan(3_500_000)
  for (const body of [JSON.stringify({ source, sourceMap }), gzipSync(JSON.stringify({ source }))]) {
    const uploadId = await uploaded(body)
    const answer = await deploy({ uploadId })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    const { id } = answer.body.data
    const { log } = await waitForRun(id, (await emitEvent('large:called')).id)
    expect(log).toContain(`has ${9 * MEGABYTE}`)
  }
  const versions = await must('GET', '/agents')
  expect(versions.length).toBe(1)
})

it('reports what is wrong with an upload', async () => {
  const getRejection = async (body: object): Promise<string> => {
    const { status, body: answer } = await deploy(body)
    expect(status).toBe(400)
    return `${answer.errors[0].key}: ${answer.errors[0].message}`
  }
  const source = 'exports.routeEvent = () => {}'
  const uploadId = await uploaded(JSON.stringify({ source }))
  expect(await getRejection({})).toMatch(/^source: is required/)
  expect(await getRejection({ uploadId, source })).toMatch(/^uploadId: cannot be combined with source or sourceMap/)
  expect(await getRejection({ uploadId: (await startUpload()).uploadId })).toMatch(/does not name a completed upload/)
  expect(await getRejection({ uploadId: await uploaded('no JSON') })).toMatch(/is not a valid bundle: invalid JSON/)
  expect(await getRejection({ uploadId: await uploaded(gzipSync('{"source"').subarray(0, 20)) })).toMatch(
    /invalid gzip/,
  )
  expect(await getRejection({ uploadId: await uploaded('{"source":""}') })).toMatch(/is not a valid bundle: source/)
  expect(await getRejection({ uploadId: await uploaded('{"source":"return ("}') })).toMatch(/must be a CommonJS module/)
})

it('an upload belongs to one environment', async () => {
  const uploadId = await uploaded(JSON.stringify({ source: 'exports.routeEvent = () => {}' }))
  const other = await createTestAccount()
  const body = { slug: 'stolen', topics: ['a:b'], uploadId }
  const answer = await createCaller(other.secretKey)('POST', `/agents?environmentId=${other.environmentId}`, body)
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ key: 'uploadId' }] } })
})
