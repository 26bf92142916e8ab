/** Anchors of headings, by the rules of GitHub, so that links work there and on the site. */

export const slugify = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')

const FENCE = /^(`{3,}|~{3,})/

export function mapProse(markdown: string, change: (text: string) => string): string {
  const parts: { isCode: boolean; lines: string[] }[] = []
  let fence: string | undefined
  for (const line of markdown.split('\n')) {
    const [mark] = FENCE.exec(line) ?? []
    const isCode = fence !== undefined || mark !== undefined
    if (parts.at(-1)?.isCode !== isCode) parts.push({ isCode, lines: [] })
    parts.at(-1)!.lines.push(line)
    if (fence === undefined) fence = mark
    else if (mark !== undefined && line.trim().startsWith(fence)) fence = undefined
  }
  return parts.map(({ isCode, lines }) => (isCode ? lines.join('\n') : change(lines.join('\n')))).join('\n')
}

const removeMarks = (heading: string): string => heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '')

export function listAnchors(markdown: string): Set<string> {
  const anchors = new Set<string>()
  mapProse(markdown, (text) => {
    for (const [, heading] of text.matchAll(/^#{1,6} (.+)$/gm)) {
      const slug = slugify(removeMarks(heading!))
      let anchor = slug
      for (let at = 1; anchors.has(anchor); at++) anchor = `${slug}-${at}`
      anchors.add(anchor)
    }
    return text
  })
  return anchors
}
