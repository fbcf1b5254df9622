import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { useQuery } from '../../src/client/query.ts'
import { type PreloadedPageData, PreloadedPageDataContext } from '../../src/page-load/preloaded-page-data-context.ts'

function FolderName({ folder }: { folder: string }) {
  const { data, loading, error } = useQuery('GET /api/folders/{folder}', { params: { folder }, query: {} })
  return <p>{data ? data.name : error ? 'error' : loading ? 'loading' : 'nothing'}</p>
}
const preloaded: PreloadedPageData = {
  renderedAt: 0,
  timeZone: 'UTC',
  readMarks: '',
  address: '/player/folder/1',
  answers: { '/api/folders/1': { name: 'Swings' } },
}

const created = vi.hoisted(() => ({ stores: 0 }))
vi.mock('@nanostores/query', async original => {
  const library = await original<typeof import('@nanostores/query')>()
  const nanoquery: typeof library.nanoquery = options => {
    const [createStore, ...rest] = library.nanoquery(options)
    const counted = ((...args: Parameters<typeof createStore>) => {
      created.stores++
      return createStore(...args)
    }) as typeof createStore
    return [counted, ...rest]
  }
  return { ...library, nanoquery }
})

/** One server process renders all pages, so a store for each viewed folder would stay in memory until the process exits. */
test('rendering on the server shows the preloaded data and creates no store', () => {
  const renderFolder = (folder: string) =>
    renderToString(
      <PreloadedPageDataContext value={preloaded}>
        <FolderName folder={folder} />
      </PreloadedPageDataContext>,
    )
  expect([renderFolder('1'), renderFolder('2'), renderFolder('3')]).toEqual(['<p>Swings</p>', '<p>nothing</p>', '<p>nothing</p>'])
  expect(created.stores).toBe(0)
})
