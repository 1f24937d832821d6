/** The topics of a job: where their rows come from, and of which type they are. */
import { DATA_SETS } from '../catalogue/data-sets.ts'
import type { SchemaDocument, TopicDocument } from '../job-document.ts'
import type { Problem, TopicDescription } from '../job-graph.ts'
import type { FieldType, Scalar, Schema } from '../schema.ts'
import { mistake, type Path } from './shape.ts'

export function compileTopics(topics: readonly TopicDocument[], problems: Problem[]): readonly TopicDescription[] {
  const names = new Set<string>()
  const compiled: TopicDescription[] = []
  topics.forEach((topic, i) => {
    const path = ['topics', i]
    if (names.has(topic.name)) {
      problems.push(mistake([...path, 'name'], `There are two topics "${topic.name}".`, 'Give one of them another name.'))
      return
    }
    names.add(topic.name)
    const description = topic.data === undefined ? inlineTopic(topic, path, problems) : dataSetTopic(topic, topic.data, path, problems)
    if (description !== null) compiled.push(description)
  })
  return compiled
}

function dataSetTopic(topic: TopicDocument, data: string, path: Path, problems: Problem[]): TopicDescription | null {
  const dataSet = Object.hasOwn(DATA_SETS, data) ? DATA_SETS[data] : undefined
  if (topic.rows !== undefined) problems.push(mistake([...path, 'rows'], 'The topic has a data set and rows.', 'Remove "data" or "rows".'))
  if (dataSet === undefined) {
    problems.push(mistake([...path, 'data'], `There is no data set "${data}".`, `Choose one of: ${Object.keys(DATA_SETS).join(', ')}.`))
    return null
  }
  return { name: topic.name, partitions: topic.partitions, schema: dataSet.schema, source: { kind: 'data-set', name: data } }
}

function inlineTopic(topic: TopicDocument, path: Path, problems: Problem[]): TopicDescription | null {
  if (topic.rows === undefined) {
    problems.push(mistake(path, `The topic "${topic.name}" has no data.`, 'Name a data set ("data"), or give "rows" and their "schema".'))
    return null
  }
  const schema = topic.schema === undefined ? null : compileSchema(topic.schema, [...path, 'schema'], problems)
  if (schema === null) {
    if (topic.schema === undefined) problems.push(mistake([...path, 'schema'], 'Rows need a schema.', 'Add "schema", as in { "fields": { "key": "String", "value": "Int" } }.'))
    return null
  }
  topic.rows.forEach((row, i) => checkRow(row, schema, [...path, 'rows', i], problems))
  return { name: topic.name, partitions: topic.partitions, schema, source: { kind: 'rows' } }
}

/** One field without a kind is a bare value, several are a row. */
export function compileSchema(document: SchemaDocument, path: Path, problems: Problem[]): Schema | null {
  const fields = Object.entries(document.fields).map(([name, type]) => ({ name, type }))
  const kind = document.kind ?? (fields.length === 1 ? 'bare' : 'row')
  if (kind === 'bare' && fields.length !== 1) {
    problems.push(mistake([...path, 'fields'], 'A bare value has exactly one field.', 'Remove fields, or choose "row".'))
    return null
  }
  return { kind, fields }
}

function checkRow(row: Scalar | readonly Scalar[], schema: Schema, path: Path, problems: Problem[]): void {
  const isList = Array.isArray(row)
  if (isList === (schema.kind === 'bare')) {
    problems.push(mistake(path, schema.kind === 'bare' ? 'A bare value is not a list.' : 'A row is a list of its fields.', 'Write it as the schema says.'))
    return
  }
  const values: readonly Scalar[] = isList ? (row as readonly Scalar[]) : [row as Scalar]
  if (values.length !== schema.fields.length) {
    problems.push(mistake(path, `The row has ${values.length} fields, the schema ${schema.fields.length}.`, 'Give a value for each field.'))
    return
  }
  schema.fields.forEach((field, i) => {
    const value = values[i] as Scalar
    const reason = whyNot(value, field.type)
    if (reason !== null) problems.push(mistake(isList ? [...path, i] : path, `"${field.name}" ${reason}.`, `Give a value of type ${field.type}.`))
  })
}

/** Why the value is not of the type; null = it is. A Long beyond 2^53 is refused, never rounded. */
export function whyNot(value: unknown, type: FieldType): string | null {
  const shown = JSON.stringify(value)
  switch (type) {
    case 'String':
      return typeof value === 'string' ? null : `is ${shown}, not a text`
    case 'Boolean':
      return typeof value === 'boolean' ? null : `is ${shown}, not true or false`
    case 'Double':
      return typeof value === 'number' ? null : `is ${shown}, not a number`
    case 'Int':
      return Number.isInteger(value) && (value as number) === ((value as number) | 0) ? null : `is ${shown}, not a whole number of 32 bits`
    case 'Long':
      return Number.isSafeInteger(value) ? null : `is ${shown}, not a whole number below 2^53`
  }
}
