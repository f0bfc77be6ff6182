/** Where the text of a run is, beside the run itself. */
export type TextFound =
  | { readonly status: 'sealed'; readonly why: string }
  | { readonly status: 'none' }
  | {
      readonly status: 'there'
      readonly words: number
      /** The file that it was meant for, and whether that holds it now. */
      readonly file: { readonly shown: string; readonly holds: boolean } | null
    }
