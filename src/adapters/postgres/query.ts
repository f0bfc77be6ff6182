/** Runs one statement on one connection. */
export type Query = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>
