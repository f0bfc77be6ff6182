import { hasShortIds } from './line-predicates.ts'
import type { Node } from './outline.ts'

/** Properties of the whole document. */
export type Rules = {
  /** Bare numbers are ids, as in Kiro's task lists. */
  readonly numbered: boolean
  /** T1 is an id without a colon. */
  readonly shortIds: boolean
  /** Set on the second pass, if nothing was found: sentences with "must" or "should" are requirements. */
  readonly demands: boolean
  /** "Add a function." asks for something too, and so does "we need". Where lists or sections ask, it may be a summary or advice. */
  readonly orders: boolean
  /** Set on the last pass: a title such as "Add a function" is the requirement. */
  readonly title: boolean
}

export const findRules = (text: string, root: Node): Rules => ({
  numbered: /_Requirements?:/.test(text) || /^[ \t]{0,8}[-*] \[[ xX]\]\*? \d+(?:\.\d+)* /m.test(text),
  shortIds: hasShortIds(text),
  demands: false,
  orders: isUndivided(root) && !listNodes(root).some(({ sort }) => sort === 'item' || sort === 'row'),
  title: false,
})

/** Returns the rules for another pass after one that found nothing. Undefined after the last. */
export function relaxRules(rules: Rules, root: Node): Rules | undefined {
  const orders = isUndivided(root)
  if (!rules.demands) return { ...rules, demands: true, orders }
  return orders && !rules.title ? { ...rules, title: true } : undefined
}

/** Whether nothing but a title divides the document. */
const isUndivided = (root: Node): boolean => listNodes(root).filter(({ sort }) => sort === 'heading').length < 2

/** The blocks of the document, and those below its title. */
const listNodes = ({ children }: Node): readonly Node[] => children.flatMap((child) => [child, ...child.children])
