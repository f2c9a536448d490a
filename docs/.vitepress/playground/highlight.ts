const token =
  /(\/\/.*)|('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`]*`)|\b(import|export|const|from(?= ['"]))\b|\b(\d+|true|false)\b|\b([a-z]\w*)(?=\()/g
const kinds = ['comment', 'string', 'keyword', 'number', 'call']

/** The source as HTML, with a span around what has a color. */
export const highlight = (source: string): string => {
  let html = ''
  let end = 0
  for (const match of source.matchAll(token)) {
    const kind = kinds[match.slice(1).findIndex((group) => group !== undefined)]
    html += `${escape(source.slice(end, match.index))}<span class="${kind}">${escape(match[0])}</span>`
    end = match.index + match[0].length
  }
  return html + escape(source.slice(end))
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
