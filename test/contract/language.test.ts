/** The rules for comments, documents, messages and test titles: see scripts/plain-language.ts. */
import { describe, expect, it } from 'vitest'
import { checkText } from '../../scripts/plain-language.ts'

describe('the checker', () => {
  it.each([
    ['lib/x.ts', '/** Judged by the rules. */'],
    ['lib/x.ts', '// The state of the row is\n// none at all.'],
    ['web/x.tsx', 'export const x = <p>{/* Nobody asks. */}</p>'],
    ['test/x.test.ts', "it('answers 404', () => {})"],
    ['test/x.test.ts', "describe('the thing', () => {})"],
    ['lib/x.ts', "throw new Error('Nobody may read this.')"],
    ['lib/x.ts', 'throw new Error(`The row is no number.`)'],
    ['web/x.tsx', 'export const x = <p>There is somebody here.</p>'],
    ['docs/x.md', 'A sheet is read\nanew for every request.'],
    ['serverless.yml', 'timeout: 29 # unless told otherwise'],
    ['serverless.yml', '# Everything stands here.'],
    ['.ci/run', '# Runs the checks by themselves.'],
  ])('finds a banned word in %s: %s', (file, text) => {
    expect(checkText(file, text)).toHaveLength(1)
  })
  it.each([
    ['lib/x.ts', '/** What did not respond. */'],
    ['lib/x.ts', '// Where the file is.'],
    ['lib/x.ts', '/** Of one environment. */'],
    ['lib/x.ts', '/** Who may read it. */'],
    ['test/x.test.ts', "it('of another account is hidden', () => {})"],
    ['functions/alarms.yml', 'a: 1 # of the whole account'],
  ])('finds a noun clause without a subject in %s: %s', (file, text) => {
    expect(checkText(file, text)).toMatchObject([{ file, line: 1, instead: 'a noun, or a sentence with a subject' }])
  })
  it.each([
    ['lib/x.ts', '/** Returns `undefined` if there are none. Where possible, it uses the cache. */'],
    ['lib/x.ts', "import x from 'some thing told'"],
    ['lib/x.ts', "const told = 'anew'"],
    ['docs/x.md', 'Run `nobody told anew`.\n\n```\nwhoever judges\n```'],
    ['serverless.yml', "name: 'nobody told anew'"],
    ['schemas/x.ts', '/** They name fields of their own sheet; no other entry may come in between. */'],
  ])('accepts %s: %s', (file, text) => {
    expect(checkText(file, text)).toEqual([])
  })
  it('reports the sentence, its first line and the standard term', () => {
    const text = 'export const x = 1\n\n/**\n * Fine. The `rows` are\n * judged later.\n */\nexport const y = 2\n'
    expect(checkText('lib/x.ts', text)).toEqual([
      { file: 'lib/x.ts', line: 3, instead: 'validate', text: 'The `` are judged later.' },
    ])
  })
})
