import type { PageRequest, Pagination } from '../../schemas/kit/page.ts'

export function paginate<T>(items: T[], { pageSize, pageNumber }: PageRequest): { data: T[]; pagination: Pagination } {
  const first = (pageNumber - 1) * pageSize
  return {
    data: items.slice(first, first + pageSize),
    pagination: { currentPage: pageNumber, pageCount: Math.ceil(items.length / pageSize), totalCount: items.length },
  }
}
