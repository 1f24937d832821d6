/** Which options the form shows. */
import type { OptionDescription } from '../../workers/model/options/option-description.ts'

export type OptionFilter = 'all' | 'used' | 'set'

interface Wanted {
  readonly search: string
  readonly filter: OptionFilter
  readonly isSet: (option: OptionDescription) => boolean
}

/** Every word of the search is in the key, an old key, or what is said of the option. */
export function filterOptions(options: readonly OptionDescription[], { search, filter, isSet }: Wanted): readonly OptionDescription[] {
  const words = search.toLowerCase().split(/\s+/).filter((word) => word !== '')
  return options.filter((option) => {
    if (filter === 'used' && !option.used) return false
    if (filter === 'set' && !isSet(option)) return false
    const text = [option.key, ...option.oldKeys, option.effect, option.picture, option.history ?? ''].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
