/** The cluster, for the parts of the page that act on it. */
import { createContext, useContext } from 'react'
import type { Cluster } from '../cluster/cluster-types.ts'

export const ClusterContext = createContext<Cluster | null>(null)

export function useCluster(): Cluster {
  const cluster = useContext(ClusterContext)
  if (cluster === null) throw new Error('no cluster above this component')
  return cluster
}
