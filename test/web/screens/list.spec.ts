import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PAGES } from '../../../web/console/navigation.ts'
import { isWriting, MAX_BYTES } from './camera.ts'
import { ALL_SCREENS, FOLDER, getFile, SCREENS, TOUR } from './list.ts'

const MAX_TOTAL_BYTES = 2.5 * 1024 * 1024
const README = `${FOLDER}/README.md`
const REDIRECTS = ['/', '/s', '/console']

function writeReadme(): string {
  const parts = Object.values(SCREENS).map(({ title, screens }) => {
    const images = screens.map(({ name, title }) => `### ${title}\n\n![${title}](${name}.webp)\n`)
    return `## ${title}\n\n${images.join('\n')}`
  })
  return `# Screens\n\n${parts.join('\n')}`
}

const listImages = () => readdirSync(FOLDER).filter((name) => name !== 'README.md' && `${FOLDER}/${name}` !== TOUR)

const readRoutes = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/<Route path="([^"]+)"/g)].map(([, path]) =>
    path!.replace(/\?$|\?.*\*\?$|\/\*\?$/, ''),
  )

describe('the list of screens', () => {
  const paths = ALL_SCREENS.map(({ path }) => path)

  it('has all pages of the console, and those of their objects', () => {
    const expected = Object.entries(PAGES).flatMap(([name, { ObjectPage }]) => {
      const path = `/console/:environmentId/${name}`
      return ObjectPage ? [path, `${path}/:id`] : [path]
    })
    expect(expected.filter((path) => !paths.includes(path))).toEqual([])
  })

  it('has all routes of the application and of a space', () => {
    const routes = ['web/shared/app.tsx', 'web/portal/portal.tsx'].flatMap(readRoutes)
    expect(routes.length).toBeGreaterThan(9)
    const missing = routes.filter((path) => !paths.includes(path) && !REDIRECTS.includes(path))
    expect(missing).toEqual([])
  })

  it('names each image once', () => {
    const names = ALL_SCREENS.map(({ name }) => name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('is what the documentation shows, in a few megabytes', () => {
    const files = ALL_SCREENS.map(({ name }) => `${name}.webp`)
    if (isWriting) {
      writeFileSync(README, writeReadme())
      for (const name of listImages()) if (!files.includes(name)) rmSync(`${FOLDER}/${name}`)
    }
    expect(readFileSync(README, 'utf8')).toBe(writeReadme())
    expect(listImages().filter((name) => !files.includes(name))).toEqual([])
    const sizes = ALL_SCREENS.map(({ name }) => getFile(name))
      .filter(existsSync)
      .map((file) => statSync(file).size)
    expect(Math.max(...sizes)).toBeLessThan(MAX_BYTES)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_TOTAL_BYTES)
  })
})
