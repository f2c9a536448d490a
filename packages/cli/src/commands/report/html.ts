/** Markup. Only {@link html} creates it, so no other text can be mistaken for markup. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Value = string | number | false | undefined | Html | readonly Value[]

/**
 * Makes markup from a template. Values are escaped unless they're markup themselves.
 *
 * @example html`<code>${'<b>'}</code>`.text // '<code>&#60;b&#62;</code>'
 */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(String.raw({ raw: parts }, ...values.map(markupOf)))

function markupOf(value: Value): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(markupOf).join('')
  if (value === false || value === undefined) return ''
  return String(value).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
