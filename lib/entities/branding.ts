/** How a space looks: its own color, logo and welcome text, otherwise those of its environment. Pure. */
import type { SpaceBranding } from '../../schemas/spaces/shape.ts'

const getMember = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined

const findText = (metadatas: readonly unknown[], path: readonly string[]): string | undefined =>
  metadatas
    .map((metadata) => path.reduce(getMember, metadata))
    .find((value): value is string => typeof value === 'string' && value !== '')

export function resolveBranding(space: { metadata?: unknown }, environment: { metadata?: unknown }): SpaceBranding {
  const metadatas = [space.metadata, environment.metadata]
  return {
    primaryColor: findText(metadatas, ['theme', 'root', 'primaryColor']),
    logo: findText(metadatas, ['theme', 'sidebar', 'logo']),
    welcomeText: findText(metadatas, ['welcome', 'text']),
  }
}
