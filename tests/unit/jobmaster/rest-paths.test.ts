/** The paths of the document about the console are those that are answered. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { REST_PATHS } from '../../../workers/jobmaster/rest/parameters.ts'
import { Cluster, JOB } from './harness.ts'

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../../docs/CONSOLE-API.md'), 'utf8')
const section = DOCUMENT.split('\n## ').find((part) => part.startsWith('Paths of `weir.rest`')) ?? ''

it('the document lists every path that is answered, each once, and no other', () => {
  const listed = [...section.matchAll(/^\| `(\/[^`]*)` \|/gm)].map(([, path]) => path)
  expect(listed.toSorted()).toEqual(REST_PATHS.toSorted())
})

it.each(REST_PATHS)('%s is answered', (path) => {
  const cluster = new Cluster().running()
  cluster.checkpoint()
  const known: Readonly<Record<string, string>> = { ':jobid': JOB, ':vertexid': cluster.machine.executions[0]!.vertex, ':checkpointid': '1', ':subtaskindex': '0', ':triggerid': 'f'.repeat(32) }
  const asked = path.replaceAll(/:\w+/g, (name) => known[name] ?? name)
  const answers = (['GET', 'POST'] as const).map((method) => cluster.machine.rest({ path: asked, method, body: { 'savepoint-path': '/savepoints/none' } }, cluster.now))
  expect(answers.some(({ body }) => JSON.stringify(body) !== JSON.stringify({ errors: [`Not found: ${asked}`] }))).toBe(true)
})

it.each(['/', '/nothing', `/jobs/${JOB}/vertices`, `/jobs/${JOB}/nothing`, '/jobs/metrics/more', '/savepoint-disposal/a/b'])('%s is not there', (path) => {
  expect(new Cluster().running().rest(path)).toEqual({ status: 404, body: { errors: [`Not found: ${path}`] } })
})
