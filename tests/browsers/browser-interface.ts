/** What the main user journey needs from a browser, implemented for each engine. */

export interface JourneyBrowser {
  /** The browser's name and version, for people to read. */
  name: string
  /** Whether the browser provides a (fake) microphone. */
  microphone: boolean
  /** Opens a window with separate cookies, for another person. */
  person(): Promise<BrowserTab>
  close(): Promise<void>
}

export interface BrowserTab {
  /** Loads a URL and waits until the page is complete. */
  go(url: string): Promise<void>
  /** Runs a function in the page and returns its result, which is passed as JSON. The function must not use variables from outside. */
  run<R, A extends unknown[]>(work: (...args: A) => R, ...args: A): Promise<Awaited<R>>
  /** Presses the mouse button at the first of these window coordinates, moves through the rest, and releases it at the last. */
  mouse(way: [x: number, y: number][]): Promise<void>
  /** Types on the keyboard into the focused element. */
  type(text: string): Promise<void>
  /** Chooses files in the input that matches `selector`. */
  files(selector: string, paths: string[]): Promise<void>
  /** Resizes the page to a size in CSS pixels. If the window cannot be that narrow, it becomes as narrow as it can. */
  resize(width: number, height: number): Promise<void>
  /** Takes a screenshot, as PNG. */
  picture(): Promise<Buffer>
  /** Uncaught exceptions, console errors and content security policy violations so far; always empty in WebKit. */
  problems(): Promise<string[]>
}

/** Returns the source of an expression that calls `work` with `args` and resolves to its result as JSON. */
export const expressionOfCall = (work: (...args: never[]) => unknown, args: unknown[]) =>
  `(async () => { const answer = await (${work})(...${JSON.stringify(args)}); return answer === undefined ? 'null' : JSON.stringify(answer) })()`

/** Pointer actions in the format that WebDriver Classic and WebDriver BiDi share. */
export const webDriverDragActions = (way: [number, number][]) => [
  {
    type: 'pointer',
    id: 'mouse',
    parameters: { pointerType: 'mouse' },
    actions: [
      { type: 'pointerMove', x: Math.round(way[0]![0]), y: Math.round(way[0]![1]), duration: 0 },
      { type: 'pointerDown', button: 0 },
      ...way.slice(1).map(([x, y]) => ({ type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 30 })),
      { type: 'pointerUp', button: 0 },
    ],
  },
]
export const webDriverTypingActions = (text: string) => [
  {
    type: 'key',
    id: 'keys',
    actions: [...text].flatMap(value => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]),
  },
]
/** The Enter key in WebDriver's notation. */
export const ENTER_KEY = '\uE007'
