/** `GET /api/v1/start`: what can be started from a page. `POST /api/v1/start/<command>` takes a value for each field by its name. */
export type StartPayload = { readonly forms: readonly Form[] }
export type Form = {
  readonly command: string
  readonly title: string
  readonly says: string
  readonly button: string
  readonly fields: readonly FormField[]
}
export type FormField = {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly required: boolean
} & (
  | { readonly kind: 'line' | 'text' }
  /** The first option is chosen at first. */
  | {
      readonly kind: 'choice'
      readonly options: readonly { readonly value: string; readonly label: string; readonly group?: string }[]
    }
)
