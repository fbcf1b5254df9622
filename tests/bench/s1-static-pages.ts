import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../src/embedded/find-free-port.ts'
import { writePrecompressedFiles } from '../../src/server/write-precompressed-files.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { cpuSeconds, median, runLoadTest, startBenchServerProcess } from './http-load-and-cpu-time-helpers.ts'

const rounds = 5
const milliseconds = 2000
const connections = 16
const request = 'GET /page HTTP/1.1\r\nhost: ours.test\r\naccept-encoding: gzip\r\nuser-agent: bench\r\n\r\n'

/** S1: pages per CPU second when serving a gzipped static page from memory with all headers, compared with nginx using gzip_static. */
export default async function measureStaticPages(): Promise<BenchmarkFigure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'diamondlink-s1-'))
  const paragraphs = Array.from({ length: 300 }, (_, i) => `<p class="text-${i}">Paragraph ${(i * 7919) % 1000} of a page.</p>`)
  await mkdir(join(directory, 'page'))
  await writeFile(join(directory, 'page/index.html'), `<!doctype html><title>Page</title><script>0</script>${paragraphs.join('')}`)
  await writePrecompressedFiles(directory)
  const [ours, theirs] = await Promise.all([startBenchServerProcess('static', { SITE: directory }), nginx(directory)])
  try {
    const perSecond = async (port: number, pids: number[]) => {
      const before = cpuSeconds(...pids)
      const load = await runLoadTest(port, request, { connections, milliseconds })
      if (Object.keys(load.statuses).join() !== '200') throw new Error(`answers: ${JSON.stringify(load.statuses)}`)
      return load.requests / (cpuSeconds(...pids) - before)
    }
    const [us, them]: [number[], number[]] = [[], []]
    for (let i = 0; i <= rounds; i++) {
      const pair = [await perSecond(ours.port, [ours.pid]), await perSecond(theirs.port, theirs.pids)] as const
      // The first round is a warm-up.
      if (i) us.push(pair[0]) && them.push(pair[1])
    }
    const ratio = median(us.map((value, i) => value / them[i]!))
    return [
      { id: 'S1', name: 'static pages per core, relative to nginx', value: ratio, unit: '× nginx', bar: 0.6, better: 'more' },
      { id: 'S1', name: 'static pages per CPU second', value: median(us), unit: '/s' },
      { id: 'S1', name: 'nginx, gzip_static, in the same run', value: median(them), unit: '/s' },
    ]
  } finally {
    await Promise.all([ours.stop(), theirs.stop()])
    await rm(directory, { recursive: true })
  }
}

async function nginx(root: string) {
  const port = await findFreePort()
  const home = await mkdtemp(join(tmpdir(), 'diamondlink-nginx-'))
  await writeFile(
    join(home, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${home}/pid; error_log ${home}/error.log; ${process.getuid?.() === 0 ? 'user root;' : ''}
     events { worker_connections 512; }
     http { access_log off; keepalive_requests 1000000000; sendfile on; tcp_nopush on; etag on; default_type text/html;
       ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(p => `${p}_temp_path ${home}/${p};`).join(' ')}
       server { listen 127.0.0.1:${port}; root ${root}; location / { gzip_static on; try_files $uri/index.html =404; } } }`,
  )
  const child = spawn('/usr/sbin/nginx', ['-c', join(home, 'nginx.conf'), '-e', `${home}/error.log`], { stdio: 'inherit' })
  let workers: number[] = []
  for (let i = 0; i < 100 && !workers.length; i++) {
    await sleep(50)
    const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').catch(() => '')
    workers = children.trim().split(' ').filter(Boolean).map(Number)
  }
  return {
    port,
    pids: workers,
    stop: async () => {
      const over = new Promise(done => child.once('close', done))
      child.kill('SIGTERM')
      await over
      await rm(home, { recursive: true, force: true })
    },
  }
}
