import { CopyButton } from './copy-button.tsx'

/** A command to copy. */
export function CommandBox({ command }: { readonly command: string }) {
  return (
    <div className="cmd">
      <code>{command}</code>
      <CopyButton text={command} label={`Copy the command: ${command}`} />
    </div>
  )
}
