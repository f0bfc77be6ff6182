type SegmentsProps<Value extends string> = {
  readonly label: string
  readonly value: Value
  readonly options: readonly { readonly value: Value; readonly label: string; readonly count?: number }[]
  readonly onChange: (value: Value) => void
  readonly className?: string
}

/** A segmented control: one of a few views or filters, with true counts. */
export function Segments<Value extends string>({
  label,
  value,
  options,
  onChange,
  className = '',
}: SegmentsProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
    <div className={`seg ${className}`} role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
          {option.count !== undefined && <span className="count">{option.count.toLocaleString('en')}</span>}
        </button>
      ))}
    </div>
  )
}
