/** Mapping programs: which fields of one sheet fill which of another, by rules that are suggested, changed and accepted. */
import * as z from 'zod'
import { Empty, EnvironmentContext, IdOrEmpty } from './context.ts'
import { endpoint } from './endpoint.ts'
import { free, Id, narrowing, scoped, Time } from './ids.ts'
import { MappingRule, MappingRuleConfig, RULES_PER_PROGRAM } from './mapping-rule.ts'
import { asRead, maybe } from './optional.ts'
import { data, list as listOf, paged, pageQuery, Success } from './page.ts'
import { CreateProgram, Program, UpdateProgram } from './program.ts'
import { topic } from './topic.ts'

const RULES =
  'A rule has a `type` and its `config`: `assign`, `constant`, `concatenate`, `split`, `coalesce`, `interpolate`, `arithmetic`, `find-replace`, `transform`, `regex-extract`, ' +
  '`value-map`, `date`, `number`, `array`, `ignore`, `delete`, and `subprogram` for several; any of them may have an FFQL `filter` on the source. ' +
  'Rules are applied in their order; `destination!<key>` as a source field is what earlier rules made. All problems are answered at once.'

const side = (name: string, ...keys: string[]) => ({ name, fields: keys.map((key) => ({ key, type: 'string' })) })

export const create = endpoint({
  id: 'programs.create',
  method: 'POST',
  path: '/mapping',
  summary: 'Suggests how the fields of one sheet fill those of another; with `save`, keeps it as a program',
  description:
    'Suggestions come from names in several languages, types and sample values (of `sourceSheetId`), and from what was accepted before: in the same space first, then in the environment, then in the account. ' +
    `Below the destination's \`mappingConfidenceThreshold\` (0.5) nothing is suggested. ${RULES}`,
  policy: { can: 'mapping:write', on: 'environment', at: 'query.environmentId', optional: true },
  query: z.object({ environmentId: scoped('environment').optional() }),
  body: CreateProgram,
  reply: data(Program),
  errors: ['not-found', 'too-large'],
  example: {
    query: { environmentId: '{environmentId}' },
    body: { source: side('File', 'E-Mail'), destination: side('Contacts', 'email'), save: true },
  },
})

const Moment = z.iso.datetime({ offset: true })

export const list = endpoint({
  id: 'programs.list',
  method: 'GET',
  path: '/mapping',
  summary: 'Lists saved mapping programs, newest first',
  description:
    '`sourceKeys` and `destinationKeys` are field keys with commas between them: programs that have all of them are listed. Times are inclusive after, exclusive before.',
  policy: { can: 'mapping:read', on: 'environments', at: 'query.environmentId', optional: true },
  query: z.object({
    environmentId: scoped('environment').optional(),
    createdBy: narrowing('user').optional(),
    createdAfter: Moment.optional(),
    createdBefore: Moment.optional(),
    modifiedBy: narrowing('user').optional(),
    modifiedAfter: Moment.optional(),
    modifiedBefore: Moment.optional(),
    jobId: narrowing('job').optional(),
    familyId: narrowing('family').optional(),
    namespace: z.string().optional(),
    sourceKeys: z.string().optional(),
    destinationKeys: z.string().optional(),
    sortDirection: z.enum(['asc', 'desc']).optional(),
    ...pageQuery(10),
  }),
  reply: paged(Program),
  example: { query: { environmentId: '{environmentId}' } },
})

export const forget = endpoint({
  id: 'programs.forget',
  method: 'DELETE',
  path: '/mapping',
  summary: 'Forgets what the caller has accepted: it is no longer suggested from. Programs stay',
  policy: { can: 'mapping:write', on: 'environments', at: 'body.environmentId', optional: true },
  body: z.object({ environmentId: maybe(scoped('environment')) }),
  bodyOptional: true,
  reply: Success,
  errors: ['not-found'],
  example: { body: { environmentId: '{environmentId}' } },
})

const params = z.object({ programId: Id })
const at = 'params.programId'
const example = { params: { programId: '{programId}' } }
const read = { can: 'mapping:read', on: 'program', at } as const
const write = { can: 'mapping:write', on: 'program', at } as const

export const get = endpoint({
  id: 'programs.get',
  method: 'GET',
  path: '/mapping/{programId}',
  summary: 'Reads a mapping program with its rules',
  policy: read,
  params,
  reply: data(Program),
  example,
})
export const update = endpoint({
  id: 'programs.update',
  method: 'PATCH',
  path: '/mapping/{programId}',
  summary: 'Changes a mapping program; other fields on a side have its suggestions computed again',
  description:
    'What is left out stays. When the fields of a side change, `program:recomputing` tells of it, the suggestions nobody has accepted are computed anew from the fields, the values and what was accepted before, and `program:recomputed` follows. ' +
    `Rules that clients made or somebody accepted stay, as far as their fields are still there. ${RULES}`,
  policy: write,
  params,
  body: UpdateProgram,
  reply: data(Program),
  errors: ['conflict', 'not-found', 'too-large'],
  example: {
    ...example,
    body: { source: side('File', 'E-Mail', 'Mail', 'Name'), namespace: 'imports' },
  },
})
export const remove = endpoint({
  id: 'programs.remove',
  method: 'DELETE',
  path: '/mapping/{programId}',
  summary: 'Deletes a mapping program; the plan of its job stays',
  policy: write,
  params,
  reply: Success,
  errors: ['conflict'],
  example,
})

export const rules = endpoint({
  id: 'programs.rules',
  method: 'GET',
  path: '/mapping/{programId}/rules',
  summary: "Lists a program's rules in the order they are applied",
  policy: read,
  params,
  reply: listOf(MappingRule),
  example,
})
export const createRules = endpoint({
  id: 'programs.createRules',
  method: 'POST',
  path: '/mapping/{programId}/rules',
  summary: 'Adds rules at the end of a program',
  description: RULES,
  policy: write,
  params,
  body: z.array(MappingRuleConfig).min(1).max(RULES_PER_PROGRAM),
  reply: listOf(MappingRule),
  errors: ['conflict', 'too-large'],
  example: {
    ...example,
    body: [
      {
        name: 'Lower case',
        type: 'transform',
        config: { sourceField: 'E-Mail', destinationField: 'email', transform: 'lowercase' },
      },
    ],
  },
})

const Changed = MappingRuleConfig.partial()
/** What a rule says of itself. */
const ownWords = {
  confidence: asRead(z.number()),
  createdBy: asRead(free('left as it is')),
  createdAt: asRead(Time),
  updatedAt: asRead(Time),
  deletedAt: asRead(Time),
}

export const updateRules = endpoint({
  id: 'programs.updateRules',
  method: 'PATCH',
  path: '/mapping/{programId}/rules',
  summary: 'Changes rules by their ids, all or none; what is left out of a rule stays',
  description: RULES,
  policy: write,
  params,
  body: z
    .array(Changed.extend({ id: scoped('rule'), ...ownWords }))
    .min(1)
    .max(RULES_PER_PROGRAM),
  reply: listOf(MappingRule),
  errors: ['conflict', 'not-found', 'too-large'],
  example: { ...example, body: [{ id: '{mappingId}', name: 'The address' }] },
})
export const removeRules = endpoint({
  id: 'programs.removeRules',
  method: 'DELETE',
  path: '/mapping/{programId}/rules',
  summary: 'Deletes rules by their ids, all or none',
  policy: write,
  params,
  body: z.object({ ruleIds: z.array(scoped('rule')).min(1).max(RULES_PER_PROGRAM) }),
  reply: Success,
  errors: ['conflict', 'not-found'],
  example: { ...example, body: { ruleIds: ['{otherMappingId}'] } },
})

const one = {
  params: z.object({ programId: Id, mappingId: scoped('rule') }),
  errors: ['conflict', 'not-found'],
} as const
const exampleOfOne = { params: { programId: '{programId}', mappingId: '{mappingId}' } }

export const getRule = endpoint({
  id: 'programs.getRule',
  method: 'GET',
  path: '/mapping/{programId}/rules/{mappingId}',
  summary: 'Reads a rule',
  policy: read,
  ...one,
  reply: data(MappingRule),
  example: exampleOfOne,
})
export const updateRule = endpoint({
  id: 'programs.updateRule',
  method: 'PATCH',
  path: '/mapping/{programId}/rules/{mappingId}',
  summary: 'Changes a rule; what is left out stays',
  description: RULES,
  policy: write,
  ...one,
  body: Changed,
  reply: data(MappingRule),
  example: { ...exampleOfOne, body: { name: 'The address' } },
})
export const removeRule = endpoint({
  id: 'programs.removeRule',
  method: 'DELETE',
  path: '/mapping/{programId}/rules/{mappingId}',
  summary: 'Deletes a rule',
  policy: write,
  ...one,
  reply: Success,
  example: exampleOfOne,
})

const EMPTY = 'empty for a program that is about configurations and no sheet'
/** CP of the specification. */
const context = z.looseObject({
  ...EnvironmentContext.shape,
  programId: Id,
  spaceId: IdOrEmpty.describe(EMPTY),
  workbookId: IdOrEmpty.describe(EMPTY),
  sheetId: IdOrEmpty.describe(EMPTY),
  jobId: Id.optional(),
})
const told = { payload: Empty, context }
export const created = topic('program:created', {
  when: 'a mapping program is created, by a client or with the plan of a job',
  ...told,
})
export const updated = topic('program:updated', {
  when: 'a mapping program or its rules are changed, or a job has carried records by it',
  ...told,
})
export const recomputing = topic('program:recomputing', {
  when: "a program's suggestions begin to be computed again, because its fields are others",
  ...told,
})
export const recomputed = topic('program:recomputed', {
  when: "a program's suggestions have been computed again",
  ...told,
})
