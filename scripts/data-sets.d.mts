export function dataSetPath(name: string): string
export function bringDataSets(): Promise<readonly string[]>
