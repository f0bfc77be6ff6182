export type Claim = { readonly says: string; readonly holds: boolean; readonly found: string }

/** How a claim is looked up: whether it holds, and what was found. */
export type Check = {
  readonly says: string
  readonly check: () => Promise<Found> | Found
}
export type Found = readonly [holds: boolean, found: string]

/** Whatever cannot be looked up is false. */
export async function answer({ says, check }: Check): Promise<Claim> {
  try {
    const [holds, found] = await check()
    return { says, holds, found }
  } catch (error) {
    return { says, holds: false, found: (error as Error).message }
  }
}
