/** The page of the benchmark "tokens". `?tokens=0` shows the same world without anything that moves, `&by=animateMotion` tokens of SVG. */
import { showTokenWorld, type TokenWorld } from './token-world.tsx'

export type TokensPage = TokenWorld

const asked = new URLSearchParams(location.search)
const page: TokensPage = showTokenWorld(document.getElementById('root') as HTMLElement, Number(asked.get('tokens') ?? '1000'), asked.get('by') === 'animateMotion' ? 'animateMotion' : 'drawing worker')
Object.assign(window, { bench: page })
