import { InvalidArgumentError } from 'commander'
import { type OptionsOf, defineCommand } from '../define.ts'

const frameworks = ['express', 'fastify', 'fetch'] as const
/** The framework of a project. `fetch` is every runtime and framework that calls a function with a `Request`. */
export type Framework = (typeof frameworks)[number]

export const initCommand = () =>
  defineCommand(
    'init',
    'start in an existing project: Express, Fastify, Hono, Next.js, Workers, Bun or Deno',
    'hv-router init --vendor acme',
  )
    .option('--framework <name>', 'express, fastify or fetch (default: the one that fits package.json)', parseFramework)
    .option(
      '--vendor <name>',
      'the vendor in application/vnd.<vendor>+json (default: the scope or name of the package)',
      parseVendor,
    )
    .option('--resource <name>', 'the first resource', parseResource, 'users')
    .option('--routes <file>', 'the route file to write (default: src/routes.ts and the like)')

export type InitOptions = OptionsOf<typeof initCommand>

function parseFramework(text: string): Framework {
  const found = frameworks.find((name) => name === text)
  if (found === undefined) throw new InvalidArgumentError('Pass express, fastify or fetch.')
  return found
}

function parseVendor(text: string): string {
  if (!/^[a-z\d][\w.-]*$/i.test(text))
    throw new InvalidArgumentError('A vendor consists of letters, digits, dots and dashes.')
  return text
}

function parseResource(text: string): string {
  if (!/^[a-z][a-z\d_]*$/.test(text))
    throw new InvalidArgumentError('A resource consists of lowercase letters, digits and underscores: line_items.')
  return text
}
