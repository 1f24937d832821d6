/** Data sets that come with the playground; hosts load their rows. */
import type { Schema } from '../schema.ts'

export interface DataSetDescription {
  readonly title: string
  readonly schema: Schema
}

export const DATA_SETS: Readonly<Record<string, DataSetDescription>> = {
  'flights-20k': {
    title: 'US domestic flights, 2001, 20,000 rows in order of departure',
    schema: {
      kind: 'row',
      fields: [
        { name: 'date', type: 'String' },
        { name: 'delay', type: 'Int' },
        { name: 'distance', type: 'Int' },
        { name: 'origin', type: 'String' },
        { name: 'destination', type: 'String' },
      ],
    },
  },
}
