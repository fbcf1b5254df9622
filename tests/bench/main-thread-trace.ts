import type { Page } from '@playwright/test'

interface Event {
  name: string
  ph: string
  pid: number
  tid: number
  ts: number
  dur?: number
  args: { name?: string; data?: { cpuProfile?: { nodes?: Node[]; samples?: number[] }; timeDeltas?: number[] } }
}
interface Node {
  id: number
  parent?: number
  callFrame: { functionName: string; url?: string; lineNumber?: number; columnNumber?: number }
}

const CATEGORIES = [
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-v8.cpu_profiler',
  'blink.user_timing',
  'toplevel',
]

/**
 * Performs an act and returns where its time goes, in ms: the browser's work on the page's main thread, by kind and without nested work,
 * and the functions that ran, by name.
 */
export async function traceMainThread(page: Page, act: () => Promise<unknown>) {
  const browser = page.context().browser()!
  await browser.startTracing(page, { categories: CATEGORIES })
  await act()
  const { traceEvents: events } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: Event[] }
  const pages = threads(events)
  const [main] = busiest(events.filter(e => e.ph === 'X' && pages.has(`${e.pid}:${e.tid}`)))
  return { work: sorted(own(main?.[1] ?? [])), functions: sorted(sampled(events)) }
}

const sorted = (times: Map<string, number>) => [...times].sort(([, a], [, b]) => b - a)
const threads = (events: readonly Event[]) =>
  new Set(events.filter(e => e.name === 'thread_name' && e.args.name === 'CrRendererMain').map(e => `${e.pid}:${e.tid}`))

/** Groups events by thread, the thread with the most events first. */
function busiest(events: readonly Event[]) {
  const by = new Map<string, Event[]>()
  for (const e of events) {
    const thread = `${e.pid}:${e.tid}`
    if (!by.get(thread)?.push(e)) by.set(thread, [e])
  }
  return [...by].sort(([, a], [, b]) => b.length - a.length)
}

function own(events: readonly Event[]) {
  const times = new Map<string, number>()
  const open: { name: string; end: number }[] = []
  const add = (name: string, us: number) => times.set(name, (times.get(name) ?? 0) + us / 1000)
  for (const { name, ts, dur = 0 } of [...events].sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))) {
    while (open.length && open.at(-1)!.end <= ts) open.pop()
    if (open.length) add(open.at(-1)!.name, -dur)
    add(name, dur)
    open.push({ name, end: ts + dur })
  }
  return times
}

function sampled(events: readonly Event[]) {
  const nodes = new Map<number, Node>()
  const times = new Map<string, number>()
  for (const { args } of events.filter(e => e.name === 'ProfileChunk').sort((a, b) => a.ts - b.ts)) {
    for (const node of args.data?.cpuProfile?.nodes ?? []) nodes.set(node.id, node)
    for (const [i, id] of (args.data?.cpuProfile?.samples ?? []).entries()) {
      const frame = nodes.get(id)?.callFrame
      if (!frame || /^\((idle|root|program)\)$/.test(frame.functionName)) continue
      const name = `${frame.functionName || 'anonymous'} ${frame.url?.split('/').at(-1) ?? ''}:${frame.columnNumber ?? ''}`
      times.set(name, (times.get(name) ?? 0) + (args.data?.timeDeltas?.[i] ?? 0) / 1000)
    }
  }
  return times
}

/** Prints where most of an act's time went. */
export function printMainThreadTrace(name: string, { work, functions }: Awaited<ReturnType<typeof traceMainThread>>) {
  const most = (times: [string, number][]) => times.slice(0, 8).map(([what, ms]) => `${what} ${ms.toFixed(0)}`)
  console.log(`${name}: ${most(work).join(', ')}\n  of it ${most(functions).join(', ')}`)
}
