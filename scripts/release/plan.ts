export interface PackageVersion {
  folder: string
  name: string
  version: string
  private?: boolean
}

export interface ReleasePlan {
  notes: string
  published: PackageVersion[]
  problems: string[]
}

function findNotes(changelog: string, version: string): string | undefined {
  const section = changelog
    .split(/^## /m)
    .find((text) => new RegExp(`^\\[?${version.replaceAll('.', '\\.')}\\]?\\b`).test(text))
  return section?.slice(section.indexOf('\n') + 1).trim()
}

export function planRelease(tag: string, packages: readonly PackageVersion[], changelog: string): ReleasePlan {
  const version = tag.replace(/^v/, '')
  const notes = findNotes(changelog, version)
  const isUnreleased = new RegExp(`^## .*${version.replaceAll('.', '\\.')} \\(unreleased\\)$`, 'm').test(changelog)
  return {
    notes: notes ?? '',
    published: packages.filter((each) => !each.private),
    problems: [
      ...packages
        .filter((each) => each.version !== version)
        .map(({ folder, version: other }) => `${folder} has version ${other}, not ${version}`),
      ...(notes ? [] : [`CHANGELOG.md has no section ${version}`]),
      ...(isUnreleased ? [`CHANGELOG.md calls ${version} unreleased: replace that with the date`] : []),
    ],
  }
}
