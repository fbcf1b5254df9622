/**
 * The responses to the page's queries, which were rendered into the page or requested before any script file arrived. `preload-script.ts`
 * provides them.
 */
export interface PreloadedResponses {
  /**
   * The response to a GET of the API; only the first caller gets it. Returns undefined if this path was not preloaded or its response
   * was already taken, and resolves to undefined if the request failed. The caller then makes its own request.
   * @param path including its query
   */
  take(path: string): Promise<Response | undefined> | undefined
}

declare global {
  /** Undefined if the page preloads nothing. */
  var preloadedQueries: PreloadedResponses | undefined
}

/** Whether the server rendered data into this page (`BasePage.astro` sets the attribute). */
export const hasPreloadedPageData = () => 'preloaded' in document.documentElement.dataset
