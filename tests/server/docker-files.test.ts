import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { isBuiltin } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { isDemoAllowed } from '../../src/demo/demo-accounts-and-safety-checks.ts'

// Docker does not run in these tests, so they compare the Dockerfile and the compose files with the code.

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const dockerfile = read('Dockerfile')
const production = read('docker-compose.yml')
const demo = read('docker-compose.demo.yml')

/** Returns the package in the path of an import: `@scope/name` for `@scope/name/file`. */
const packageOf = (path: string) => path.split('/', path.startsWith('@') ? 2 : 1).join('/')

const serviceOf = (compose: string, name: string) => new RegExp(`^  ${name}:\\n((?: {4}.*\\n|\\n)+)`, 'm').exec(compose)![1]!
/** Returns a service's environment, in which `${NAME}` is replaced by the default in the compose file, or by `given` if it has none. */
function environmentOf(service: string): Record<string, string> {
  const lines = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(service)![1]!
  const substitute = (value: string) => value.replace(/\$\{\w+(?::-([^}]*)|:\?[^}]*)\}/g, (_, fallback) => fallback ?? 'given')
  return Object.fromEntries([...lines.matchAll(/^ {6}(\w+): "?(.*?)"?$/gm)].map(([, name, value]) => [name!, substitute(value!)]))
}
const imageEnvironment = Object.fromEntries(
  [...(/^ENV (.*)/m.exec(dockerfile)?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]),
)
/** The files and folders that the final image copies from the build stage. */
const copied = [...dockerfile.matchAll(/^COPY --from=build \S+ (.*) \S+$/gm)].flatMap(([, paths]) =>
  paths!.split(' ').map(path => path.replace('/app/', '')),
)

test('the demo compose file may run the demo, which only this machine can reach', () => {
  const app = serviceOf(demo, 'app')
  const config = readConfig({ ...imageEnvironment, ...environmentOf(app) })
  expect(isDemoAllowed(config)).toBe(true)
  expect(config.host).toBe('127.0.0.1')
  expect(config.eventstoredbUrl).toBe('esdb://127.0.0.1:2113?tls=false')
  expect(app).toContain('network_mode: host')
  expect(app).toContain(`volumes: ["app:${config.dataDir}"]`)
  expect(app).toContain(`ORIGIN: "http://127.0.0.1:\${PORT:-${config.port}}"`)
  expect(config.origin).toBe(`http://127.0.0.1:${config.port}`)
})

test('compose files publish ports on loopback only', () => {
  for (const compose of [production, demo]) {
    const published = [...compose.matchAll(/^ {4}ports: \[(.*)\]$/gm)].flatMap(([, ports]) => ports!.split(', '))
    expect(published.length).toBeGreaterThan(0)
    expect(published.filter(port => !port.startsWith('"127.0.0.1:'))).toEqual([])
    expect(compose.match(/^\s+ports:/gm)).toHaveLength(published.length)
  }
})

test('both compose files name the same EventStoreDB and the same sandbox options', () => {
  expect(serviceOf(demo, 'eventstore').trim()).toBe(
    serviceOf(production, 'eventstore')
      .replace(/^ {4}restart:.*\n/m, '')
      .trim(),
  )
  for (const option of [/^ {4}security_opt: .*$/m, /^ {4}cap_drop: .*$/m])
    expect(option.exec(serviceOf(demo, 'app'))![0]).toBe(option.exec(serviceOf(production, 'app'))![0])
})

test('the server knows every variable that a compose file sets', () => {
  const settings = read('src/config.ts')
  for (const compose of [production, demo])
    for (const name of Object.keys(environmentOf(serviceOf(compose, 'app')))) expect(settings).toMatch(new RegExp(`^  ${name}: `, 'm'))
})

const isCopied = (file: string) => copied.some(path => file === path || file.startsWith(`${path}/`))

test('the image contains all files and packages that the server and commands import', () => {
  const { dependencies, optionalDependencies } = JSON.parse(read('package.json'))
  const isInstalled = (name: string) => name in dependencies || name in optionalDependencies || isBuiltin(name)
  const sourceFolders = copied.filter(path => !['node_modules', 'dist'].includes(path) && statSync(join(root, path)).isDirectory())
  const sourceFiles = [
    ...globSync(`{${sourceFolders.join(',')}}/**/*.{ts,tsx}`, { cwd: root }),
    ...copied.filter(path => path.endsWith('.ts')),
  ]
  expect(sourceFiles).toContain('scripts/doctor.ts')
  const missing = sourceFiles.flatMap(file => {
    const imported = read(file).matchAll(
      /^(?:import (?!type ).*|export .*|\} )from '([^']+)'|^import '([^']+)'|import\('([^']+)'\)|new URL\('(\.[^']*\w[^']*)', import\.meta\.url/gm,
    )
    return [...imported]
      .map(([, ...paths]) => paths.find(path => path)!)
      .filter(path => !(path.startsWith('.') ? isCopied(normalize(join(file, '..', path))) : isInstalled(packageOf(path))))
      .map(path => `${file}: ${path}`)
  })
  expect(missing).toEqual([])
})

test('the image has the script of each command that docs/deployment.md lists for it', () => {
  const [, listed] = /^The commands (`.*`) work in the image/m.exec(read('docs/deployment.md'))!
  const commands = [...listed!.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!)
  expect(commands).toContain('after-restore')
  const { scripts } = JSON.parse(read('package.json'))
  const missing = commands.filter(name => {
    const script = /\S+\.(?:ts|mjs)\b/.exec(scripts[name] ?? '')?.[0]
    return !script || !isCopied(script)
  })
  expect(missing).toEqual([])
})

test("the image's health check asks a server; a running worker is healthy", async () => {
  const check = JSON.parse(/^HEALTHCHECK .*\\\n\s+CMD (\[.*\])$/m.exec(dockerfile)![1]!) as string[]
  const directory = mkdtempSync(join(tmpdir(), 'diamondlink-health-'))
  let answer = 200
  const server = createServer((req, res) => res.writeHead(req.url === '/api/health' ? answer : 404).end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    rmSync(directory, { recursive: true })
  })
  const { port } = server.address() as AddressInfo
  /** The exit code of the check in a container that was started with this command. */
  const exitCode = async (...command: string[]) => {
    const commandLine = join(directory, 'cmdline')
    writeFileSync(commandLine, command.map(part => `${part}\0`).join(''))
    const child = spawn(process.execPath, [...check.slice(1), commandLine], { cwd: root, env: { PORT: String(port) }, stdio: 'ignore' })
    return (await once(child, 'close'))[0] as number
  }
  const serverCommand = ['node', '--import', 'tsx', 'src/server/main.ts']
  expect(check[0]).toBe('node')
  expect(await exitCode(...serverCommand)).toBe(0)
  answer = 503
  expect(await exitCode(...serverCommand)).toBe(1)
  expect(await exitCode(...serverCommand, '--work')).toBe(0)
  expect(await exitCode('/sbin/docker-init', '--', 'docker-entrypoint.sh', ...serverCommand, '--work')).toBe(0)
  expect(await exitCode('sh', '-c', `${serverCommand.join(' ')} --work`)).toBe(0)
  expect(check.filter(part => /\.m?[jt]s$/.test(part) && !isCopied(part))).toEqual([])
})
