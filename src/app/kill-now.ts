/** The reason of an abort that leaves no time for manners: shells go straight to KILL. */
export const killNow = (_by: string): unknown => 'kill'
