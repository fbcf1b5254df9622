/** The operations that the journey needs, which every browser engine implements. */

export interface JourneyBrowser {
  /** Its name and version, for people. */
  name: string
  /** Whether it provides a (fake) microphone. */
  microphone: boolean
  /** Opens a window with separate cookies, for another person. */
  person(): Promise<BrowserTab>
  close(): Promise<void>
}

export interface BrowserTab {
  /** Loads an address and waits until the page is complete. */
  go(url: string): Promise<void>
  /** Runs a function in the page and returns its result, as JSON. The function must not use variables from outside. */
  run<R, A extends unknown[]>(work: (...args: A) => R, ...args: A): Promise<Awaited<R>>
  /** Presses the mouse button at the first point of the window, moves through the others, and releases it at the last. */
  mouse(way: [x: number, y: number][]): Promise<void>
  /** Types on the keyboard into the focused element. */
  type(text: string): Promise<void>
  /** Chooses files for the input that matches this selector. */
  files(selector: string, paths: string[]): Promise<void>
  /** Resizes the page, in CSS pixels; to the narrowest possible width if that is larger. */
  resize(width: number, height: number): Promise<void>
  /** Takes a screenshot, as PNG. */
  picture(): Promise<Buffer>
  /** Uncaught exceptions and policy violations so far. */
  problems(): Promise<string[]>
}

/** Returns the source of one expression that calls `work`, with its arguments and its result as JSON. */
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
