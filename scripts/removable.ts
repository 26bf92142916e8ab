/**
 * What modules of `schemas/` declare is made only where it is used: a bundler cannot know that `z.object()` and `endpoint()` do nothing
 * but answer, and would make each schema and endpoint of a module wherever one of them is used.
 */
import { readFileSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import type { Plugin } from 'esbuild'
import ts from 'typescript'

/** These do nothing until they are used, or are constants a bundler writes in their place. */
const STANDS = new Set([
  ts.SyntaxKind.ArrowFunction,
  ts.SyntaxKind.FunctionExpression,
  ts.SyntaxKind.Identifier,
  ts.SyntaxKind.NumericLiteral,
  ts.SyntaxKind.StringLiteral,
])

/** The module with each of its constants behind a call that may be left out. */
export function removable(path: string, text: string): string {
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const values = statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations.map(({ initializer }) => initializer))
    .filter((value) => value !== undefined && !STANDS.has(value.kind))
  return values.reduceRight(
    (rest, value) =>
      `${rest.slice(0, value!.pos)}/* @__PURE__ */(()=>(${rest.slice(value!.pos, value!.end)}))()${rest.slice(value!.end)}`,
    text,
  )
}

const done = new Map<string, string>()

export const removableSchemas = (root: string): Plugin => ({
  name: 'removable-schemas',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/\\]schemas[/\\]\w[\w-]*\.ts$/ }, ({ path }) => {
      if (!path.startsWith(resolve(root, 'schemas') + sep)) return undefined
      const contents = done.get(path) ?? removable(path, readFileSync(path, 'utf8'))
      done.set(path, contents)
      return { contents, loader: 'ts' }
    }),
})
