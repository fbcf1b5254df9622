/** The queries of this page that were answered or requested before any script file arrived. `preload-script.ts` fills it. */
export interface PreloadedQueries {
  /**
   * The response to a GET of the API, for the first caller who takes it. Undefined where nobody preloaded this path, where somebody took it before,
   * or where the request failed: then the caller makes a request of its own.
   * @param path with its query
   */
  take(path: string): Promise<Response | undefined> | undefined
}

declare global {
  /** Undefined where the page preloads nothing. */
  var preloadedQueries: PreloadedQueries | undefined
}

/** Whether the server rendered this page with its answers (`BasePage.astro` sets the attribute). */
export const hasPreloadedPage = () => 'preloaded' in document.documentElement.dataset
