/** A name in a zip or of a dropped file, relative with `/`; throws where it does not stay in its folder. */
export function safeName(name: string): string {
  const isOutside = name.startsWith('/') || /^[a-z]:/i.test(name) || name.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')
  // oxlint-disable-next-line no-control-regex -- these are what is refused
  if (name === '' || isOutside || /[\u0000-\u001f]/.test(name)) throw new Error(`"${name}" is no name of a file in a folder: nothing was unpacked`)
  return name
}
