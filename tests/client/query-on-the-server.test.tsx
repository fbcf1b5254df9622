import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { useQuery } from '../../src/client/query.ts'
import { type PreloadedPage, PreloadedPageContext } from '../../src/page-load/preloaded-page.ts'

function Look({ folder }: { folder: string }) {
  const { data, loading, error } = useQuery('GET /api/folders/{folder}', { params: { folder }, query: {} })
  return <p>{data ? data.name : error ? 'error' : loading ? 'loading' : 'nothing'}</p>
}
const preloaded: PreloadedPage = {
  ...{ renderedAt: 0, timeZone: 'UTC', readMarks: '', address: '/player/folder/1' },
  answers: { '/api/folders/1': { name: 'Swings' } },
}

const made = vi.hoisted(() => ({ stores: 0 }))
vi.mock('@nanostores/query', async original => {
  const library = await original<typeof import('@nanostores/query')>()
  const nanoquery: typeof library.nanoquery = options => {
    const [createStore, ...rest] = library.nanoquery(options)
    const counted = ((...args: Parameters<typeof createStore>) => {
      made.stores++
      return createStore(...args)
    }) as typeof createStore
    return [counted, ...rest]
  }
  return { ...library, nanoquery }
})

/** On the server one process renders all pages, so anything stored for each viewed folder would stay in memory forever. */
test('rendering on the server shows the preloaded data and creates no store', () => {
  const look = (folder: string) =>
    renderToString(
      <PreloadedPageContext value={preloaded}>
        <Look folder={folder} />
      </PreloadedPageContext>,
    )
  expect([look('1'), look('2'), look('3')]).toEqual(['<p>Swings</p>', '<p>nothing</p>', '<p>nothing</p>'])
  expect(made.stores).toBe(0)
})
