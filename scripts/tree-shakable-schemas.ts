/** Lets the bundler drop unused declarations of `schemas/`: it cannot know that `z.object()` has no side effects. */
import { readFileSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import type { Plugin } from 'esbuild'
import ts from 'typescript'

const INERT_KINDS = new Set([
  ts.SyntaxKind.ArrowFunction,
  ts.SyntaxKind.FunctionExpression,
  ts.SyntaxKind.Identifier,
  ts.SyntaxKind.NumericLiteral,
  ts.SyntaxKind.StringLiteral,
])

export function makeRemovable(path: string, text: string): string {
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const values = statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations.map(({ initializer }) => initializer))
    .filter((value) => value !== undefined && !INERT_KINDS.has(value.kind))
  return values.reduceRight(
    (source, value) =>
      `${source.slice(0, value!.pos)}/* @__PURE__ */(()=>(${source.slice(value!.pos, value!.end)}))()${source.slice(value!.end)}`,
    text,
  )
}

const cache = new Map<string, string>()

export const removableSchemas = (root: string): Plugin => ({
  name: 'removable-schemas',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/\\]schemas[/\\]\w[\w-]*\.ts$/ }, ({ path }) => {
      if (!path.startsWith(resolve(root, 'schemas') + sep)) return undefined
      const contents = cache.get(path) ?? makeRemovable(path, readFileSync(path, 'utf8'))
      cache.set(path, contents)
      return { contents, loader: 'ts' }
    }),
})
