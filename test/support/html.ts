import type { Block, Line, Section, Span } from '../../src/contract/show.ts'

// A second renderer of show values, to HTML. It knows no mode and no terminal.

const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`).replace(/\p{Cc}/gu, '\ufffd')
const element = (name: string, content: string, attributes = ''): string => `<${name}${attributes}>${content}</${name}>`
const list = (items: readonly string[], name = 'ul'): string =>
  element(name, items.map((one) => element('li', one)).join(''))

function span(one: Span): string {
  if (typeof one === 'string') return escapeText(one)
  switch (one.is) {
    case 'action':
      return element('button', one.action.do, ` data-action="${escapeText(JSON.stringify(one.action))}"`)
    case 'path':
      return element('a', escapeText(one.path), ` href="${escapeText(one.path)}"`)
    case 'duration':
      return element('time', `${one.ms} ms`)
    case 'at':
    case 'clock':
    case 'since':
    case 'until':
    case 'zone':
      return element('time', new Date(one.at).toISOString(), ` data-is="${one.is}"`)
    case 'strong':
    case 'muted':
    case 'good':
    case 'bad':
    case 'warning':
    case 'code':
      return element('span', escapeText(one.text), ` class="${one.is}"`)
  }
}

export const renderLine = (line: Line): string => line.map(span).join('')

function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'text':
      return block.lines.map((line) => element('p', renderLine(line))).join('')
    case 'list':
      return list(block.items.map(renderLine), block.ordered ? 'ol' : 'ul')
    case 'table': {
      const rows = block.rows.map((row) =>
        element('tr', row.map(({ line }) => element('td', renderLine(line))).join('')),
      )
      return element(
        'table',
        [element('tr', block.head.map((one) => element('th', escapeText(one))).join('')), ...rows].join(''),
      )
    }
    case 'facts':
      return element(
        'dl',
        block.rows
          .map(
            ({ name, lines }) =>
              element('dt', escapeText(name)) + lines.map((one) => element('dd', renderLine(one))).join(''),
          )
          .join(''),
      )
    case 'bounds':
      return list(
        block.bounds.map(
          ({ name, used, of }) => `${escapeText(name)} <progress value="${used}" max="${of}"></progress>`,
        ),
      )
    case 'diff':
      return element(
        'pre',
        block.lines.map(({ kind, text }) => element('span', escapeText(text), ` class="${kind}"`)).join('\n'),
      )
    case 'chart':
      return element('figure', escapeText(block.title))
    case 'log':
      return element('pre', escapeText(block.lines.join('\n')))
    case 'document':
      return element('article', escapeText(block.text))
    case 'changes':
      return block.changes.map(({ id, title }) => `<p>${escapeText(`${id}: ${title}`)}</p>`).join('')
    case 'question':
      return element(
        'form',
        renderLine(block.question.asks) + list(block.question.choices.map(({ choice }) => escapeText(choice))),
      )
    case 'actions':
      return list(block.actions.map(({ action, does }) => span({ is: 'action', action }) + escapeText(does ?? '')))
    case 'notices':
      return list(
        block.notices.map(({ says, lines }) => escapeText(says) + element('pre', escapeText(lines.join('\n')))),
        'ol',
      )
  }
}

export const renderSection = ({ id, title, blocks }: Section): string =>
  element('section', element('h2', escapeText(title)) + blocks.map(renderBlock).join(''), ` id="${escapeText(id)}"`)
