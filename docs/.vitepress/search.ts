// What the site's search knows about a page, and how it ranks what it finds.
import type { DefaultTheme } from 'vitepress'

/** The generated pages repeat a property under ten interfaces, and would push the guides out of the list. */
const generated = 'reference/api/'

export const search: DefaultTheme.LocalSearchOptions = {
  /** The text of a page for the index. `synonyms` in its front matter are words that readers use and the page doesn't. */
  _render(source, env, md) {
    if (env.relativePath.startsWith(generated)) return ''
    const html = md.render(source, env)
    const synonyms: unknown = env.frontmatter?.['synonyms']
    return typeof synonyms === 'string' ? html.replace('</h1>', `</h1>\n<p>${synonyms}</p>`) : html
  },
  miniSearch: {
    // VitePress sends these functions to the browser as text, so they can't refer to anything outside.
    options: {
      tokenize: (text) => text.split(/[\s\p{P}\p{S}]+/u), // `version=2` is two words
      processTerm: (term) => {
        const word = term.toLowerCase()
        const fillers =
          'a an and between can do does for how i in is it my of on or per the this to with'
        return fillers.split(' ').includes(word) ? null : word
      },
    },
    searchOptions: {
      fuzzy: 0.1,
      weights: { fuzzy: 0.1, prefix: 0.375 }, // "nextjs" isn't a slip for "nestjs"
      boost: { title: 4, titles: 1, text: 2 },
      boostDocument: (id: string) =>
        id.includes('/guide/') ? 1.15 : /\/agents(?:#|$)/.test(id) ? 0.3 : 1,
    },
  },
}
