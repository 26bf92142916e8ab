import { beforeAll, describe, expect, it } from 'vitest'
import { findEvents } from '../support/activity.ts'
import { createCaller, createTestAccount, waitUntil } from '../support/api.ts'
import { account, call, createFreshAccount, must } from '../support/fresh-account.ts'
import { api } from '../support/sdk.ts'

let spaceId: string
let workbookId: string
let sheetId: string

const newSpace = async (caller = call) => {
  const space = (await caller('POST', '/spaces', { name: 'Acting' })).body.data
  const sheets = [{ name: 'People', slug: 'people', fields: [{ key: 'email', type: 'string' }] }]
  const workbook = (await caller('POST', '/workbooks', { spaceId: space.id, name: 'Book', sheets })).body.data
  return { spaceId: space.id, workbookId: workbook.id, sheetId: workbook.sheets[0].id }
}

beforeAll(async () => {
  await createFreshAccount()
  ;({ spaceId, workbookId, sheetId } = await newSpace())
})

const eventsOf = async (actionId: string) =>
  (await findEvents('domain=action')).filter(({ payload }) => payload.actionId === actionId)

describe('an action', () => {
  it('is created, read, changed and deleted by the public SDK, with an event for each change', async () => {
    const config = {
      targetId: sheetId,
      operation: 'submit',
      label: 'Submit',
      description: 'Sends it',
      mode: 'foreground' as const,
      primary: true,
      constraints: [{ type: 'hasAllValid' as const }],
      mount: { type: 'sheet' as const, slugs: ['people'] },
      inputForm: { type: 'simple' as const, fields: [{ key: 'a', label: 'A', type: 'string' as const }] },
    }
    const { data: made } = await api.actions.create({ spaceId, body: config })
    expect(made).toMatchObject(config)
    expect(made.createdAt).toBeInstanceOf(Date)
    expect((await api.actions.get(made.id)).data).toEqual(made)
    expect(await api.actions.getAll({ spaceId })).toEqual([made])
    const { data: changed } = await api.actions.update(made.id, { label: 'Send', confirm: true })
    expect(changed).toMatchObject({ ...config, label: 'Send', confirm: true })
    expect((await api.actions.delete(made.id)).data).toEqual({ success: true })
    expect((await call('GET', `/actions/${made.id}`)).status).toBe(404)

    const told = await eventsOf(made.id)
    const described = { actionId: made.id, name: 'submit', description: 'Sends it', type: 'sheet' }
    expect(told.map(({ topic, payload }) => [topic, payload])).toEqual([
      ['action:created', { ...described, label: 'Submit' }],
      [
        'action:updated',
        {
          ...described,
          label: 'Send',
          changes: [
            { field: 'label', previousValue: 'Submit', newValue: 'Send' },
            { field: 'confirm', previousValue: null, newValue: true },
          ],
        },
      ],
      ['action:deleted', { actionId: made.id, name: 'submit' }],
    ])
    const { accountId, environmentId, userId } = account
    for (const { context } of told)
      expect(context).toMatchObject({ accountId, environmentId, spaceId, workbookId, sheetId, actorId: userId })
  })

  it('are created together, all or none', async () => {
    const own = await newSpace()
    const body = ['One', 'Two'].map((label) => ({ targetId: own.workbookId, label }))
    const made = await api.actions.bulkCreate({ spaceId: own.spaceId, body })
    expect(made.map(({ label, targetId }) => [label, targetId])).toEqual([
      ['One', own.workbookId],
      ['Two', own.workbookId],
    ])
    const [told] = await eventsOf(made[0]!.id)
    expect(told).toMatchObject({ payload: { name: 'One', type: 'workbook' }, context: { workbookId: own.workbookId } })
    expect(told!.context).not.toHaveProperty('sheetId')
    const mixed = [...body, { targetId: 'us_sh_nothing', label: 'Three' }]
    expect((await call('POST', `/actions/bulk?spaceId=${own.spaceId}`, mixed)).status).toBe(404)
    expect(await api.actions.getAll({ spaceId: own.spaceId })).toHaveLength(2)
    const many = Array.from({ length: 41 }, () => body[0])
    expect((await call('POST', `/actions/bulk?spaceId=${own.spaceId}`, many)).status).toBe(400)
    const most = await call('POST', `/actions/bulk?spaceId=${own.spaceId}`, many.slice(1))
    expect([most.status, most.body.length]).toEqual([200, 40])
  })

  it('is not created for a target outside the space', async () => {
    const other = await newSpace()
    for (const targetId of [other.sheetId, other.spaceId, 'us_sh_nothing', 'anything'])
      expect((await call('POST', `/actions?spaceId=${spaceId}`, { targetId, label: 'X' })).status, targetId).toBe(404)
  })

  it('keeps its id and target on update, and rejects an oversized body', async () => {
    const { data } = (
      await call('POST', `/actions?spaceId=${spaceId}`, { targetId: spaceId, label: 'Keep', custom: 1 })
    ).body
    const answer = await call('PATCH', `/actions/${data.id}`, { ...data, id: 'x', targetId: sheetId, custom: 2 })
    expect(answer.body.data).toMatchObject({ id: data.id, targetId: spaceId, custom: 2 })
    const half = 'x'.repeat(40_000)
    expect((await call('PATCH', `/actions/${data.id}`, { first: half })).status).toBe(200)
    expect((await call('PATCH', `/actions/${data.id}`, { second: half })).status).toBe(413)
    expect(
      (await call('POST', `/actions?spaceId=${spaceId}`, { targetId: spaceId, label: 'L', a: half, b: half })).status,
    ).toBe(400)
  })

  it('is deleted with its parent, and a forged event deletes nothing', async () => {
    const own = await newSpace()
    const add = async (targetId: string): Promise<string> =>
      (await must('POST', `/actions?spaceId=${own.spaceId}`, { targetId, label: 'X' })).id
    const [onSheet, onWorkbook, onSpace] = [await add(own.sheetId), await add(own.workbookId), await add(own.spaceId)]
    const stranger = await createTestAccount()
    const invent = (context: object) =>
      createCaller(stranger.secretKey)('POST', '/events', {
        topic: 'document:deleted',
        domain: 'document',
        context,
        payload: {},
      })
    expect((await invent({ documentId: own.spaceId })).status).toBe(404)
    await call('DELETE', `/workbooks/${own.workbookId}`)
    for (const id of [onSheet, onWorkbook])
      await waitUntil(async () => (await call('GET', `/actions/${id}`)).status === 404)
    expect((await call('GET', `/actions/${onSpace}`)).status).toBe(200)
    const told = await eventsOf(onSheet)
    expect(told.at(-1)).toMatchObject({ topic: 'action:deleted', context: { sheetId: own.sheetId } })
  })
})
