/** Lists that load a page after the other. */
import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { QueryView } from '../../shared/ui/states.tsx'

const PAGE_SIZE = 25

interface PageRequest {
  pageSize: number
  pageNumber: number
}

interface PageAnswer<Row> {
  data: Row[]
  pagination?: { pageCount: number; totalCount: number }
}

export interface Pages<Row> {
  query: { data: Row[] | undefined; error: unknown; refetch(): unknown }
  /** Unknown where the API does not count. */
  total: number | undefined
  more: { hasMore: boolean; isLoading: boolean; load(): void }
}

export function usePages<Row>(key: QueryKey, fetchPage: (page: PageRequest) => Promise<PageAnswer<Row>>): Pages<Row> {
  const pages = useInfiniteQuery({
    queryKey: key,
    initialPageParam: 1,
    queryFn: ({ pageParam }) => fetchPage({ pageSize: PAGE_SIZE, pageNumber: pageParam }),
    getNextPageParam: ({ data, pagination }, all) =>
      (pagination ? all.length < pagination.pageCount : data.length === PAGE_SIZE) ? all.length + 1 : undefined,
    placeholderData: keepPreviousData,
  })
  return {
    query: { data: pages.data?.pages.flatMap(({ data }) => data), error: pages.error, refetch: pages.refetch },
    total: pages.data?.pages.at(-1)?.pagination?.totalCount,
    more: {
      hasMore: pages.hasNextPage,
      isLoading: pages.isFetchingNextPage,
      load: () => void pages.fetchNextPage(),
    },
  }
}

type TableProps<Row> = Omit<Parameters<typeof DataTable<Row>>[0], 'rows' | 'more'>

/** Sorts in the browser only when all rows are there. */
export function PagedTable<Row>({ list, columns, ...table }: TableProps<Row> & { list: Pages<Row> }) {
  const { t, number } = useTranslation()
  const { query, more, total } = list
  return (
    <QueryView query={query}>
      {(rows) => (
        <>
          <DataTable
            {...table}
            columns={more.hasMore ? columns.map(({ sortValue: _, ...column }) => column) : columns}
            rows={rows}
            more={more}
          />
          {total !== undefined && total > rows.length && (
            <p className="hint shown-of">{t('shownOf', { shown: number(rows.length), total: number(total) })}</p>
          )}
        </>
      )}
    </QueryView>
  )
}

/** A filter in the address, which survives a reload and can be sent to others. */
export function useFilter(name: string, initial = ''): [string, (value: string) => void] {
  const [params, setParams] = useSearchParams()
  const choose = (value: string) =>
    setParams(
      (previous) => {
        if (value === initial) previous.delete(name)
        else previous.set(name, value)
        return previous
      },
      { replace: true },
    )
  return [params.get(name) ?? initial, choose]
}
