/** The names of the icons in index.html. */
export type IconName =
  | 'bad'
  | 'bang'
  | 'broken'
  | 'chat'
  | 'check'
  | 'coin'
  | 'commit'
  | 'compare'
  | 'copy'
  | 'delivery'
  | 'dl'
  | 'down'
  | 'eye'
  | 'file'
  | 'first'
  | 'flag'
  | 'folder'
  | 'fork'
  | 'last'
  | 'left'
  | 'link'
  | 'lock'
  | 'low'
  | 'mid'
  | 'more'
  | 'off'
  | 'ok'
  | 'pause'
  | 'pawl'
  | 'pencil'
  | 'play'
  | 'plus'
  | 'procedure'
  | 'refinement'
  | 'retry'
  | 'right'
  | 'run'
  | 'search'
  | 'shield'
  | 'star'
  | 'stop'
  | 'sun'
  | 'swap'
  | 'term'
  | 'todo'
  | 'up'
  | 'wait'
  | 'writing'
  | 'x'
  | 'you'

type IconProps = { readonly name: IconName; readonly size?: 12 | 16 | 20; readonly className?: string }

/** An icon says nothing to screen readers: a word stands beside it. */
export function Icon({ name, size = 16, className = '' }: IconProps) {
  const sized = size === 16 ? '' : ` ico-${size}`
  const turning = name === 'run' ? ' spin' : ''
  return (
    <svg className={`ico${sized}${turning} ${className}`} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  )
}
