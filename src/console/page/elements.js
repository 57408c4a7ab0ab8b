// What is shown is data that clients had a part in. It gets onto the page as text only, never as markup.

/** @typedef {Node | string | number | null | undefined} Child */

/**
 * @param {string} name of an HTML element
 * @param {Record<string, unknown>} attributes a function is a listener, of the event of that name
 * @param {...Child} children
 */
export function element (name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children)
}

/** The same for SVG. */
export function shape (name, attributes = {}, ...children) {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children)
}

function filled (node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name, value)
    else node.setAttribute(name, value)
  }
  node.append(...children.filter(child => child !== null && child !== undefined).map(textOrNode))
  return node
}

const textOrNode = child => child instanceof Node ? child : String(child)

/** Changes a text only if it is another one, so that nothing is read aloud twice. */
export function say (node, text) {
  if (node.textContent !== text) node.textContent = text
}

const shown = new WeakMap()

/**
 * Shows one element for each item. An item that was shown before keeps its element, and with it the focus.
 *
 * @param {Element} parent
 * @param {Array<unknown>} items
 * @param {(item: any) => string} keyOf
 * @param {(item: any) => { node: Element, update: (item: any) => void }} create
 */
export function showEach (parent, items, keyOf, create) {
  const before = shown.get(parent) ?? new Map()
  const now = new Map()
  const focused = document.activeElement
  items.forEach((item, i) => {
    const key = keyOf(item)
    const entry = before.get(key) ?? create(item)
    now.set(key, entry)
    entry.update(item)
    if (parent.children[i] !== entry.node) parent.insertBefore(entry.node, parent.children[i] ?? null)
  })
  for (const [key, { node }] of before) if (!now.has(key)) node.remove()
  shown.set(parent, now)
  if (focused !== document.activeElement && focused?.isConnected) focused.focus()
}

/**
 * A table that scrolls within itself where it is wider than the screen. On a phone each row is a card. Some browsers
 * then see no table, so the roles are named.
 */
export function tableOf (label, columns, body) {
  const head = element('tr', { role: 'row' },
    ...columns.map(name => element('th', { scope: 'col', role: 'columnheader' }, name)))
  return element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label },
    element('table', { role: 'table' }, element('thead', { role: 'rowgroup' }, head), body))
}
