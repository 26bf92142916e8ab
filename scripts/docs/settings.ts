const { DOCS_URL, DOCS_REPOSITORY } = process.env

export const SITE = {
  url: DOCS_URL,
  base: DOCS_URL ? new URL(DOCS_URL.replace(/\/?$/, '/')).pathname : '/',
  repository: DOCS_REPOSITORY || undefined,
}
