import { useLayoutEffect, useRef, useState } from 'react'

/** The width that the layout gives the element, in pixels; 0 until it is laid out. For drawings that are made in pixels. */
export function useWidth(): [number, React.RefObject<HTMLDivElement | null>] {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const target = element.current
    if (target === null) return undefined
    const observer = new ResizeObserver(() => setWidth(Math.floor(target.clientWidth)))
    observer.observe(target)
    return () => observer.disconnect()
  }, [])
  return [width, element]
}
