// Which file is a controller, and which of its exports. `loadControllers` and the CLI's `bump` share
// this rule.

/**
 * The extensions of a controller file. If a controller has files with several of them, the first
 * extension wins.
 */
export const extensions = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs']

/**
 * Finds a controller's file: for `api/v1/users`, a path that ends in `api/v1/users_controller.ts`,
 * or in a different one of the {@link extensions}.
 */
export function controllerFile(paths: readonly string[], controller: string): string | undefined {
  for (const extension of extensions) {
    const end = `/${controller}_controller.${extension}`
    const file = paths.find((path) => `/${path.replaceAll('\\', '/')}`.endsWith(end))
    if (file !== undefined) return file
  }
  return undefined
}

/** A controller's class name: `admin/line_items` → `LineItemsController`. */
export function classNameOf(key: string): string {
  const words = key.split('/').at(-1)!.replace(/^\d+/, '').split(/[_\W]/)
  return `${words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')}Controller`
}

/**
 * A controller is its file's default export, or else the export with one of these names. If a file
 * has neither, its exports are themselves the actions.
 */
export function controllerNames(key: string): readonly string[] {
  const className = classNameOf(key)
  return [className, className.slice(0, 1).toLowerCase() + className.slice(1)]
}
