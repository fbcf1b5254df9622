/** What the job needs of a browser: the same few verbs in each engine. */

export interface Browser {
  /** Its name and version, for people. */
  name: string
  /** Whether it has a microphone to speak into. */
  microphone: boolean
  /** A window of somebody who shares no cookies with others. */
  person(): Promise<BrowserTab>
  close(): Promise<void>
}

export interface BrowserTab {
  /** Loads an address and waits until the page is complete. */
  go(url: string): Promise<void>
  /** Runs a function in the page and answers what it answers (by way of JSON). It may use nothing from around it. */
  run<R, A extends unknown[]>(work: (...args: A) => R, ...args: A): Promise<Awaited<R>>
  /** Presses the mouse at the first place of the window, moves through the others, lets go at the last. */
  mouse(way: [x: number, y: number][]): Promise<void>
  /** Types on the keyboard, where the cursor is. */
  type(text: string): Promise<void>
  /** Chooses files for the input of this selector. */
  files(selector: string, paths: string[]): Promise<void>
  /** Makes the page this large, in CSS pixels; the narrowest it can where that is more. */
  resize(width: number, height: number): Promise<void>
  /** What is seen, as PNG. */
  picture(): Promise<Buffer>
  /** Exceptions and broken policies so far. */
  problems(): Promise<string[]>
}

/** How `run` is sent: one expression, its arguments and answer as JSON. */
export const expressionOfCall = (work: (...args: never[]) => unknown, args: unknown[]) =>
  `(async () => { const answer = await (${work})(...${JSON.stringify(args)}); return answer === undefined ? 'null' : JSON.stringify(answer) })()`

/** Mouse and keys as WebDriver takes them, in its first form and in its new one alike. */
export const pointerActions = (way: [number, number][]) => [
  {
    ...{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' } },
    actions: [
      { type: 'pointerMove', x: Math.round(way[0]![0]), y: Math.round(way[0]![1]), duration: 0 },
      { type: 'pointerDown', button: 0 },
      ...way.slice(1).map(([x, y]) => ({ type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 30 })),
      { type: 'pointerUp', button: 0 },
    ],
  },
]
export const keyActions = (text: string) => [
  {
    ...{ type: 'key', id: 'keys' },
    actions: [...text].flatMap(value => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]),
  },
]
/** Keys without a letter, as WebDriver writes them. */
export const ENTER_KEY = '\uE007'
