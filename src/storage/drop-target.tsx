/** The whole page takes files: a snapshot is opened, a job document goes to build mode. */
import { useEffect, useState } from 'react'
import { openJobFile } from '../stores/open-job.ts'
import { useView } from '../stores/view-store.ts'
import { Icon } from '../widgets/icon.tsx'
import { reasonOf } from './desk-types.ts'
import { filesOfDrop } from './dropped-files.ts'
import { openFiles } from './storage-actions.ts'
import './drop-target.css'

export function DropTarget() {
  const [over, setOver] = useState(false)
  useEffect(() => {
    // Entering a child comes before leaving its parent.
    let depth = 0
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true
    const enter = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      depth++
      setOver(true)
    }
    const leave = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    const hover = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent): void => {
      depth = 0
      setOver(false)
      if (!hasFiles(event) || event.dataTransfer === null) return
      event.preventDefault()
      void take(event.dataTransfer)
    }
    const listeners = [['dragenter', enter], ['dragleave', leave], ['dragover', hover], ['drop', drop]] as const
    for (const [type, listener] of listeners) addEventListener(type, listener)
    return () => {
      for (const [type, listener] of listeners) removeEventListener(type, listener)
    }
  }, [])
  if (!over) return null
  return (
    <div className="drop-target">
      <p>
        <Icon name="fileOpen" size={16} />
        <b>Drop it to open it.</b> A checkpoint or savepoint (its _metadata, its directory, a zip), or a job document.
      </p>
    </div>
  )
}

async function take(transfer: DataTransfer): Promise<void> {
  try {
    const files = await filesOfDrop(transfer)
    const only = files.length === 1 ? files[0]?.file : undefined
    if (only instanceof File && only.name.endsWith('.json')) await openJobFile(only)
    else if (files.length > 0) openFiles(files)
  } catch (error) {
    useView.getState().set({ said: `What was dropped cannot be read: ${reasonOf(error)}` })
  }
}
