/** Endpoints of mapping programs: rules that map the fields of one sheet to those of another. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { Id, narrowing, scoped, Time, unscoped } from '../kit/ids.ts'
import { ignored, nullish } from '../kit/nullish.ts'
import { data, list as listOf, paged, pageQuery, QueryBoolean, Success } from '../kit/page.ts'
import { MAX_RULES_PER_PROGRAM, MappingRule, MappingRuleConfig } from './rules.ts'
import { CreateProgram, Program, UpdateProgram } from './shape.ts'

const RULES_DESCRIPTION =
  'A rule has a `type` and its `config`: `assign`, `constant`, `concatenate`, `split`, `coalesce`, `interpolate`, `arithmetic`, `find-replace`, `transform`, `regex-extract`, ' +
  '`value-map`, `date`, `number`, `read`, `edit`, `array`, `ignore`, `delete`, or `subprogram` to group rules. Any rule may have an FFQL `filter` on the source. ' +
  'Rules apply in order; `destination!<key>` as a source field reads the result of earlier rules. The response lists all problems together.'

const exampleSheet = (name: string, ...keys: string[]) => ({
  name,
  fields: keys.map((key) => ({ key, type: 'string' })),
})

export const create = endpoint({
  id: 'programs.create',
  method: 'POST',
  path: '/mapping',
  summary: 'Suggests how the fields of one sheet map to those of another; with `save`, stores the result as a program',
  description:
    'Suggestions are based on names in several languages, types and sample values (of `sourceSheetId`), and on mappings accepted before: first in the same space, then in the environment, then in the account. ' +
    `Nothing is suggested below the destination's \`mappingConfidenceThreshold\` (0.5). ${RULES_DESCRIPTION}`,
  policy: { can: 'mapping:write', on: 'environment', at: 'query.environmentId', optional: true },
  query: z.object({ environmentId: scoped('environment').optional() }),
  body: CreateProgram,
  reply: data(Program),
  errors: ['not-found', 'too-large'],
  example: {
    query: { environmentId: '{environmentId}' },
    body: { source: exampleSheet('File', 'E-Mail'), destination: exampleSheet('Contacts', 'email'), save: true },
  },
})

const DateTimeInput = z.iso.datetime({ offset: true })

export const list = endpoint({
  id: 'programs.list',
  method: 'GET',
  path: '/mapping',
  summary: 'Lists saved mapping programs, newest first',
  description:
    '`sourceKeys` and `destinationKeys` are comma-separated field keys; only programs that have all of them are listed. With `recipes=true`, only recipes are. The `After` times are inclusive, the `Before` times exclusive.',
  policy: { can: 'mapping:read', on: 'environments', at: 'query.environmentId', optional: true },
  query: z.object({
    environmentId: scoped('environment').optional(),
    createdBy: narrowing('user').optional(),
    createdAfter: DateTimeInput.optional(),
    createdBefore: DateTimeInput.optional(),
    modifiedBy: narrowing('user').optional(),
    modifiedAfter: DateTimeInput.optional(),
    modifiedBefore: DateTimeInput.optional(),
    jobId: narrowing('job').optional(),
    familyId: narrowing('family').optional(),
    namespace: z.string().optional(),
    sourceKeys: z.string().optional(),
    destinationKeys: z.string().optional(),
    recipes: QueryBoolean.optional(),
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
  summary:
    'Clears the accepted mappings of the caller, so that they no longer affect suggestions. Programs are not deleted',
  policy: { can: 'mapping:write', on: 'environments', at: 'body.environmentId', optional: true },
  body: z.object({ environmentId: nullish(scoped('environment')) }),
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
  summary: 'Updates a mapping program; changed fields cause its suggestions to be recomputed',
  description:
    'Omitted properties are unchanged. When the fields of either sheet change, `program:recomputing` is emitted, suggestions that were not accepted are recomputed from the fields, the values and mappings accepted before, and `program:recomputed` follows. ' +
    `Rules created by clients and accepted rules stay as long as their fields exist. ${RULES_DESCRIPTION}`,
  policy: write,
  params,
  body: UpdateProgram,
  reply: data(Program),
  errors: ['conflict', 'not-found', 'too-large'],
  example: {
    ...example,
    body: { source: exampleSheet('File', 'E-Mail', 'Mail', 'Name'), namespace: 'imports' },
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
  summary: "Lists a program's rules in the order they apply",
  policy: read,
  params,
  reply: listOf(MappingRule),
  example,
})
export const createRules = endpoint({
  id: 'programs.createRules',
  method: 'POST',
  path: '/mapping/{programId}/rules',
  summary: 'Appends rules to a program',
  description: RULES_DESCRIPTION,
  policy: write,
  params,
  body: z.array(MappingRuleConfig).min(1).max(MAX_RULES_PER_PROGRAM),
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

const RuleChange = MappingRuleConfig.partial()
const readOnlyFields = {
  confidence: ignored(z.number()),
  createdBy: ignored(unscoped('ignored')),
  createdAt: ignored(Time),
  updatedAt: ignored(Time),
  deletedAt: ignored(Time),
}

export const updateRules = endpoint({
  id: 'programs.updateRules',
  method: 'PATCH',
  path: '/mapping/{programId}/rules',
  summary: 'Updates rules by id, all or none; omitted properties are unchanged',
  description: RULES_DESCRIPTION,
  policy: write,
  params,
  body: z
    .array(RuleChange.extend({ id: scoped('rule'), ...readOnlyFields }))
    .min(1)
    .max(MAX_RULES_PER_PROGRAM),
  reply: listOf(MappingRule),
  errors: ['conflict', 'not-found', 'too-large'],
  example: { ...example, body: [{ id: '{mappingId}', name: 'The email address' }] },
})
export const removeRules = endpoint({
  id: 'programs.removeRules',
  method: 'DELETE',
  path: '/mapping/{programId}/rules',
  summary: 'Deletes rules by id, all or none',
  policy: write,
  params,
  body: z.object({ ruleIds: z.array(scoped('rule')).min(1).max(MAX_RULES_PER_PROGRAM) }),
  reply: Success,
  errors: ['conflict', 'not-found'],
  example: { ...example, body: { ruleIds: ['{otherMappingId}'] } },
})

const ruleEndpoint = {
  params: z.object({ programId: Id, mappingId: scoped('rule') }),
  errors: ['conflict', 'not-found'],
} as const
const ruleExample = { params: { programId: '{programId}', mappingId: '{mappingId}' } }

export const getRule = endpoint({
  id: 'programs.getRule',
  method: 'GET',
  path: '/mapping/{programId}/rules/{mappingId}',
  summary: 'Reads a rule',
  policy: read,
  ...ruleEndpoint,
  reply: data(MappingRule),
  example: ruleExample,
})
export const updateRule = endpoint({
  id: 'programs.updateRule',
  method: 'PATCH',
  path: '/mapping/{programId}/rules/{mappingId}',
  summary: 'Updates a rule; omitted properties are unchanged',
  description: RULES_DESCRIPTION,
  policy: write,
  ...ruleEndpoint,
  body: RuleChange,
  reply: data(MappingRule),
  example: { ...ruleExample, body: { name: 'The email address' } },
})
export const removeRule = endpoint({
  id: 'programs.removeRule',
  method: 'DELETE',
  path: '/mapping/{programId}/rules/{mappingId}',
  summary: 'Deletes a rule',
  policy: write,
  ...ruleEndpoint,
  reply: Success,
  example: ruleExample,
})
