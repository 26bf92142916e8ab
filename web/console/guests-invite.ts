/** The setting `sidebarConfig.showGuestInvite` in the metadata of an environment or a space. */

type SidebarMetadata = { sidebarConfig?: Record<string, unknown> }

export function readGuestsMayInvite(metadata: unknown): boolean | undefined {
  const value = (metadata as SidebarMetadata | null | undefined)?.sidebarConfig?.showGuestInvite
  return typeof value === 'boolean' ? value : undefined
}

export function withGuestsMayInvite(metadata: unknown, choice: string | undefined): Record<string, unknown> {
  const { sidebarConfig, ...otherMetadata } = (metadata ?? {}) as SidebarMetadata
  const { showGuestInvite: _, ...otherSettings } = sidebarConfig ?? {}
  const sidebar = choice ? { ...otherSettings, showGuestInvite: choice === 'true' } : otherSettings
  return Object.keys(sidebar).length > 0 ? { ...otherMetadata, sidebarConfig: sidebar } : otherMetadata
}
