import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import OptionsSheet from '../../../src/options/options-sheet.tsx'
import { compileJob } from '../../../workers/model/compile-job.ts'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import { OPTIONS } from '../../../workers/model/options/option-table.ts'

const C = 'execution.checkpointing.'

function sheet(config: JobDocument['config']): string {
  const job: JobDocument = { weir: 'job@1', name: 'j', config: config ?? {}, operators: [], edges: [] }
  return renderToStaticMarkup(<OptionsSheet job={job} problems={compileJob(job).problems} onEdit={() => undefined} onClose={() => undefined} />).replaceAll('&#x27;', "'")
}

describe('the form of options', () => {
  it('has a labelled field for every option, with its default and its sentences', () => {
    const html = sheet({})
    for (const option of OPTIONS) {
      const id = `option-${option.key}`
      expect(html, option.key).toContain(`<label for="${id}" class="mono">${option.key}</label>`)
      expect(html, option.key).toContain(`id="${id}"`)
      expect(html, option.key).toContain(option.effect)
    }
    expect(new Set(OPTIONS.map(({ key }) => key)).size).toBe(OPTIONS.length)
  })

  it('says at the interval what it means that there is none', () => {
    expect(sheet({})).toContain('Without an interval')
    expect(sheet({})).toContain('the first failure makes the job FAILED')
    expect(sheet({ [`${C}interval`]: '1 s' })).not.toContain('Without an interval')
  })

  it('shows each contradiction once at its field, and what is none as none', () => {
    const html = sheet({ [`${C}interval`]: '1 s', [`${C}unaligned.enabled`]: true, [`${C}max-concurrent-checkpoints`]: 2, [`${C}min-pause`]: '500 ms' })
    expect(html.match(/Flink refuses this/g)).toHaveLength(1)
    expect(html.match(/No contradiction/g)).toHaveLength(1)
    expect(html.match(/cannot be used with 2 concurrent checkpoints/g)).toHaveLength(2)
  })

  it('shows a value that cannot be read at its field, with the cure', () => {
    const html = sheet({ [`${C}timeout`]: 'soon' })
    expect(html).toContain('aria-invalid="true" type="text"')
    expect(html).toContain('Could not read the value of execution.checkpointing.timeout')
  })

  it('lists what is not known and keeps it', () => {
    expect(sheet({ 'my.own': 'x' })).toContain('Kept, not known here')
  })

  it('writes the options as text', () => {
    expect(sheet({ [`${C}interval`]: '1 s' })).toContain('execution.checkpointing.interval: 1 s\n</textarea>')
  })
})
