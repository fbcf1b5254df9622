/** Removes query parameters from the page's URL without adding a history entry. */
export function removeQueryParams(...names: string[]) {
  const url = new URL(location.href)
  for (const name of names) url.searchParams.delete(name)
  history.replaceState(history.state, '', url)
}
