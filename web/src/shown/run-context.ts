import { createContext, useContext } from 'react'

/** The run being shown. Actions that name no run mean this one. */
export type ShownRun = { readonly id: string; readonly name: string }

const Context = createContext<ShownRun>({ id: '', name: '' })

export const RunProvider = Context.Provider
export const useShownRun = (): ShownRun => useContext(Context)
