/** The page of the benchmark "tokens". `?tokens=0` shows the same world without anything that moves. */
import { showTokenWorld, type TokenWorld } from './token-world.tsx'

export type TokensPage = TokenWorld

const tokens = Number(new URLSearchParams(location.search).get('tokens') ?? '1000')
const page: TokensPage = showTokenWorld(document.getElementById('root') as HTMLElement, tokens)
Object.assign(window, { bench: page })
