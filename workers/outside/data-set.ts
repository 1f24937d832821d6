/** A data set as scripts/data-sets.mjs writes it: `{ name, source, fields, rows }`, each row a list in the order of the fields. */
import { err, ok, type Result } from '../base/result.ts'
import { DATA_SETS } from '../model/catalogue/data-sets.ts'
import type { Field, FieldType, Schema, Value } from '../model/schema.ts'

export interface DataSet {
  readonly name: string
  readonly schema: Schema
  readonly rows: readonly Value[]
}

/** Checks parsed JSON against the schema of the data set `name`; the error says which row and field does not fit. */
export function parseDataSet(name: string, json: unknown): Result<DataSet, string> {
  const schema = DATA_SETS[name]?.schema
  if (schema === undefined) return err(`there is no data set "${name}"`)
  const { fields, rows } = (json ?? {}) as { readonly fields?: unknown; readonly rows?: unknown }
  const expected = schema.fields.map((field) => field.name)
  if (JSON.stringify(fields) !== JSON.stringify(expected)) return err(`data set ${name}: expected the fields ${expected.join(', ')}`)
  if (!Array.isArray(rows)) return err(`data set ${name}: expected a list of rows`)
  for (let i = 0; i < rows.length; i++) {
    const error = rowError(rows[i], schema.fields)
    if (error !== null) return err(`data set ${name}, row ${i}: ${error}`)
  }
  return ok({ name, schema, rows: rows as readonly Value[] })
}

function rowError(row: unknown, fields: readonly Field[]): string | null {
  if (!Array.isArray(row) || row.length !== fields.length) return `expected a list of ${fields.length} values`
  for (let i = 0; i < fields.length; i++) {
    const { name, type } = fields[i] as Field
    if (!FITS[type](row[i])) return `${JSON.stringify(row[i])} is not a value of ${name} (${type})`
  }
  return null
}

const FITS: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  String: (value) => typeof value === 'string',
  Int: (value) => Number.isInteger(value) && Math.abs(value as number) <= 0x7fffffff,
  Long: (value) => Number.isSafeInteger(value),
  Double: (value) => typeof value === 'number',
  Boolean: (value) => typeof value === 'boolean',
}
