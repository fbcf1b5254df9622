import type { Sql } from 'postgres'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'

/** The part of a plan in the format of `explain (analyze, format json)` that this file reads. Rows are averages over `Actual Loops`. */
interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/**
 * Records in `scans` the largest number of rows that a plan reads sequentially from each table. A scan that stops early counts as the whole
 * table, because with other values it may read all of it.
 */
function addSequentialScans(node: PlanNode, tableRows: Map<string, number>, scans: Map<string, number>) {
  const table = node['Relation Name']
  if (node['Node Type'] === 'Seq Scan' && table) {
    const read = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    scans.set(table, Math.max(scans.get(table) ?? 0, read, tableRows.get(table) ?? 0))
  }
  for (const child of node.Plans ?? []) addSequentialScans(child, tableRows, scans)
}

/**
 * Connects to Postgres so that its module auto_explain sends the plan of every statement that runs, with the rows that each node has read.
 * `collect` runs statements and returns how many rows of each table their largest sequential scan covers.
 */
export async function connectWithAutoExplain(url: string) {
  let plans: PlanNode[] = []
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_level': 'notice',
    'auto_explain.log_format': 'json',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_nested_statements': 'on',
  }
  const sql = createPostgresPool(url, {
    max: 1,
    connection: settings as object,
    onnotice: ({ message }) => {
      const json = /plan:\n(\{.*)/s.exec(message ?? '')?.[1]
      if (json) plans.push(JSON.parse(json).Plan)
    },
  })
  const sizes = await sql<{ table: string; rows: number }[]>`
    select relname as table, reltuples::float8 as rows from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
  const tableRows = new Map(sizes.map(({ table, rows }) => [table, rows]))
  return {
    sql,
    async collect(run: (sql: Sql) => Promise<unknown>): Promise<Map<string, number>> {
      plans = []
      await run(sql)
      if (!plans.length) throw new Error('Postgres has sent no plan')
      const scans = new Map<string, number>()
      for (const plan of plans) addSequentialScans(plan, tableRows, scans)
      return scans
    },
  }
}
