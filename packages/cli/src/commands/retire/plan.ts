import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Controllers, isController } from '../../controllers/controllers.ts'
import type { ControllerFile } from '../../controllers/find.ts'
import { importedFiles, importersOf, movedText } from '../../controllers/imports.ts'
import { type Io, UsageError, display } from '../../output.ts'

/** What happens to the controllers of a version. */
export type RetirePlan = ReturnType<typeof planRetirement>

/** Plans how the controllers of a version are deleted. One that a later version needs moves beside it. */
export function planRetirement(io: Io, controllers: Controllers, version: number) {
  const { files, root } = controllers.folder
  const heirs = heirsOf(controllers, version)
  const placeOf = (file: ControllerFile, heir: number): string =>
    join(root, `v${heir}`, dirname(file.key), 'base', basename(file.path))
  const places = new Map(
    [...heirs].map(([file, found]) => [file.realPath, placeOf(file, found.version)]),
  )
  const taken = [...places.values()].find((path) => existsSync(path))
  if (taken !== undefined)
    throw new UsageError(
      `${display(io, taken)} exists already, so nothing was changed. Move it first.`,
    )

  const { modules, source } = controllers
  const moved = [...heirs].map(([from, { direct }]) => {
    const path = places.get(from.realPath)!
    const text = movedText(source(from)!, path, places, modules)
    return { from, path, text, overridden: overriddenIn(controllers, from, direct) }
  })
  const own = files.filter((file) => file.version === version && !file.isBase)
  const updated = files.flatMap((file) => {
    const parsed = own.includes(file) ? null : source(file)
    const text = parsed === null ? '' : movedText(parsed, parsed.path, places, modules)
    return parsed === null || text === parsed.text ? [] : [{ path: file.path, text }]
  })
  return {
    /** Controllers that a later version extends, at their new places: `controllers/api/v2/base/users_controller.ts`. */
    moved,
    /** The controllers that import a moved one. */
    updated,
    deleted: own.filter((file) => !heirs.has(file)),
    /** Files besides the controllers that import one of the version. */
    importers: importersOf(io, controllers, own),
  }
}

interface Heirs {
  /** The lowest version that needs the controller. */
  readonly version: number
  /** The controllers that import it. */
  readonly direct: ControllerFile[]
}

/** The controllers of a version that later ones import, directly or not. */
function heirsOf(controllers: Controllers, version: number): ReadonlyMap<ControllerFile, Heirs> {
  const { files } = controllers.folder
  const own = files.filter((file) => file.version === version)
  const needed = new Map<ControllerFile, Heirs>()
  const need = (importer: ControllerFile, by: number): void => {
    const source = controllers.source(importer)
    const imported = source && importedFiles(controllers.modules, source)
    for (const file of own.filter((one) => one !== importer && imported?.has(one.realPath))) {
      const heirs = needed.get(file)
      if (heirs?.direct.includes(importer) === false) heirs.direct.push(importer)
      if (heirs !== undefined) continue
      needed.set(file, { version: by, direct: [importer] })
      need(file, by)
    }
  }
  const others = files
    .filter((file) => file.version !== version)
    .toSorted((a, b) => a.version - b.version)
  for (const file of others) need(file, file.version)
  return new Map([...needed].filter(([{ isBase }]) => !isBase))
}

/** The members that every heir has itself, and does not call: nobody reaches those of the moved controller. */
function overriddenIn(
  { read, source }: Controllers,
  file: ControllerFile,
  heirs: readonly ControllerFile[],
): readonly string[] {
  const ownOf = (one: ControllerFile): readonly string[] => {
    const controller = read(one)
    if (!isController(controller) || controller.kind === 'factory') return []
    return [...controller.value.members.known].flatMap(([name, { place }]) =>
      place.path === one.realPath ? [name] : [],
    )
  }
  return ownOf(file).filter((name) =>
    heirs.every((heir) => {
      const isCalled = new RegExp(
        String.raw`(?<!\bthis)\.${name.replace(/\W/g, String.raw`\$&`)}\b`,
      )
      return ownOf(heir).includes(name) && !isCalled.test(source(heir)?.text ?? '')
    }),
  )
}
