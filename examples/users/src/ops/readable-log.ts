import { Writable } from 'node:stream'

/**
 * How long a line of JSON may wait for others, in milliseconds, because each write costs more than
 * its line.
 */
const patience = 100
const request = '{if method}{method} {path} from {network}: {status} after {ms} ms{end}'

/** Where the log goes: readable lines if a developer watches in a terminal, or else JSON. */
export async function openLog(
  production: boolean,
  output: NodeJS.WritableStream & { isTTY?: boolean } = process.stdout,
): Promise<Writable> {
  if (production || output.isTTY !== true) return collectLines(output)
  const { default: pretty } = await import('pino-pretty')
  return pretty({
    destination: output,
    colorize: pretty.isColorSupported,
    translateTime: 'SYS:HH:MM:ss',
    include: 'time,level,err',
    messageFormat: `{if audit}{audit} from {network}{end}${request}{if msg}{msg}{end}`,
  })
}

function collectLines(output: NodeJS.WritableStream): Writable {
  let lines = ''
  const flush = () => {
    if (lines !== '') output.write(lines)
    lines = ''
  }
  setInterval(flush, patience).unref()
  process.once('exit', flush)
  return new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      lines += line
      if (lines.length > 16_384) flush()
      done()
    },
  })
}
