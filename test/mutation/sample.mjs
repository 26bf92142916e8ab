/** A deterministic sample of mutants, all or none per declaration. `MUTATION_SAMPLE=2/10` takes the second tenth. */
import { createHash } from 'node:crypto'
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

const [part, parts] = (process.env.MUTATION_SAMPLE ?? '1/1').split('/').map(Number)

function getDeclarationName(path) {
  if (path.isClassMethod() || path.isClassPrivateMethod() || path.isClassProperty())
    return path.node.key.name ?? path.node.key.id?.name
  if (!path.parentPath?.isProgram() && !path.parentPath?.isExportNamedDeclaration()) return
  if (path.isFunctionDeclaration()) return path.node.id?.name
  if (path.isVariableDeclaration()) return path.node.declarations[0]?.id.name
}

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'sample', {
    shouldIgnore(path) {
      const name = getDeclarationName(path)
      if (!name) return
      const file = path.hub?.file?.opts?.filename ?? ''
      const number = createHash('sha256')
        .update(`${file.slice(file.lastIndexOf('/'))} ${name}`)
        .digest()
        .readUInt32BE()
      if (number % parts !== part - 1) return 'not in the sample'
    },
  }),
]
