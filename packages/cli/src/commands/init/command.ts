import { InvalidArgumentError } from 'commander'
import { type OptionsOf, defineCommand } from '../define.ts'

export type Framework = 'express' | 'fastify'

export const initCommand = () =>
  defineCommand('init', 'start in an existing Express or Fastify project', 'hv-router init --vendor acme')
    .option('--framework <name>', 'express or fastify (default: the one in package.json)', parseFramework)
    .option(
      '--vendor <name>',
      'the vendor in application/vnd.<vendor>+json (default: the scope or name of the package)',
      parseVendor,
    )
    .option('--resource <name>', 'the first resource', parseResource, 'users')
    .option('--routes <file>', 'the route file to write (default: src/routes.ts and the like)')

export type InitOptions = OptionsOf<typeof initCommand>

function parseFramework(text: string): Framework {
  if (text !== 'express' && text !== 'fastify') throw new InvalidArgumentError('It is express or fastify.')
  return text
}

function parseVendor(text: string): string {
  if (!/^[a-z\d][\w.-]*$/i.test(text)) throw new InvalidArgumentError('A vendor has letters, digits, dots and dashes.')
  return text
}

function parseResource(text: string): string {
  if (!/^[a-z][a-z\d_]*$/.test(text))
    throw new InvalidArgumentError('A resource has small letters, digits and underscores: line_items.')
  return text
}
