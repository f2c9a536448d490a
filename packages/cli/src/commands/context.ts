import type { Controllers } from '../controllers/controllers.ts'
import { type Io, display, paint } from '../output.ts'
import { loadRouteFile } from '../route-file/load.ts'
import type { RouteFile } from '../route-file/route-file.ts'

/** What a command works on. */
interface Project {
  readonly routeFile: RouteFile
  /** Null when there is no folder of controllers. */
  readonly controllers: Controllers | null
}

/** Loads the route file, and meanwhile finds the controllers. */
export async function openProject(
  io: Io,
  options: { readonly routes?: string | undefined; readonly controllers?: string | undefined },
): Promise<Project> {
  const loading = [loadRouteFile(io, options.routes), openControllers(io, options.controllers)] as const
  await Promise.allSettled(loading) // a worker that is still loading would keep the process alive
  const [{ routeFile }, controllers] = await Promise.all(loading)
  return { routeFile, controllers }
}

/** Reads the controllers. The parser is loaded while the worker starts. */
export async function openControllers(io: Io, named: string | undefined): Promise<Controllers | null> {
  const { findControllers, readControllers } = await import('../controllers/controllers.ts')
  const folder = findControllers(io, named)
  return folder === null ? null : readControllers(folder)
}

/** Names the route file on stderr, so that piped output contains only the result. */
export function reportRouteFile(io: Io, { path }: Pick<RouteFile, 'path'>, { json }: { readonly json?: true }): void {
  if (json !== true) io.err.write(`${paint(io.err, 'dim', `Route file: ${display(io, path)}`)}\n`)
}
