import { variables, type Variable } from './variables.js'

const head = `# Settings

Every setting is an environment variable, or a line in \`.env\` in the working directory. The environment wins. A name
without a value is not set. \`.env.example\` explains each at length. \`npm run docs:settings\` writes this page.

| variable | default | values | meaning |
| --- | --- | --- | --- |
`

/** The text of `docs/settings.md`, with every setting of the configuration. */
export function settingsPage (): string {
  return head + Object.entries<Variable>(variables).map(([name, variable]) => {
    const cells = [`\`${name}\``, defaultOf(variable), valuesOf(variable), `${variable.description}.`]
    return `| ${cells.join(' | ')} |\n`
  }).join('')
}

function defaultOf ({ default: value }: Variable): string {
  return value === undefined || value === '' ? 'not set' : `\`${value}\``
}

function valuesOf ({ type, enum: words, minimum, maximum }: Variable): string {
  if (words) return words.map(word => `\`${word}\``).join(', ')
  return type === 'integer' ? `${minimum} to ${maximum}` : 'text'
}
