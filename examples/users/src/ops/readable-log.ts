import type { Writable } from 'node:stream'

interface Entry {
  readonly msg?: string
  readonly req?: { readonly method: string; readonly path: string; readonly ip: string }
  readonly res?: { readonly statusCode: number }
  readonly responseTime?: number
}

/** Writes readable lines if a developer watches in a terminal. Undefined means JSON on stdout, Fastify's default. */
export async function openLog(
  production: boolean,
  output: NodeJS.WritableStream & { isTTY?: boolean } = process.stdout,
): Promise<Writable | undefined> {
  if (production || output.isTTY !== true) return undefined
  const { default: pretty } = await import('pino-pretty')
  return pretty({
    destination: output,
    colorize: pretty.isColorSupported,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname,reqId,req,res,responseTime',
    messageFormat: (entry) => lineOf(entry),
  })
}

function lineOf({ msg = '', req, res, responseTime = 0 }: Entry): string {
  if (req !== undefined) return `${req.method} ${req.path} from ${req.ip}`
  return res === undefined ? msg : `${res.statusCode} after ${responseTime.toFixed(1)} ms`
}
