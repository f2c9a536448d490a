// Loaded before each test file. Whenever the file, or one of its tools, loads Fastify, it gets one that serves its routes in
// the way of the mode.
import Module from 'node:module'
import { hideVersioning } from './hide-versioning.ts'
import { limitTests } from './limit-tests.ts'
import type { Mode } from './modes.ts'
import { translate } from './translate.ts'

/** The part of Node's loader that tools such as proxyquire also replace. */
interface Loader {
  _load: (request: string, ...rest: readonly unknown[]) => unknown
  _resolveFilename: (request: string, ...rest: readonly unknown[]) => string
}

const mode = process.env['PARITY_MODE'] as Mode
const entry = process.env['PARITY_FASTIFY']!
const loader = Module as unknown as Loader
const { _load: load } = loader
const translated = new WeakMap<object, object>()

loader._load = function loadTranslated(request, ...rest) {
  const loaded = Reflect.apply(load, this, [request, ...rest])
  if (typeof loaded !== 'function' || !isFastify(request, rest)) return loaded
  if (!translated.has(loaded)) translated.set(loaded, translate(loaded, mode))
  return translated.get(loaded)
}

function isFastify(request: string, rest: readonly unknown[]): boolean {
  return (
    /fastify|^\.\.?(?:\/\.\.)*\/?$|^\//.test(request) &&
    loader._resolveFilename(request, ...rest) === entry
  )
}

limitTests(Number(process.env['PARITY_TEST_LIMIT']))
if (mode !== 'native') hideVersioning()
