/** Where the next line starts. */
export function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return end >= 0 && text.slice(offset, end).trim() === '' ? end + 1 : offset
}
