/** The class name that belongs to a controller: `admin/line_items` → `LineItemsController`. */
export function classNameOf(key: string): string {
  const words = key.slice(key.lastIndexOf('/') + 1).split(/[_-]/)
  return `${words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')}Controller`
}
