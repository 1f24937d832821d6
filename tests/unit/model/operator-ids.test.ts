/** Operator ids where the program sets no uid: those of real Flink, and what changes them. */
import { describe, expect, it } from 'vitest'
import { compileJob } from '../../../workers/model/compile-job.ts'
import type { JobDocument, OperatorDocument } from '../../../workers/model/job-document.ts'
import { operatorIdOfUid } from '../../../workers/model/operator-id-of-uid.ts'

const source: OperatorDocument = { uid: 'source', generatedUid: true, type: 'generator' }
const count: OperatorDocument = { uid: 'count', generatedUid: true, type: 'process-count' }
const sink: OperatorDocument = { uid: 'sink', generatedUid: true, type: 'print' }
const map: OperatorDocument = { uid: 'map', generatedUid: true, type: 'map', params: { function: 'identity' } }

const job = (operators: readonly OperatorDocument[], edges: JobDocument['edges'], config: JobDocument['config'] = {}): JobDocument => ({ weir: 'job@1', name: 'ids', config, operators, edges })
const CHAINED = { 'pipeline.operator-chaining.enabled': true }

function idsOf(document: JobDocument): Record<string, string> {
  const { graph, problems } = compileJob(document)
  if (graph === null) throw new Error(JSON.stringify(problems))
  return Object.fromEntries(graph.vertices.flatMap((vertex) => vertex.chain.map((operator) => [operator.uid, operator.operatorId])))
}

const straight = (operators: readonly OperatorDocument[], config: JobDocument['config'] = {}): JobDocument =>
  job(operators, operators.slice(1).map(({ uid }, i) => ({ from: operators[i]!.uid, to: uid, ...(uid === 'count' ? { ship: 'hash' as const, by: ['key'] } : {}) })), config)

describe('operator ids without a uid (behaviour 12.1)', () => {
  it('are those that real Flink gives: a first source alone, and with one operator chained to it', () => {
    expect(idsOf(straight([source, count, sink]))['source']).toBe('bc764cd8ddf7a0cff126f51c16239658')
    expect(idsOf(straight([source, map, count, sink], CHAINED))['source']).toBe('cbc357ccb763df2852fee8c4fc7d55f2')
  })

  it('of a keyed operator with a sink chained to it, behind a source, as in the state machine example', () => {
    expect(idsOf(straight([source, count, sink], CHAINED))['count']).toBe('20ba6b65f97481d5570070de90e4e791')
  })

  it('change for everything behind an operator that is added, and not where uids are set', () => {
    const before = idsOf(straight([source, count, sink]))
    const after = idsOf(straight([source, map, count, sink]))
    expect(after['source']).toBe(before['source'])
    expect(after['count']).not.toBe(before['count'])
    expect(after['sink']).not.toBe(before['sink'])
    const withUids = idsOf(straight([source, map, { uid: 'count', type: 'process-count' }, sink]))
    expect(withUids['count']).toBe(operatorIdOfUid('count'))
  })

  it('change with the chaining: another parallelism of the next operator is enough', () => {
    const chained = idsOf(straight([source, map, count, sink], CHAINED))
    const apart = idsOf(straight([source, { ...map, parallelism: 2 }, count, sink], CHAINED))
    expect(apart['source']).not.toBe(chained['source'])
  })

  it('follow breadth first through a join, whichever branch is longer', () => {
    const left: OperatorDocument = { ...source, uid: 'left' }
    const right: OperatorDocument = { ...source, uid: 'right' }
    const union: OperatorDocument = { uid: 'union', generatedUid: true, type: 'union' }
    const edges = [{ from: 'left', to: 'union' }, { from: 'right', to: 'map' }, { from: 'map', to: 'union' }, { from: 'union', to: 'sink' }]
    const ids = idsOf(job([left, right, map, union, sink], edges))
    expect(new Set(Object.values(ids)).size).toBe(5)
    expect(ids['left']).toBe('bc764cd8ddf7a0cff126f51c16239658')
  })

  it('are an error with pipeline.auto-generate-uids = false', () => {
    const { graph, problems } = compileJob(straight([source, count, sink], { 'pipeline.auto-generate-uids': false }))
    expect(graph).toBeNull()
    expect(problems.filter(({ path }) => path.endsWith('generatedUid')).map(({ message }) => message)[0]).toContain('Auto generated UIDs have been disabled')
  })

  it('an id of an earlier job stands beside the generated one; it must be one, and belong to one operator', () => {
    const hash = '0123456789abcdef0123456789abcdef'
    const { graph } = compileJob(straight([source, { ...count, uidHash: hash }, sink]))
    expect(graph?.vertices[1]?.chain[0]).toMatchObject({ uidHash: hash, isUidGenerated: true })
    expect(compileJob(straight([source, { ...count, uidHash: 'abc' }, sink])).problems[0]?.path).toBe('/operators/1/uidHash')
    expect(compileJob(straight([source, { ...count, uidHash: hash }, { ...sink, uidHash: hash }])).problems[0]?.path).toBe('/operators/2/uidHash')
  })
})
