/**
 * A job document → the graph that the JobManager runs, or what is wrong with it, each mistake with its place and its cure. Takes anything:
 * a file, a link, what was typed. Flink: StreamGraphGenerator, StreamingJobGraphGenerator.
 */
import { findOperatorType, OPERATOR_TYPES } from './catalogue/catalogue.ts'
import { chainOperators, type DescribedOperator } from './compile/chain-operators.ts'
import { compileEdges, type KnownOperator, type OperatorEdge } from './compile/compile-edges.ts'
import { compileTopics } from './compile/compile-topics.ts'
import { defaultMaxParallelism } from './compile/default-max-parallelism.ts'
import { describeOperator } from './compile/describe-operator.ts'
import { linksInChains } from './compile/links-in-chains.ts'
import { checkJobShape } from './compile/job-shape.ts'
import { mistake } from './compile/shape.ts'
import { operatorIds } from './compile/operator-ids.ts'
import { topologicalOrder } from './compile/topological-order.ts'
import { warnings } from './compile/warnings.ts'
import type { JobDocument, OperatorDocument } from './job-document.ts'
import type { JobEdge, JobGraph, JobSettings, Problem, TopicDescription } from './job-graph.ts'
import { parseSettings } from './options/parse-settings.ts'
import type { Schema } from './schema.ts'

export interface CompiledJob {
  /** Null when a problem is an error. */
  readonly graph: JobGraph | null
  readonly problems: readonly Problem[]
}

export function compileJob(document: unknown): CompiledJob {
  const shape = checkJobShape(document)
  if (shape.length > 0) return { graph: null, problems: shape }
  // The shape has just been checked.
  return compileDocument(document as JobDocument)
}

function compileDocument(document: JobDocument): CompiledJob {
  const parsed = parseSettings(document)
  const problems: Problem[] = [...parsed.problems]
  const topics = compileTopics(document.topics ?? [], problems)
  const operators = knownOperators(document, problems)
  const edges = compileEdges(document.edges, operators, new Set(document.operators.map(({ uid }) => uid)), problems)
  checkInputs(document, operators, problems)
  const order = topologicalOrder([...operators.values()], edges, problems)
  const described = order === null ? [] : describeAll({ order, edges, topics, maxParallelism: parsed.maxParallelism }, problems)
  checkUids(document, problems)
  const failed = problems.some((problem) => problem.severity === 'error')
  if (failed || parsed.settings === null) return { graph: null, problems }
  const graph = toGraph(document.name, described, edges, topics, parsed.settings)
  problems.push(...warnings(described, edges, parsed.settings), ...linksInChains(edges, graph.vertices))
  return { graph, problems }
}

function knownOperators(document: JobDocument, problems: Problem[]): ReadonlyMap<string, KnownOperator> {
  const operators = new Map<string, KnownOperator>()
  if (document.operators.length === 0) problems.push(mistake(['operators'], 'The job has no operators.', 'Add a source and a sink.'))
  document.operators.forEach((operator, index) => {
    const path = ['operators', index]
    const type = findOperatorType(operator.type)
    if (type === undefined) {
      const known = OPERATOR_TYPES.map((candidate) => candidate.type).join(', ')
      problems.push(mistake([...path, 'type'], `"${operator.type}" is not a type of operator.`, `Choose one of: ${known}.`))
    }
    if (operators.has(operator.uid)) {
      problems.push(mistake([...path, 'uid'], `Two operators have the uid "${operator.uid}".`, 'Give one of them another uid: state finds its operator by it.'))
    } else if (type !== undefined) {
      operators.set(operator.uid, { index, document: operator, type, parallelism: operator.parallelism ?? 1 })
    }
  })
  return operators
}

/** Flink: StreamGraphHasherV2 with `pipeline.auto-generate-uids` false; two operators under one id are refused by the JobGraph. */
function checkUids(document: JobDocument, problems: Problem[]): void {
  const required = String(document.config?.['pipeline.auto-generate-uids'] ?? true) === 'false'
  document.operators.forEach(({ generatedUid, uidHash, uid }, index) => {
    if (required && generatedUid === true) {
      problems.push(mistake(['operators', index, 'generatedUid'], `Auto generated UIDs have been disabled but no UID has been assigned to operator "${uid}".`, 'Let the operator have its uid, or allow generated ones.'))
    }
    const same = document.operators.findIndex((other) => uidHash !== undefined && other.uidHash === uidHash)
    if (same >= 0 && same < index) problems.push(mistake(['operators', index, 'uidHash'], `Two operators have the uid hash ${uidHash}.`, 'Remove one of them.'))
  })
}

/** Each input has an edge, whatever else is wrong with that edge. */
function checkInputs(document: JobDocument, operators: ReadonlyMap<string, KnownOperator>, problems: Problem[]): void {
  for (const { document: operator, type, index } of operators.values()) {
    for (let input = 1; input <= type.inputs; input++) {
      if (document.edges.some((edge) => edge.to === operator.uid && (edge.input ?? 1) === input)) continue
      const which = type.inputs === 1 ? 'its input' : `input ${input}`
      problems.push(mistake(['operators', index], `Nothing is connected to ${which} of "${operator.uid}".`, 'Connect the output of another operator to it.'))
    }
  }
}

interface Pass {
  readonly order: readonly KnownOperator[]
  readonly edges: readonly OperatorEdge[]
  readonly topics: readonly TopicDescription[]
  readonly maxParallelism: number | null
}

function describeAll({ order, edges, topics, maxParallelism }: Pass, problems: Problem[]): readonly DescribedOperator[] {
  const outputs = new Map<string, Schema | null>()
  const described: DescribedOperator[] = []
  for (const operator of order) {
    const max = maxParallelismOf(operator.document, operator, maxParallelism, problems)
    const incoming = edges.filter((edge) => edge.to === operator)
    const description = describeOperator({ operator, incoming, outputs, topics }, problems)
    if (description === null) continue
    outputs.set(description.uid, description.output)
    described.push({ operator, description, ...max })
  }
  return described
}

function maxParallelismOf(
  document: OperatorDocument,
  { parallelism, index }: KnownOperator,
  ofJob: number | null,
  problems: Problem[],
): { readonly maxParallelism: number; readonly maxParallelismExplicit: boolean } {
  const explicit = document.maxParallelism ?? ofJob
  const maxParallelism = explicit ?? defaultMaxParallelism(parallelism)
  if (parallelism > maxParallelism) {
    problems.push(
      mistake(['operators', index, 'parallelism'], `The parallelism ${parallelism} of "${document.uid}" is above its maximum parallelism ${maxParallelism}.`, `Lower it to ${maxParallelism} at most, or raise the maximum.`),
    )
  }
  return { maxParallelism, maxParallelismExplicit: explicit !== null }
}

function toGraph(
  name: string,
  described: readonly DescribedOperator[],
  edges: readonly OperatorEdge[],
  topics: readonly TopicDescription[],
  settings: JobSettings,
): JobGraph {
  const ids = operatorIds({ operators: described, edges, chainingEnabled: settings.chainingEnabled })
  const identified = described.map((one) => ({ ...one, description: { ...one.description, operatorId: ids.get(one.description.uid) ?? one.description.operatorId } }))
  const { vertices, vertexOf } = chainOperators(identified, edges, settings.chainingEnabled)
  const outputs = new Map(described.map(({ description }) => [description.uid, description.output]))
  const jobEdges: JobEdge[] = []
  for (const edge of edges) {
    const from = vertexOf.get(edge.from.document.uid)
    const to = vertexOf.get(edge.to.document.uid)
    const schema = outputs.get(edge.from.document.uid)
    if (from === undefined || to === undefined || schema === undefined || schema === null || from === to) continue
    jobEdges.push({ index: jobEdges.length, from, to, input: edge.input, ship: edge.ship, by: edge.by, ...(edge.unstableHash === true ? { unstableHash: true } : {}), ...edge.link, schema })
  }
  return { name, vertices, edges: jobEdges, settings, topics }
}
