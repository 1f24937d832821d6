/** What must not be missed: another tab leads, the engine is dead, something was refused. */
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import { Button } from '../widgets/controls.tsx'
import { Icon } from '../widgets/icon.tsx'

export function Banners() {
  const status = useRun((state) => state.status)
  const { said, set } = useView()
  if (status === null) return null
  return (
    <div className="banners">
      {status.dead !== null && (
        <p className="banner failure" role="alert">
          <Icon name="failed" />
          <span>
            <b>The engine has stopped.</b> Its part “{status.dead.part}” died: {status.dead.message}. What you see no longer moves.
          </span>
          <Button onClick={() => location.reload()}>Reload the page</Button>
        </p>
      )}
      {status.role === 'watching' && (
        <p className="banner" role="status">
          <Icon name="list" />
          <span>
            <b>This tab watches.</b> Another tab runs the job; when it closes, this one takes over from the last completed checkpoint.
          </span>
        </p>
      )}
      {said !== null && (
        <p className="banner" role="alert">
          <Icon name="warning" />
          <span>{said}</span>
          <Button kind="ghost" icon="close" label="Dismiss" onClick={() => set({ said: null })} />
        </p>
      )}
      {status.notices.map((notice) => (
        <p key={notice} className="banner" role="status">
          <Icon name="warning" />
          <span>{notice}</span>
        </p>
      ))}
    </div>
  )
}
