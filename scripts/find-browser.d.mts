export declare const BROWSER_ARGS: readonly string[]
export declare function findBrowser(): string | null
export declare function ensureBrowser(): string
