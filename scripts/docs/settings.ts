const { DOCS_URL, DOCS_REPOSITORY } = process.env

const url = DOCS_URL ? new URL(DOCS_URL.replace(/\/?$/, '/')) : undefined

export const SITE = {
  url: url?.href,
  base: url?.pathname ?? '/',
  repository: DOCS_REPOSITORY || undefined,
}
